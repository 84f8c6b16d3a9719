package real

import (
	"testing"

	"beckon/backend/agent/claude"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestTheCLISaysWhoIsSignedInWithoutANetwork: a key of the environment counts, and
// nobody is taken for signed in without one.
func TestTheCLISaysWhoIsSignedInWithoutANetwork(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		env []string
		who claude.Login
	}{
		"with a key": {nil, claude.Login{Known: true, SignedIn: true}},
		"signed out": {[]string{"ANTHROPIC_API_KEY=", "CLAUDE_CODE_OAUTH_TOKEN=", "ANTHROPIC_AUTH_TOKEN="}, claude.Login{Known: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fixture.NewWithEnv(t, want.env)
			if got := client.Must[claude.Login](s.Program, "Account"); got != want.who {
				t.Errorf("the CLI says %+v, want %+v", got, want.who)
			}
		})
	}
}
