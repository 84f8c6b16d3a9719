package problem

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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

// TestThePageTranslatesReasonsThatBeckonWrites: the page knows them by their
// English, so one that is changed here must be changed there.
func TestThePageTranslatesReasonsThatBeckonWrites(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../frontend/messages/en/reasons.json")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	if err := json.Unmarshal(text, &reasons); err != nil {
		t.Fatal(err)
	}
	written := sources(t, "../..")
	holes := regexp.MustCompile(`\{\w+\}`)
	for name, sentence := range reasons {
		for _, part := range holes.Split(sentence, -1) {
			if !strings.Contains(written, strings.ToLower(strings.TrimSpace(part))) {
				t.Errorf("nothing in Go says %q of reasons.%s", part, name)
			}
		}
	}
}

// sources returns the Go sources below dir without tests, in small letters,
// with literals that go over several lines joined.
func sources(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		all.Write(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	joined := regexp.MustCompile(`"\s*\+\s*"`).ReplaceAllString(all.String(), "")
	return strings.ToLower(joined)
}
