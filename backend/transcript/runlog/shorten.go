package runlog

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file cuts the long strings of huge JSON lines before they are
// decoded, and counts what it left out.
//
// A line of megabytes is nearly all in a few strings, of which a reader is shown
// the beginning. Cutting those first is twenty times faster than decoding them,
// and does not hold several copies. Small lines are left as they are. The
// package knows no message and no tool.

// Large is the size, in bytes, from which lines are cut.
const Large = 512 << 10

// Kept is how many bytes are kept of a long string.
const Kept = 128 << 10

// ShortenLine cuts the long strings of a large line. They end in a gap; see Split.
func ShortenLine(line []byte) []byte {
	if len(line) <= Large {
		return line
	}
	c := ShortenTo(make([]byte, 0, Kept+4<<10)) // most such lines have one long string
	c.TakePiece(line)
	return c.End()
}

// Cutter does it with a line that comes in pieces, and is never there whole.
type Cutter struct {
	out    []byte
	inside bool // a string, whose inside begins at start of out
	start  int
	long   bool  // more of it came than is kept
	seen   gauge // of the string; once it is long, of what is left out
}

// ShortenTo returns one that appends to out what is kept.
func ShortenTo(out []byte) *Cutter { return &Cutter{out: out} }

// TakePiece takes the next piece.
func (c *Cutter) TakePiece(piece []byte) {
	for len(piece) > 0 {
		if !c.inside {
			piece = piece[c.between(piece):]
			continue
		}
		n := c.seen.takeString(piece)
		c.keep(piece[:n])
		if piece = piece[n:]; len(piece) > 0 {
			c.close()
			c.out, piece = append(c.out, '"'), piece[1:]
		}
	}
}

// between takes what is there up to the next string, and returns how many bytes that is.
func (c *Cutter) between(piece []byte) int {
	n := bytes.IndexByte(piece, '"') + 1
	c.inside = n > 0
	if !c.inside {
		n = len(piece)
	}
	c.out = append(c.out, piece[:n]...)
	c.start, c.long, c.seen = len(c.out), false, gauge{}
	return n
}

// keep appends what comes of a string, up to where it becomes a long one.
func (c *Cutter) keep(s []byte) {
	if c.long {
		return
	}
	room := Kept + 1<<10 - (len(c.out) - c.start)
	if len(s) <= room {
		c.out = append(c.out, s...)
		return
	}
	c.out = append(c.out, s[:room]...)
	kept := c.start + cutPoint(c.out[c.start:], Kept)
	c.long, c.seen = true, gauge{}
	c.seen.takeString(c.out[kept:])
	c.seen.takeString(s[room:])
	c.out = c.out[:kept]
}

// close ends a string, with a gap if it is long.
func (c *Cutter) close() {
	if c.long {
		left := c.seen.gap()
		c.out = fmt.Appendf(c.out, "%s%d %d%s", gapMark, left.Bytes, left.Breaks, gapMark)
	}
	c.inside = false
}

// End returns what is kept of the line. A string without an end is cut as others are.
func (c *Cutter) End() []byte {
	if c.inside {
		c.close()
	}
	return c.out
}

// Gap is what was left out of the end of a string: bytes, as it is decoded, and
// line feeds, without one that ends the string.
type Gap struct{ Bytes, Breaks int }

// gapMark encloses a gap in a string. It is no character, so no text has it.
const gapMark = "\uFDD0"

// cutPoint is the last place up to most that divides neither an escape nor a
// character.
func cutPoint(s []byte, most int) int {
	for at := 0; ; {
		i := bytes.IndexByte(s[at:most], '\\')
		if i < 0 {
			break
		}
		if at += i; at+escapeLen(s[at:]) > most {
			return at
		}
		if at += escapeLen(s[at:]); at == most {
			return most
		}
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return most
}

// escapeLen is the length of the escape that s begins with.
func escapeLen(s []byte) int {
	if len(s) > 1 && s[1] == 'u' {
		return min(6, len(s))
	}
	return min(2, len(s))
}

// gauge measures the inside of a JSON string as it comes.
type gauge struct {
	Gap
	escaped bool // a backslash came last
	broken  bool // a line feed did
}

// takeString takes what is there of the string, up to the quote that ends it, and returns how
// many bytes that is.
func (g *gauge) takeString(s []byte) int {
	quote := -1
	for n := 0; n < len(s); {
		if g.escaped {
			g.escape(s[n])
			n++
			continue
		}
		if quote < n {
			if quote = bytes.IndexByte(s[n:], '"') + n; quote < n {
				quote = len(s)
			}
		}
		i := bytes.IndexByte(s[n:quote], '\\')
		if i < 0 {
			g.plain(quote - n)
			return quote
		}
		g.plain(i)
		g.escaped = true
		n += i + 1
	}
	return len(s)
}

func (g *gauge) plain(n int) {
	g.Bytes += n
	g.broken = g.broken && n == 0
}

// escape takes what follows a backslash. Nearly all \u, which four digits follow, stand
// for three bytes.
func (g *gauge) escape(b byte) {
	g.escaped, g.broken = false, b == 'n'
	switch b {
	case 'n':
		g.Bytes++
		g.Breaks++
	case 'u':
		g.Bytes--
	default:
		g.Bytes++
	}
}

func (g *gauge) gap() Gap {
	left := g.Gap
	if g.broken {
		left.Breaks--
	}
	return left
}

// Split returns what is there of a decoded string, and what is not.
func Split(text string) (string, Gap) {
	var g Gap
	body, ok := strings.CutSuffix(text, gapMark)
	if !ok {
		return text, g // as nearly all are, and some are long
	}
	at := strings.LastIndex(body, gapMark)
	if at < 0 {
		return text, g
	}
	if _, err := fmt.Sscanf(body[at+len(gapMark):], "%d %d", &g.Bytes, &g.Breaks); err != nil {
		return text, Gap{}
	}
	return body[:at], g
}

// ShortenLines is Split that tells how many lines of the text are not there.
func ShortenLines(text string) (kept string, more int) {
	kept, left := Split(text)
	if more = left.Breaks; left.Bytes > 0 && strings.HasSuffix(kept, "\n") {
		more++
	}
	return kept, more
}
