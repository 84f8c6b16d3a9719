package dialog

import (
	"strings"
	"unicode"
)

// sheet takes texts off the lines that a screen has of them. It reads line by line,
// so that a line that ends is not taken for one that goes on, unless it is wrapped:
// where a wrapped line goes on, a screen shows the same as where the text has
// another line.
type sheet struct {
	lines   []string // that were not read yet, without their indent
	columns int      // that the terminal has for a line
	wrapped bool     // a line was
}

// text takes all lines of a text, which is so far from the left edge.
func (s *sheet) text(text string, indent int) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if !s.line(tabbed(line, indent)) {
			return false
		}
	}
	return true
}

// line takes one line, which is wrapped only where its next word has no room.
func (s *sheet) line(line string) bool {
	rest := strings.TrimRight(shownAs(line), " ")
	for first := true; len(s.lines) > 0; first = false {
		drawn := s.lines[0]
		s.lines = s.lines[1:]
		if !first {
			drawn = strings.TrimLeft(drawn, " ")
		}
		if drawn == rest {
			return true
		}
		more, begins := strings.CutPrefix(rest, drawn)
		if !begins || drawn == "" || !s.full(drawn, more) {
			return false
		}
		rest, s.wrapped = strings.TrimLeft(more, " "), true
	}
	return false
}

// full reports whether the next word has no room after what a line has. A long
// word is broken where the line is full.
func (s *sheet) full(drawn, more string) bool {
	gap := indent(more)
	if gap == 0 {
		return runes(drawn) >= s.columns
	}
	word, _, _ := strings.Cut(more[gap:], " ")
	return runes(drawn)+gap+runes(word) > s.columns
}

// runes counts what takes at least a column.
func runes(text string) (n int) {
	for _, r := range text {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

// shownAs is a text as tmux has it, which drops what only changes how a letter looks.
func shownAs(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xFE00 && r <= 0xFE0F || r >= 0x1F3FB && r <= 0x1F3FF {
			return -1
		}
		return r
	}, text)
}

// tabbed draws the tabs of a line as a terminal does, for a line that is so far
// from the left edge.
func tabbed(line string, indent int) string {
	var out strings.Builder
	at := indent
	for _, r := range line {
		if r != '\t' {
			out.WriteRune(r)
			at++
			continue
		}
		for n := 8 - at%8; n > 0; n-- {
			out.WriteByte(' ')
			at++
		}
	}
	return out.String()
}

// invisible reports whether a text has what a screen does not show: other control
// characters than tabs and line ends, and marks that are drawn as nothing.
func invisible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r != '\t' && r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
	})
}

// indent is how far a line is from the left edge; an empty one has none.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
