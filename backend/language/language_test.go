package language

import "testing"

func TestTheLanguageIsTheUsersThenTheSystems(t *testing.T) {
	for _, c := range [][3]string{
		{"de", "en_US.UTF-8", "de"},
		{"", "de_AT.UTF-8", "de"},
		{"", "de-CH", "de"},
		{"", "C.UTF-8", "en"},
		{"", "", "en"},
		{"en", "de_DE", "en"},
	} {
		if got := choose(c[0], c[1]); got != c[2] {
			t.Errorf("wish %q, system %q: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
