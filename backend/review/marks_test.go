package review

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAnAnswerIsFoundHoweverTheAgentMarksIt: models write lists, headings, tables and
// emphasis around a mark, and text around the answers.
func TestAnAnswerIsFoundHoweverTheAgentMarksIt(t *testing.T) {
	t.Parallel()
	both := map[int]string{1: "Sorted first.", 2: "Added a case."}
	for name, c := range map[string]struct {
		text string
		want map[int]string
	}{
		"as it was asked":       {"All done.\n\nC1: Sorted first.\n\nC2: Added a case.", both},
		"bold":                  {"**C1**: Sorted first.\n**C2:** Added a case.", both},
		"list":                  {"- C1: Sorted first.\n- C2 — Added a case.", both},
		"numbered":              {"1. **C1** – Sorted first.\n2. **C2** – Added a case.", both},
		"headings":              {"### C1\n\nSorted first.\n\n### C2\n\nAdded a case.", both},
		"headings as sent":      {"### C1: `plan/ranges.go`, lines 63 to 65\n\nSorted first.\n\n### C2: `a.go`, line 4\nAdded a case.", both},
		"place behind":          {"C1 (`plan/ranges.go:63`): Sorted first.\nC2 `a.go:4` — Added a case.", both},
		"table":                 {"| Comment | Done |\n|---|---|\n| C1 | Sorted first. |\n| C2 | Added a case. |", both},
		"brackets":              {"[C1] Sorted first.\n(C2) Added a case.", both},
		"lower case":            {"c1: Sorted first.\nc2: Added a case.", both},
		"quoted":                {"> C1: Sorted first.\n> C2: Added a case.", both},
		"two at once":           {"C1, C2: Both fixed.", map[int]string{1: "Both fixed.", 2: "Both fixed."}},
		"two with and":          {"**C1** and **C2**: Both fixed.", map[int]string{1: "Both fixed.", 2: "Both fixed."}},
		"several lines":         {"C1: Sorted first.\n\nIt costs nothing.\n\nC2: Added a case.", map[int]string{1: "Sorted first.\n\nIt costs nothing.", 2: "Added a case."}},
		"ends at a heading":     {"C2: Added a case.\n\n## Summary\nAll tests pass.", map[int]string{2: "Added a case."}},
		"ends at a rule":        {"C2: Added a case.\n\n---\nAll tests pass.", map[int]string{2: "Added a case."}},
		"code in an answer":     {"C1: Like this:\n```go\nC2: x()\n```\nC2: Added a case.", map[int]string{1: "Like this:\n```go\nC2: x()\n```", 2: "Added a case."}},
		"marks of others":       {"C7: nothing\nC1: Sorted first.", map[int]string{1: "Sorted first."}},
		"in the middle of it":   {"I looked at C1 and C2.", map[int]string{}},
		"part of a word":        {"C1's lines are fine. C12: no.\nC11: no.", map[int]string{}},
		"nothing behind it":     {"C1:\n\nC2:", map[int]string{}},
		"nothing at all":        {"", map[int]string{}},
		"carriage returns":      {"C1: Sorted first.\r\nC2: Added a case.\r\n", both},
		"an unclosed code":      {"```\nC1: Sorted first.", map[int]string{}},
		"a number out of range": {"C99999999999: x", map[int]string{}},
	} {
		if diff := cmp.Diff(c.want, marked(c.text, []int{1, 2})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func FuzzMarked(f *testing.F) {
	f.Add("**C1** and `C2`: x\n```\nC1")
	f.Fuzz(func(t *testing.T, text string) {
		for n, answer := range marked(text, []int{1, 2}) {
			if n != 1 && n != 2 || answer == "" || len(answer) > answerMost {
				t.Errorf("%q answers C%d with %q", text, n, answer)
			}
		}
	})
}
