package driver

import (
	"strings"
	"testing"
)

// TestAMessageThatEndsWithAQuestionIsKnown, and no other: a task that waits for nobody stays.
func TestAMessageThatEndsWithAQuestionIsKnown(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 1000)
	for message, want := range map[string]string{
		"Which greeting do you want?":                       "Which greeting do you want?",
		"Two exports read it.\n\nDrop the column?\n":        "Two exports read it.\n\nDrop the column?",
		"I looked. **Should I drop it?**":                   "I looked. **Should I drop it?**",
		"Soll die Spalte weg? (Sie wird gelesen?)":          "Soll die Spalte weg? (Sie wird gelesen?)",
		"どちらにしますか？":                                         "どちらにしますか？",
		long + "\n\nWhich?":                                 "Which?",
		"All done.":                                         "",
		"Why not? I did it.":                                "",
		"Done. Is there anything else I can help you with?": "",
		"Done. How does that look?":                         "",
		"It prints:\n```\nReally?":                          "",
		"The file says:\n> To be or not to be?":             "",
		"Which? Tell me.":                                   "",
		"":                                                  "",
		"?? no":                                             "",
	} {
		if got := questionIn(message); got != want {
			t.Errorf("%.60q asks %.60q, want %q", message, got, want)
		}
	}
}
