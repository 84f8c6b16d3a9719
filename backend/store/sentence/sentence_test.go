package sentence

import (
	"testing"

	"beckon/backend/beckon/reason"
)

// TestEverySentenceThatWasHasAMessage: what an earlier Beckon kept is said in the user's language.
func TestEverySentenceThatWasHasAMessage(t *testing.T) {
	t.Parallel()
	for _, s := range read(book) {
		if said := (&reason.Reason{Code: s.code}).String(); said == string(s.code) {
			t.Errorf("nothing says %s", s.code)
		}
	}
}
