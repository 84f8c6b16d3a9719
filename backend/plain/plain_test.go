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

// TestWhatHidesIsShownAsItsCode: and what a terminal would obey is taken out.
func TestWhatHidesIsShownAsItsCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\n\ttext ü 語":                        "plain\n\ttext ü 語",
		"safe\u202Egnp.exe zero\u200Bwidth \u3164": "safe⟨U+202E⟩gnp.exe zero⟨U+200B⟩width ⟨U+3164⟩",
		"\u001b[31mred\u001b[0m \u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007": "red link",
		"\u001b]0;title without an end\nnext\u009b2J.":                                 "\nnext.",
		"one\r\ntwo\rthree\x00": "one\ntwo\nthree⟨U+0000⟩",
		"bad \xff\xfe bytes":    "bad \uFFFD bytes",
		"👩\u200d👩":              "👩\u200d👩",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
