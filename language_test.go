package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// plainer lists what reads as a riddle or is not present-day English, with
// what to write instead.
var plainer = map[string]string{
	"can not":          "cannot",
	"anew":             "again",
	"whoever":          "name who it is",
	"lest":             "so that ... not",
	"is told":          "gets, reads or hears",
	"are told":         "get, read or hear",
	"to be had":        "available",
	"in so many words": "plainly",
	"what of":          "which part of, how much of",
	"tells whether":    "reports whether",
	"says whether":     "reports whether",
	"tell whether":     "report whether",
}

// TestTheWordsArePlain keeps comments, messages, errors and documents in
// English that a reader understands at first sight, also where a phrase goes
// over the end of a line.
func TestTheWordsArePlain(t *testing.T) {
	t.Parallel()
	gap := `[\s/*#]+(?:--\s*)?`
	phrases := strings.Join(slices.Collect(maps.Keys(plainer)), "|")
	said := regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(phrases, " ", gap) + `)\b`)
	gaps := regexp.MustCompile(gap)
	read := 0
	for path := range wordedFiles(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		read++
		for _, at := range said.FindAllIndex(src, -1) {
			line := 1 + bytes.Count(src[:at[0]], []byte("\n"))
			phrase := strings.ToLower(gaps.ReplaceAllString(string(src[at[0]:at[1]]), " "))
			t.Errorf("%s:%d: %q; write: %s", path, line, phrase, plainer[phrase])
		}
	}
	if read < 500 {
		t.Errorf("only %d files were read", read)
	}
}

// wordedFiles yields the sources, messages and documents that people wrote.
func wordedFiles(t *testing.T) func(yield func(string) bool) {
	t.Helper()
	kinds := []string{".go", ".ts", ".svelte", ".css", ".sql", ".md", ".sh", ".json"}
	// Not ours, generated, made by a run, or records of what the CLI said.
	notOurs := []string{".git", "node_modules", "dist", "wailsjs", "out", "bin", "testdata"}
	// A change log quotes what was; this file lists the phrases.
	except := []string{"CHANGELOG.md", "language_test.go", "package-lock.json"}
	return func(yield func(string) bool) {
		err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains(notOurs, d.Name()):
				return fs.SkipDir
			case d.IsDir() || !slices.Contains(kinds, filepath.Ext(path)) || slices.Contains(except, d.Name()):
				return nil
			case !yield(path):
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
