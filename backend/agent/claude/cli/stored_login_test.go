package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
)

// TestASignInIsSeenWithoutTheCLI: a host is looked at often, and the CLI takes seconds to
// begin.
func TestASignInIsSeenWithoutTheCLI(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "darwin" {
		t.Skip("a keychain has it there")
	}
	in, out, unknown := claude.Login{Known: true, SignedIn: true}, claude.Login{Known: true}, claude.Login{}
	for name, one := range map[string]struct {
		files map[string]string
		env   []string
		want  claude.Login
	}{
		"nothing":            {nil, nil, out},
		"a key":              {nil, []string{"ANTHROPIC_API_KEY=sk"}, in},
		"a token":            {nil, []string{"CLAUDE_CODE_OAUTH_TOKEN=tok"}, in},
		"a key that is none": {nil, []string{"ANTHROPIC_API_KEY=sk", "ANTHROPIC_API_KEY="}, out},
		"a login":            {map[string]string{".claude/.credentials.json": `{"claudeAiOauth":{"accessToken":"x"}}`}, nil, in},
		"logins of servers":  {map[string]string{".claude/.credentials.json": `{"mcpOAuth":{}}`}, nil, out},
		"a login elsewhere": {
			map[string]string{"mine/.credentials.json": `{"claudeAiOauth":{"accessToken":"x"}}`},
			[]string{"CLAUDE_CONFIG_DIR=mine"},
			in,
		},
		"a login that another folder hides": {
			map[string]string{".claude/.credentials.json": `{"claudeAiOauth":{"accessToken":"x"}}`},
			[]string{"CLAUDE_CONFIG_DIR=mine"},
			out,
		},
		"a key of the console": {map[string]string{".claude.json": `{"primaryApiKey":"sk","projects":{}}`}, nil, in},
		"a helper":             {map[string]string{".claude/settings.json": `{"apiKeyHelper":"pass claude"}`}, nil, unknown},
		"a cloud":              {nil, []string{"CLAUDE_CODE_USE_BEDROCK=1"}, unknown},
		"a broken file":        {map[string]string{".claude/.credentials.json": `{`}, nil, unknown},
		"a folder for a file":  {map[string]string{".claude/.credentials.json/x": ``}, nil, unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			for file, text := range one.files {
				file = filepath.Join(home, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			env := append([]string{"HOME=" + home}, one.env...)
			for i, pair := range env {
				if pair == "CLAUDE_CONFIG_DIR=mine" {
					env[i] = "CLAUDE_CONFIG_DIR=" + filepath.Join(home, "mine")
				}
			}
			if got := cli.StoredLogin(env); got != one.want {
				t.Errorf("it is %+v, want %+v", got, one.want)
			}
		})
	}
}
