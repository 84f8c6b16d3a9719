// Package agents holds Beckon against the real agents that speak the Agent Client Protocol,
// offline, with nobody's account.
package agents

import (
	"testing"

	"beckon/tests/fixture"
)

func TestMain(m *testing.M) {
	fixture.Main(m, fixture.ScriptedAgent)
}
