package api

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

func TestEntitiesAreWhereTheirWordsAre(t *testing.T) {
	t.Parallel()
	b := NewText(Max)
	b.Plain("😀 ", 10)
	b.Bold("größer", 100)
	b.Plain("\n", 1)
	left := b.Pre("diff", "-a\n+b\n+c\n", 100, 2)
	b.Link(" there", "https://example.org", 100)
	got := b.Text()
	units := utf16.Encode([]rune(got.Plain))
	want := []string{"größer", "-a\n+b", " there"}
	for n, e := range got.Entities {
		if s := string(utf16.Decode(units[e.Offset : e.Offset+e.Length])); s != want[n] {
			t.Errorf("entity %d is %q, want %q", n, s, want[n])
		}
	}
	if len(got.Entities) != 3 || left != 1 {
		t.Errorf("%+v, %d lines left", got.Entities, left)
	}
}

func TestACutSaysHowManyLinesAreLeftOut(t *testing.T) {
	t.Parallel()
	b := NewText(60)
	b.Prose(strings.Repeat("a line of text\n", 10)+"end", 60, func(n int) string { return fmt.Sprintf("… %d more lines", n) })
	if got, want := b.Text().Plain, "a line of text\na line of text\na line of text\n… 8 more lines"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b = NewText(20)
	b.Prose(strings.Repeat("x", 50), 20, func(int) string { return "more" })
	if got, want := b.Text().Plain, strings.Repeat("x", 19)+"…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestACutKeepsCharactersWhole(t *testing.T) {
	t.Parallel()
	family := "👩\u200d👩\u200d👧" // of eight units
	for units, want := range map[int]string{9: family + "…", 8: "…", 1: "…", 0: ""} {
		if got := Cut(family+family, units); got != want {
			t.Errorf("Cut to %d = %q, want %q", units, got, want)
		}
	}
	tower := "a" + strings.Repeat("\u0301", 500)
	if got := Cut(tower, 100); Units(got) != 100 || !utf8.ValidString(got) {
		t.Errorf("a tower of marks is cut to %d units", Units(got))
	}
}

func TestAnAgentsWordsCannotBePressedOrHidden(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"press /forget now":      "press /\u2060forget now",
		"/hold":                  "/\u2060hold",
		"in /etc/hosts and a/b":  "in /etc/hosts and a/b",
		"(/new x)":               "(/\u2060new x)",
		"a\x1b[31m\u202eb\u200b": "a[31mb",
		"bad \xff":               "bad ",
		"two\nlines\tand":        "two\nlines\tand",
	} {
		if got := Inert(in); got != want {
			t.Errorf("Inert(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAButtonsLabelIsOneShortLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"short":                 "short",
		"two\nlines":            "two lines",
		strings.Repeat("a", 41): strings.Repeat("a", 39) + "…",
		strings.Repeat("é", 40): strings.Repeat("é", 40),
		strings.Repeat("😀", 41): strings.Repeat("😀", 39) + "…",
		"":                      "",
	} {
		if got := Label(in, 40); got != want {
			t.Errorf("Label(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Label("a"+strings.Repeat("\u0301", 1000), 40); Units(got) > 80 {
		t.Errorf("a tower of marks has %d units", Units(got))
	}
}

var textAlphabet = []string{"a", "ß", " ", "\n", "\t", "😀", "👩\u200d👩\u200d👧", "e\u0301", "\u202e", "שלום", "\x00", "\xff", "/forget", "*_`[", "漢", "🇩🇪", "\u0301\u0301\u0301"}

func random(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(textAlphabet[r.IntN(len(textAlphabet))])
	}
	return b.String()
}

func TestWhateverIsComposedFitsAndItsEntitiesHold(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		limit := 1 + r.IntN(200)
		b := NewText(limit)
		for range r.IntN(8) {
			s, most := random(r, 60), r.IntN(100)
			switch r.IntN(5) {
			case 0:
				b.Plain(s, most)
			case 1:
				b.Bold(s, most)
			case 2:
				b.Code(s, most)
			case 3:
				b.Pre("go", s, most, r.IntN(5))
			case 4:
				b.Prose(s, most, func(n int) string { return fmt.Sprint("… ", n) })
			}
		}
		check(t, b.Text(), limit)
	}
}

func check(t *testing.T, got Text, limit int) {
	t.Helper()
	units := utf16.Encode([]rune(got.Plain))
	if len(units) > limit || !utf8.ValidString(got.Plain) || strings.TrimFunc(got.Plain, unicode.IsSpace) != got.Plain {
		t.Fatalf("%d units of %d: %q", len(units), limit, got.Plain)
	}
	last := 0
	for _, e := range got.Entities {
		end := e.Offset + e.Length
		if e.Offset < last || e.Length < 1 || end > len(units) {
			t.Fatalf("%+v of %d units", e, len(units))
		}
		for _, at := range []int{e.Offset, end} {
			if at < len(units) && units[at] >= 0xDC00 && units[at] < 0xE000 {
				t.Fatalf("%+v splits a character of %q", e, got.Plain)
			}
		}
		last = end
	}
}
