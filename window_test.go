package main

import (
	"testing"

	"beckon/backend/language"
	"beckon/backend/program"
)

// TestWhatIsShownWithoutAPageIsInTheUsersLanguage: why Beckon did not start, and on
// Windows what its window needs, for which Wails has texts of its own.
func TestWhatIsShownWithoutAPageIsInTheUsersLanguage(t *testing.T) {
	t.Parallel()
	met := map[string]string{}
	for _, l := range language.All {
		texts, err := program.ReadStartTexts(build().Messages, l)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{texts.DidNotStart, texts.Missing, texts.Download, texts.Ended} {
			if other, again := met[text]; again || text == "" {
				t.Errorf("%s says %q, as does %q", l, text, other)
			}
			met[text] = l
		}
	}
}
