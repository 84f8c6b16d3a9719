package question

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

func TestLabelsShowWhatTheySay(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Keep it":                  "Keep it",
		"two\nlines\tand   spaces": "two lines and spaces",
		"\x1b[31mred\x1b[0m":       "[31mred[0m",
		"safe\u202etxt.exe":        "safetxt.exe",
		"\u2066iso\u2069late":      "isolate",
		"ze\u200bro\ufeff":         "zero",
		"family 👩\u200d👧":          "family 👩\u200d👧",
		"bad\xffbyte":              "badbyte",
		"line\u2028separator":      "line separator",
	} {
		if got := plain.Line(in, beckon.MaxOptionLabel); got != want {
			t.Errorf("plain.Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := cleanText(" a\r\n\tb\x00 ", 100); got != "a\n\tb" {
		t.Errorf("text keeps lines and tabs alone: %q", got)
	}
}

// TestAlwaysShowsAllThatItAllows: what cannot be seen is written out, and what
// is too long to be read is not offered.
func TestAlwaysShowsAllThatItAllows(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"Bash(make test *)": "Bash(make test *)", "Bash(ls\u202e)": `Bash(ls\u202e)`, "Bash(a\u200db\ufe0f\u3164)": `Bash(a\u200db\ufe0f\u3164)`,
		"Bash(a\nb\tc)": `Bash(a\u000ab\u0009c)`, "Bash(" + strings.Repeat("x", maxDescription) + ")": "",
	} {
		w := permission(beckon.PermissionRequest{Tool: "Bash", Always: rule, Lasting: []string{rule}})
		if w.Always != want {
			t.Errorf("%.40q is shown as %.60q, want %q", rule, w.Always, want)
		}
		if lasts := len(w.Lasting) == 1; lasts != (want == rule) {
			t.Errorf("%.40q lasts: %v", rule, lasts)
		}
	}
	if w := permission(beckon.PermissionRequest{Command: "rm\u200d a\n"}); w.Command != `rm\u200d a`+"\n" {
		t.Errorf("the command is shown as %q", w.Command)
	}
}

func TestNoTextGrowsWithoutEnd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 1<<20)
	q := cleanQuestion(beckon.Question{
		Agent: long, Plan: long,
		Items: []beckon.QuestionItem{{Header: long, Text: long, Options: []beckon.Option{{ID: long, Label: long, Description: long, Preview: long}}}},
		Permission: &beckon.PermissionRequest{
			Tool: long, Description: long, Command: long, Path: long, Diff: long, Input: long, Always: long,
		},
	})
	i, o, w := q.Items[0], q.Items[0].Options[0], q.Permission
	for _, c := range []struct {
		name, got string
		size      int
	}{
		{"agent", q.Agent, beckon.MaxOptionLabel},
		{"plan", q.Plan, beckon.MaxBrief},
		{"header", i.Header, maxHeader},
		{"text", i.Text, beckon.MaxQuestionText},
		{"id", o.ID, beckon.MaxOptionLabel},
		{"label", o.Label, beckon.MaxOptionLabel},
		{"description", o.Description, maxDescription},
		{"preview", o.Preview, beckon.MaxQuestionText},
		{"tool", w.Tool, beckon.MaxOptionLabel},
		{"description", w.Description, beckon.MaxQuestionText},
		{"command", w.Command, maxPermission},
		{"path", w.Path, maxPermission},
		{"diff", w.Diff, maxPatch},
		{"input", w.Input, maxPermission},
	} {
		if len(c.got) > c.size || !strings.HasSuffix(c.got, "…") || !utf8.ValidString(c.got) {
			t.Errorf("%s has %d bytes of at most %d, or is cut within a character", c.name, len(c.got), c.size)
		}
	}
}

// TestACommandHidesNothingFromTheOneWhoAllowsIt: what cannot be seen in a
// command is written out, not left out, since it would run all the same.
func TestACommandHidesNothingFromTheOneWhoAllowsIt(t *testing.T) {
	t.Parallel()
	input := "{\"command\":\"echo \u202e\u200b\U000e0041\"}"
	w := permission(beckon.PermissionRequest{Command: "echo \u202eabc\x1b", Input: input, Diff: "+a\n\t-b"})
	if want := `echo \u202eabc\u001b`; w.Command != want {
		t.Errorf("command is shown as %q, want %q", w.Command, want)
	}
	var was, is map[string]string
	if err := json.Unmarshal([]byte(input), &was); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(w.Input), &is); err != nil || is["command"] != was["command"] || w.Input == input {
		t.Errorf("input became %s (%v), which must mean the same and hide nothing", w.Input, err)
	}
	if w.Diff != "+a\n\t-b" {
		t.Errorf("a plain diff became %q", w.Diff)
	}
}

func TestCleaningLeavesTheCallersQuestionAlone(t *testing.T) {
	t.Parallel()
	options := []beckon.Option{{Label: "a\nb"}}
	wish := &beckon.PermissionRequest{Command: "\x1b"}
	q := cleanQuestion(beckon.Question{Items: []beckon.QuestionItem{{Options: options}, {}}, Permission: wish})
	if options[0].Label != "a\nb" || wish.Command != "\x1b" {
		t.Error("the caller's texts changed")
	}
	if q.Items[1].Options == nil {
		t.Error("a list is nil")
	}
}
