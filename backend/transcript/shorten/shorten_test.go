package shorten

import (
	"encoding/json"
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
			if err := json.Unmarshal(Line(raw), &got); err != nil {
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

func TestLinesOfOrdinarySizeAreLeftAlone(t *testing.T) {
	t.Parallel()
	line := []byte(`{"text":"` + strings.Repeat("x", Large-20) + `"}`)
	if got := Line(line); &got[0] != &line[0] || len(got) != len(line) {
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
			if err := json.Unmarshal(Line(raw), &got); err != nil {
				t.Fatal(err)
			}
			kept, more := Lines(got)
			want := len(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
			if lines := strings.Count(strings.TrimSuffix(kept, "\n"), "\n") + 1; lines+more != want {
				t.Errorf("%d and %d lines, want %d", lines, more, want)
			}
		}
	}
}
