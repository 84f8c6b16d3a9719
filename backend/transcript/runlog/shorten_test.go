package runlog

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHugeStringsAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for name, unit := range map[string]string{
		"ASCII": "a", "two bytes": "é", "emoji": "🙂", "escapes": "\n", "quotes": `say \"no\" \\`,
		"control": "\x01", "lines": "one line\n", "backslashes": `\`,
	} {
		for shift := range 4 {
			text := strings.Repeat("s", shift) + strings.Repeat(unit, Large/len(unit)+1)
			raw, err := json.Marshal(map[string]string{"type": "t", "text": text, "after": "kept"})
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]string
			if err := json.Unmarshal(ShortenLine(raw), &got); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			kept, left := Split(got["text"])
			switch {
			case got["after"] != "kept" || got["type"] != "t":
				t.Errorf("%s: other strings were changed", name)
			case !strings.HasPrefix(text, kept) || !utf8.ValidString(kept) || len(kept) < Kept/6:
				t.Errorf("%s: %d bytes were kept, not as they were", name, len(kept))
			case left.Bytes != len(text)-len(kept) && name != "control":
				t.Errorf("%s: %d bytes are said to be left out, %d are", name, left.Bytes, len(text)-len(kept))
			}
		}
	}
}

// However a line comes, as much of it is kept, and the same said of the rest.
func TestPiecesAreCutAsTheWholeLine(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"lines":        `{"type":"t","text":"` + strings.Repeat(`a \"line\" of words\n`, Large/20) + `","more":["short","` + strings.Repeat(`\u00e9`, Large/6) + `"]}`,
		"backslashes":  `{"text":"` + strings.Repeat(`\\`, Large/2+1) + `"}`,
		"no end":       `{"text":"` + strings.Repeat(`é\n`, Large/4),
		"in an escape": `{"text":"` + strings.Repeat("x", 2*Large) + `\`,
		"no string":    strings.Repeat("[", 2*Large),
		"just kept":    `{"text":"` + strings.Repeat("x", Kept+1<<10) + `","other":"` + strings.Repeat("x", Kept+1<<10+1) + `"}` + strings.Repeat(" ", Large),
	} {
		whole := string(ShortenLine([]byte(line)))
		for _, size := range []int{1, 7, 4096, Kept + 1<<10, len(line)} {
			c := ShortenTo(nil)
			for piece := range slices.Chunk([]byte(line), size) {
				c.TakePiece(piece)
			}
			if got := string(c.End()); got != whole {
				t.Errorf("%s, by %d bytes: %d bytes are kept of the %d that are kept of all at once", name, size, len(got), len(whole))
			}
		}
	}
}

func TestLinesOfOrdinarySizeAreLeftAlone(t *testing.T) {
	t.Parallel()
	line := []byte(`{"text":"` + strings.Repeat("x", Large-20) + `"}`)
	if got := ShortenLine(line); &got[0] != &line[0] || len(got) != len(line) {
		t.Error("changed")
	}
}

func TestLineCountOfAHugeTextIsExact(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"", "\n"} {
		for pad := range 3 {
			text := strings.Repeat("0123456789\n", 50_000) + strings.Repeat("x", pad) + end
			raw, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if err := json.Unmarshal(ShortenLine(raw), &got); err != nil {
				t.Fatal(err)
			}
			kept, more := ShortenLines(got)
			want := len(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
			if lines := strings.Count(strings.TrimSuffix(kept, "\n"), "\n") + 1; lines+more != want {
				t.Errorf("%d and %d lines, want %d", lines, more, want)
			}
		}
	}
}
