package notifying

import (
	"encoding/json"
	"maps"
	"testing"
)

func read(t *testing.T, text string) Settings {
	t.Helper()
	s := Default()
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSettingsOfEarlierVersionsMeanWhatTheyMeant, each switch of theirs.
func TestSettingsOfEarlierVersionsMeanWhatTheyMeant(t *testing.T) {
	fresh := read(t, `{"questions":true,"failures":true,"finished":true,"silent":false,"sounds":true,"chime":"","quietFrom":60,"quietTo":120}`)
	if !maps.Equal(fresh.Tell, Default().Tell) || fresh.QuietFrom != 60 || fresh.QuietTo != 120 {
		t.Errorf("what a fresh install had is %+v", fresh)
	}
	off := read(t, `{"questions":false,"failures":false,"finished":false,"silent":true,"sounds":true,"chime":"bell"}`)
	want := map[Kind]How{Question: Nothing, Permission: Nothing, Plan: Nothing, Budget: Nothing, Review: Nothing, Failed: Nothing, Quiet: Banner}
	if !maps.Equal(off.Tell, want) || off.Chime != "bell" {
		t.Errorf("switched off: %+v", off)
	}
	still := read(t, `{"questions":true,"failures":true,"sounds":false,"chime":""}`)
	if still.How(Question) != Banner || still.How(Failed) != Banner {
		t.Errorf("without sounds: %+v", still)
	}
	chime := read(t, `{"questions":true,"failures":true,"sounds":false,"chime":"knock"}`)
	if chime.How(Question) != Both || chime.How(Failed) != Banner {
		t.Errorf("with the page's sound: %+v", chime)
	}
}

func TestKindsOfOtherVersionsAreKeptAndChangeNothing(t *testing.T) {
	s := read(t, `{"tell":{"question":"hologram","weather":"both","plan":"nothing"}}`)
	if s.How(Question) != Both || s.How(Plan) != Nothing || s.How(Failed) != Both {
		t.Errorf("told: %q %q %q", s.How(Question), s.How(Plan), s.How(Failed))
	}
	if s.Tell["weather"] != "both" {
		t.Errorf("kept: %+v", s.Tell)
	}
}
