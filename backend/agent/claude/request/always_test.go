package request

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// TestAlwaysIsSaidInWordsOrNotOffered: nobody agrees to what they cannot read.
func TestAlwaysIsSaidInWordsOrNotOffered(t *testing.T) {
	rule := `{"type":"addRules","behavior":"allow","rules":[{"toolName":"Bash","ruleContent":"npm test:*"}],"destination":"localSettings"}`
	for _, c := range []struct {
		suggestions []string
		want        string
	}{
		{nil, ""},
		{[]string{rule}, "Bash(npm test:*)"},
		{[]string{`{"type":"addRules","behavior":"allow","rules":[{"toolName":"Read"}]}`}, "Read"},
		{
			[]string{`{"type":"addDirectories","directories":["/srv"],"destination":"session"}`, rule},
			"/srv; Bash(npm test:*)",
		},
		{[]string{`{"type":"setMode","mode":"acceptEdits","destination":"session"}`}, "acceptEdits"},
		{[]string{rule, `{"type":"setMode","mode":"acceptEdits"}`}, "Bash(npm test:*)"},
		{[]string{rule, `{"type":"setMode","mode":"bypassPermissions"}`}, "Bash(npm test:*)"},
		{[]string{`{"type":"setMode","mode":"bypassPermissions"}`}, ""},
		{[]string{`{"type":"removeRules","behavior":"deny","rules":[]}`}, ""},
		{[]string{`no json`}, ""},
	} {
		raw := make([]json.RawMessage, 0, len(c.suggestions))
		for _, s := range c.suggestions {
			raw = append(raw, json.RawMessage(s))
		}
		if got := alwaysWords(raw, ""); got != c.want {
			t.Errorf("%v: %q, want %q", c.suggestions, got, c.want)
		}
	}
}

// TestAlwaysOfACommandLeavesTheModeAlone: the CLI suggests to accept all edits besides.
func TestAlwaysOfACommandLeavesTheModeAlone(t *testing.T) {
	req := claude.Request{
		ToolName: "Bash", Input: json.RawMessage(`{"command":"npm test"}`),
		Suggestions: []json.RawMessage{
			json.RawMessage(`{"type":"addRules","behavior":"allow","rules":[{"toolName":"Bash","ruleContent":"npm test:*"}],"destination":"localSettings"}`),
			json.RawMessage(`{"type":"setMode","mode":"acceptEdits","destination":"session"}`),
		},
	}
	q := beckon.Question{
		Kind: beckon.Permission, Settlement: beckon.Answered,
		Answer: &beckon.Answer{Verdict: beckon.AllowAlways},
	}
	decided, err := Decide(req, q, beckon.ModeDefault)
	allow, is := decided.(claude.Allow)
	if err != nil || !is || len(allow.UpdatedPermissions) != 1 ||
		!strings.Contains(string(allow.UpdatedPermissions[0]), "npm test:*") {
		t.Errorf("%s, %v", allow.UpdatedPermissions, err)
	}
}

func TestAlwaysNeverWritesIntoTheWorktree(t *testing.T) {
	kept := inSession([]json.RawMessage{json.RawMessage(`{"type":"addRules","rules":[],"destination":"localSettings"}`)})
	p, err := claude.DecodePermission(kept[0])
	if err != nil || p.Destination != "session" {
		t.Errorf("kept in %q, %v; want the session", p.Destination, err)
	}
}

// TestAlwaysAllowsTheCommandThatIsShownAndNoOther: a star or a parenthesis that
// the agent wrote into its command makes no wider rule of it.
func TestAlwaysAllowsTheCommandThatIsShownAndNoOther(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ command, content, always, lasting string }{
		{"make test", "make test *", "Bash(make test *)", "Bash(make test *)"},
		{`make "a, (b)"`, `make "a, (b)"`, `Bash(make "a, \(b\)")`, `Bash(make "a, \(b\)")`},
		{
			"touch /w/y #),Bash(make", "touch /w/y #),Bash(make", `Bash(touch /w/y #\),Bash\(make)`,
			`Bash(touch /w/y #\),Bash\(make)`,
		},
		{"touch /w/y #),Bash(*", "touch /w/y #),Bash(*", "", ""},
		{"bash *", "bash *", "", ""},
		{"*", "*", "", ""},
		{"make && bash *", "bash *", "", ""},
		{"python :*", "python :*", "", ""},
		{"* #\nls", "* # *", "", ""},
	} {
		raw, err := json.Marshal(claude.Permission{
			Type: "addRules", Behavior: "allow",
			Rules: []claude.Rule{{Tool: "Bash", Content: c.content}},
		})
		if err != nil {
			t.Fatal(err)
		}
		input, _ := json.Marshal(map[string]string{"command": c.command})
		p := describePermission(claude.Request{ToolName: "Bash", Input: input, Suggestions: []json.RawMessage{raw}})
		if p.Always != c.always ||
			!slices.Equal(p.Lasting, slices.DeleteFunc([]string{c.lasting}, func(s string) bool { return s == "" })) {
			t.Errorf("%q: always %q, lasting %q; want %q and %q", c.command, p.Always, p.Lasting, c.always, c.lasting)
		}
	}
}
