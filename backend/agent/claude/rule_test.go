package claude_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"

	"github.com/google/go-cmp/cmp"
)

// TestARuleIsReadAsItWasWritten, whatever a command has in it.
func TestARuleIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"", "make test", "npm run *", `echo "a, b"`, `find . \( -name x \)`, "f() { ls; }", `a\`, `\\(`, ")(",
		"touch x #),Bash(*", "a ) Bash(b",
	} {
		r := claude.Rule{Tool: "Bash", Content: content}
		got, err := claude.ParseRule(r.String())
		if err != nil || got != r {
			t.Errorf("%q is written %q and read %+v, %v", content, r, got, err)
		}
	}
	for text, content := range map[string]string{
		"Bash(make test)": "make test", "Bash(f(a, (b)))": "f(a, (b))", `Bash(a\.b)`: `a\.b`, "mcp__beckon__ask_user": "",
		"Read(//etc/**)": "//etc/**",
	} {
		if r, err := claude.ParseRule(text); err != nil || r.Content != content {
			t.Errorf("%s is read %+v, %v", text, r, err)
		}
	}
}

func TestNoRuleHoldsASecondOne(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "Bash(a),Bash(*)", "Bash(x) Bash(y)", "Bash,Read", "Bash Read", "Bash(touch x #),Bash(*)", "Bash(a",
		"Bash a)", "Bash(a))", "Bash(a) ",
		`Bash(a\)`, "Bash()", "--dangerously-skip-permissions", "Bash(a\nb)", "Bash(a\x00)", "Bash(ls\u202e)", "(a)", "1(a)",
	} {
		if r, err := claude.ParseRule(text); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%q is read %+v, %v", text, r, err)
		}
	}
}

// FuzzParseRule: whatever is taken for a rule is one to the CLI, too, which
// ends it at the last parenthesis without a backslash.
func FuzzParseRule(f *testing.F) {
	for _, s := range []string{"Bash(a)", "Bash(a),Bash(*)", `Bash(a\\)`, `Bash(\(\))`, "Bash((a))"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := claude.ParseRule(text)
		if err != nil {
			return
		}
		if again, err := claude.ParseRule(r.String()); err != nil || again != r {
			t.Errorf("%q is read %+v, and written again %+v, %v", text, r, again, err)
		}
		if r.Content != "" && (!strings.HasPrefix(text, r.Tool+"(") || !strings.HasSuffix(text, ")")) {
			t.Errorf("%q is read %+v", text, r)
		}
	})
}

// TestRulesAreWrittenAsAList, so that no comma divides one.
func TestRulesAreWrittenAsAList(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	rules := []string{"mcp__beckon", `Bash(make "a, b")`, "Bash(a),Bash(*)"}
	if err := claude.WriteAllowed(path, rules); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Permissions struct{ Allow []string }
		Env         map[string]string
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rules, got.Permissions.Allow); d != "" {
		t.Error(d)
	}
	if len(got.Env) != len(claude.Waits) || got.Env["MCP_TOOL_TIMEOUT"] != "2000000000" {
		t.Errorf("a limit of the user's or the repository's would end waits: %v", got.Env)
	}
}
