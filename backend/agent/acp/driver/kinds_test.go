package driver

import (
	"strings"
	"testing"

	"beckon/backend/agent"
)

// TestCodexWaitsForAnAnswer: it gives up a tool after five minutes, unless its configuration
// says otherwise. Its token is in none.
func TestCodexWaitsForAnAnswer(t *testing.T) {
	t.Parallel()
	env := codexServer(agent.ToolServer{Name: "beckon", URL: "http://localhost:1/mcp", Token: "secret"})
	config := env[0]
	for _, want := range []string{`"url":"http://localhost:1/mcp"`, `"bearer_token_env_var":"BECKON_TOKEN"`, `"tool_timeout_sec":2073600`} {
		if !strings.HasPrefix(config, "CODEX_CONFIG=") || !strings.Contains(config, want) {
			t.Errorf("its configuration %s lacks %s", config, want)
		}
	}
	if strings.Contains(config, "secret") || env[1] != "BECKON_TOKEN=secret" {
		t.Errorf("it has %q", env)
	}
	k, _ := new(Driver).kindNamed("codex")
	if given := (&session{kind: k}).servers(capabilities{}); len(given) != 0 {
		t.Errorf("it gets the server twice: %v", given)
	}
}

// TestEachKindSaysWhatThePageShows: the settings have a line of each, and no two look alike.
func TestEachKindSaysWhatThePageShows(t *testing.T) {
	t.Parallel()
	signs := map[string]bool{"Cl": true} // Claude's
	for _, k := range new(Driver).Kinds() {
		if k.Name == "" || k.Label == "" || len(k.Sign) != 2 || signs[k.Sign] || k.Program == "" || k.SignIn == "" || k.Install == "" || k.Asks == "" {
			t.Errorf("%s: %+v", k.Name, k)
		}
		signs[k.Sign] = true
	}
}

func TestASignIsTwoLetters(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{"My agent": "My", "x": "Ag", "": "Ag", "1-élan": "Él"} {
		if got := sign(label); got != want {
			t.Errorf("%q has the sign %q, want %q", label, got, want)
		}
	}
}
