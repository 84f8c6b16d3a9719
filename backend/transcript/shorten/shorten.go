package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"beckon/backend/claude"
)

// A line of more than largeLine bytes is nearly all in a few strings, of which
// a reader is shown the beginning. Such strings are cut to textMost bytes
// before the line is decoded: that is twenty times faster, and does not hold
// several copies of them.
const largeLine = 512 << 10

// decode decodes a line of any size. The strings of a large one end in a gap
// where they were cut; see splitGap.
func decode(line []byte) (claude.Message, error) {
	if len(line) > largeLine && line[0] != '{' { // no message, and not worth a copy
		return claude.Message{}, errors.New("a line that is no object")
	}
	return claude.DecodeMessage(shorten(line))
}

// shorten cuts the long strings of a large line.
func shorten(line []byte) []byte {
	if len(line) <= largeLine {
		return line
	}
	out := make([]byte, 0, textMost+4<<10) // most such lines have one long string
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

// gap is what was left out of the end of a string: bytes, as it is decoded,
// and line feeds, without one that ends the string.
type gap struct{ bytes, breaks int }

// gapMark encloses a gap in a string. It is no character, so no text has it.
const gapMark = "\uFDD0"

// appendString appends the inside of a JSON string, with a gap if it is long.
func appendString(to, s []byte) []byte {
	if len(s) <= textMost+1<<10 {
		return append(to, s...)
	}
	kept := cutPoint(s, textMost)
	left := measure(s[kept:])
	return fmt.Appendf(append(to, s[:kept]...), "%s%d %d%s", gapMark, left.bytes, left.breaks, gapMark)
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

func measure(s []byte) gap {
	var g gap
	ended := bytes.HasSuffix(s, []byte(`\n`)) && !bytes.HasSuffix(s, []byte(`\\n`))
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			g.bytes += len(s)
			break
		}
		size := escapeLen(s[i:])
		g.bytes += i + 1 + (size-2)/2 // nearly all \u stand for three bytes
		if size == 2 && s[i+1] == 'n' {
			g.breaks++
		}
		s = s[i+size:]
	}
	if ended {
		g.breaks--
	}
	return g
}

// splitGap tells what is left out of the end of a decoded string.
func splitGap(text string) (string, gap) {
	var g gap
	body, ok := strings.CutSuffix(text, gapMark)
	at := strings.LastIndex(body, gapMark)
	if !ok || at < 0 {
		return text, g
	}
	if _, err := fmt.Sscanf(body[at+len(gapMark):], "%d %d", &g.bytes, &g.breaks); err != nil {
		return text, gap{}
	}
	return body[:at], g
}
