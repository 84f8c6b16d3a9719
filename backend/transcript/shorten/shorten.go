// Package shorten cuts the long strings of huge JSON lines before they are
// decoded, and counts what it left out.
//
// A line of megabytes is nearly all in a few strings, of which a reader is shown
// the beginning. Cutting those first is twenty times faster than decoding them,
// and does not hold several copies. Small lines are left as they are. The
// package knows no message and no tool.
package shorten

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Large is the size, in bytes, from which lines are cut.
const Large = 512 << 10

// Kept is how many bytes are kept of a long string.
const Kept = 128 << 10

// Line cuts the long strings of a large line. They end in a gap; see Split.
func Line(line []byte) []byte {
	if len(line) <= Large {
		return line
	}
	out := make([]byte, 0, Kept+4<<10) // most such lines have one long string
	for {
		start := bytes.IndexByte(line, '"') + 1
		if start == 0 {
			return append(out, line...)
		}
		end := start + stringEnd(line[start:])
		out = appendString(append(out, line[:start]...), line[start:end])
		if end == len(line) {
			return out // the string has no end
		}
		out, line = append(out, '"'), line[end+1:]
	}
}

// stringEnd finds the quote that ends a string, or its end.
func stringEnd(s []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(s[from:], '"')
		if i < 0 {
			return len(s)
		}
		quote := from + i
		escape := quote
		for escape > from && s[escape-1] == '\\' {
			escape--
		}
		if (quote-escape)%2 == 0 {
			return quote
		}
		from = quote + 1
	}
}

// Gap is what was left out of the end of a string: bytes, as it is decoded, and
// line feeds, without one that ends the string.
type Gap struct{ Bytes, Breaks int }

// gapMark encloses a gap in a string. It is no character, so no text has it.
const gapMark = "\uFDD0"

// appendString appends the inside of a JSON string, with a gap if it is long.
func appendString(to, s []byte) []byte {
	if len(s) <= Kept+1<<10 {
		return append(to, s...)
	}
	kept := cutPoint(s, Kept)
	left := measure(s[kept:])
	return fmt.Appendf(append(to, s[:kept]...), "%s%d %d%s", gapMark, left.Bytes, left.Breaks, gapMark)
}

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

func measure(s []byte) Gap {
	var g Gap
	ended := bytes.HasSuffix(s, []byte(`\n`)) && !bytes.HasSuffix(s, []byte(`\\n`))
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			g.Bytes += len(s)
			break
		}
		size := escapeLen(s[i:])
		g.Bytes += i + 1 + (size-2)/2 // nearly all \u stand for three bytes
		if size == 2 && s[i+1] == 'n' {
			g.Breaks++
		}
		s = s[i+size:]
	}
	if ended {
		g.Breaks--
	}
	return g
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

// Lines is Split that tells how many lines of the text are not there.
func Lines(text string) (kept string, more int) {
	kept, left := Split(text)
	if more = left.Breaks; left.Bytes > 0 && strings.HasSuffix(kept, "\n") {
		more++
	}
	return kept, more
}
