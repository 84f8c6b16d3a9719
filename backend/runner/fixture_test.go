package runner_test

import (
	"testing"

	"beckon/tests/runnertest"
)

func TestMain(m *testing.M) { runnertest.Main(m) }

// driver is the fixture with what only these tests do and wait for.
type driver struct{ *runnertest.Driver }

func start(t *testing.T, script string) driver {
	t.Helper()
	return driver{runnertest.Start(t, script)}
}

func startWith(t *testing.T, find runnertest.Find) driver {
	t.Helper()
	return driver{runnertest.StartWith(t, find)}
}

// startAgents starts agents of which a new one plays first and a resumed one
// resumed.
func startAgents(t *testing.T, first, resumed string) driver {
	t.Helper()
	return startWith(t, runnertest.AgentsOf(t, map[string]string{"first": first, "resumed": "resume: yes\nmatch: .\n" + resumed}))
}

func openAt(t *testing.T, data string, find runnertest.Find) driver {
	t.Helper()
	return driver{runnertest.Open(t, data, find)}
}
