package plain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWhatIsShownIsOneLineWithNothingHidden(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"  two\n lines\t":   "two lines",
		"a\x1b[31mred\x00":  "a[31mred",
		"file\u202egnp.exe": "filegnp.exe",
		"zero\u200bwidth":   "zerowidth",
		"👩\u200d💻 stays":    "👩\u200d💻 stays",
		"bad \xff byte":     "bad byte",
		"":                  "",
	} {
		if got := Line(in, 100); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestACutFallsBetweenTwoCharacters(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("größer ", 20)
	for size := 3; size < len(text)+3; size++ {
		got := Cut(text, size)
		switch {
		case !utf8.ValidString(got):
			t.Fatalf("at %d bytes a character is torn: %q", size, got)
		case len(got) > size:
			t.Fatalf("%d bytes of at most %d", len(got), size)
		case len(text) <= size && got != text:
			t.Fatalf("what fits is changed: %q", got)
		}
	}
}

func TestStandingAnswersCompareQuestionsAsPeopleDo(t *testing.T) {
	t.Parallel()
	if a, b := Normal("Which  Database? "), Normal("which database"); a != b {
		t.Errorf("%q and %q differ", a, b)
	}
	if Normal("Which database?") == Normal("Which databases?") {
		t.Error("two questions are taken for one")
	}
}
