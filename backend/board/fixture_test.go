package board_test

import (
	"testing"

	"beckon/tests/runnertest"
)

func TestMain(m *testing.M) { runnertest.Main(m) }

// driver is the fixture with what only these tests do.
type driver struct{ *runnertest.Driver }

func start(t *testing.T, script string) driver {
	t.Helper()
	return driver{runnertest.Start(t, script)}
}

func startWith(t *testing.T, find runnertest.Find) driver {
	t.Helper()
	return driver{runnertest.StartWith(t, find)}
}
