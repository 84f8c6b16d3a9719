package cli_test

import (
	"testing"

	"beckon/backend/agent/claude/cli"
)

// TestASignalIsCalledOne: the user reads why a run failed.
func TestASignalIsCalledOne(t *testing.T) {
	t.Parallel()
	for want, exit := range map[string]cli.Exit{
		"The agent was ended by the signal killed before its turn was over. Its work and session are kept.": {
			Code:   -1,
			Signal: "killed",
		},
		"The agent was ended by the signal killed: out of memory": {
			Code: -1, Signal: "killed",
			Stderr: "out of memory\n",
		},
		"The agent exited with code 2 before its turn was over. Its work and session are kept.": {Code: 2},
	} {
		if got := exit.Reason().String(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
