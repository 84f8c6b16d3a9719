package problem

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestThePageHasASentenceForEveryProblem: npm run check:messages holds the
// other languages to English.
func TestThePageHasASentenceForEveryProblem(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../frontend/messages/en/errors.json")
	if err != nil {
		t.Fatal(err)
	}
	sentences := map[string]string{}
	if err := json.Unmarshal(text, &sentences); err != nil {
		t.Fatal(err)
	}
	// The codes that beckon.Code gives, and one of the page's own.
	known := []string{"not_found", "conflict", "invalid", "untrusted", "unavailable", "unmerged", "disk_full", "internal", "unauthorized"}
	for _, kind := range Kinds {
		known = append(known, string(kind))
	}
	for _, name := range known {
		if sentences[name] == "" {
			t.Errorf("there is no errors.%s", name)
		}
		delete(sentences, name)
	}
	for name := range sentences {
		if !strings.HasPrefix(name, "keys") { // those are package dialog's
			t.Errorf("nothing says errors.%s", name)
		}
	}
}
