package view

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"beckon/backend/channel/telegram/api"
)

// both calls f with each word and its German.
func both(f func(name, en, de string)) {
	en, de := reflect.ValueOf(english), reflect.ValueOf(german)
	for i := range en.NumField() {
		f(en.Type().Field(i).Name, en.Field(i).String(), de.Field(i).String())
	}
}

func TestBothLanguagesSayEverything(t *testing.T) {
	t.Parallel()
	verb := regexp.MustCompile(`%[a-z]`)
	command := regexp.MustCompile(`/[a-z]+`)
	both(func(name, en, de string) {
		if en == "" || de == "" {
			t.Errorf("%s: %q, %q", name, en, de)
		}
		if !slices.Equal(verb.FindAllString(en, -1), verb.FindAllString(de, -1)) {
			t.Errorf("%s has other gaps: %q, %q", name, en, de)
		}
		if !slices.Equal(command.FindAllString(en, -1), command.FindAllString(de, -1)) {
			t.Errorf("%s has other commands: %q, %q", name, en, de)
		}
		if strings.Contains(en+de, "Claude") {
			t.Errorf("%s says Claude of every agent: %q, %q", name, en, de)
		}
		if api.Units(de) > 200 && name != "Help" && name != "Welcome" {
			t.Errorf("%s is too long for a toast", name)
		}
	})
}

func TestALanguageWithoutWordsIsEnglish(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"de": "Fertig", "de-AT": "Fertig", "en": "Done", "fr": "Done", "": "Done", "DE": "Fertig"} {
		if got := NewWords(language).Done; got != want {
			t.Errorf("In(%q) says %q", language, got)
		}
	}
}

func TestNoWordIsUnused(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	for _, dir := range []string{".", ".."} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if b := filepath.Base(f); b == "words.go" || strings.HasSuffix(b, "_test.go") {
				continue
			}
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(src)
		}
	}
	both(func(name, _, _ string) {
		if !regexp.MustCompile(`\.` + name + `\b`).MatchString(code.String()) {
			t.Errorf("%s is said nowhere", name)
		}
	})
}
