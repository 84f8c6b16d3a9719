package dialog

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// reasons are those that the source declares.
func reasons(t *testing.T) (all []string) {
	t.Helper()
	source, err := os.ReadFile("refusal.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ +Reason = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		all = append(all, m[1])
	}
	return all
}

// TestEveryRefusalIsSaidInTheUsersLanguage: what happened, that the answer is
// kept, and what to do; npm run check:messages holds the other languages to
// English.
func TestEveryRefusalIsSaidInTheUsersLanguage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../frontend/messages/en/errors.json")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	all := reasons(t)
	if len(all) != len(sentences) {
		t.Errorf("%d reasons and %d sentences", len(all), len(sentences))
	}
	for _, reason := range all {
		if sentences[Reason(reason)] == "" || !strings.Contains(said[reason], "kept") {
			t.Errorf("%s: the log says %q, the page %q", reason, sentences[Reason(reason)], said[reason])
		}
		if f := beckon.FailureOf(Because(Reason(reason))); f.Problem != Reason(reason) || f.Code == "internal" {
			t.Errorf("%s reaches the page as %+v", reason, f)
		}
	}
	for name := range maps.Keys(said) {
		if strings.HasPrefix(name, "keys") && !slices.Contains(all, name) {
			t.Errorf("nothing says errors.%s", name)
		}
	}
}

// TestARefusalSaysWhetherTheQuestionIsStillOpen: the page takes a conflict for
// somebody who was quicker.
func TestARefusalSaysWhetherTheQuestionIsStillOpen(t *testing.T) {
	t.Parallel()
	for _, name := range reasons(t) {
		over := name == string(Answered) || name == string(Closed)
		if errors.Is(Because(Reason(name)), beckon.ErrConflict) != over {
			t.Errorf("%s: taken for answered %t, want %t", name, !over, over)
		}
	}
	f := beckon.FailureOf(&Refusal{Reason: Untested, Version: "9.9"})
	if f.Data["version"] != "9.9" || f.Data["tested"] == "" {
		t.Errorf("of another version the page gets %+v", f)
	}
}
