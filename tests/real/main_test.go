// Package real holds Beckon against the real Claude Code CLI.
package real

import (
	"testing"

	"beckon/tests/fixture"
)

func TestMain(m *testing.M) {
	fixture.Main(m, fixture.RealCLI)
}
