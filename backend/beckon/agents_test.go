package beckon

import "testing"

func TestAnAgentIsCalledByItsName(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string][2]string{
		"": {"Claude", "KES-47"}, "codex": {"Codex", "Codex (KES-47)"}, "kimi": {"Kimi Code", "Kimi Code (KES-47)"}, "later": {"later", "later (KES-47)"},
	} {
		if says, asker := AgentSays(kind), Asker("KES-47", kind); says != want[0] || asker != want[1] {
			t.Errorf("%q is called %s, and asks as %s", kind, says, asker)
		}
	}
}
