package beckon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes s fit for a label: one line, single spaces, nothing hidden, and at
// most size bytes.
func Line(s string, size int) string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case Hidden(r):
			return -1
		}
		return r
	}, s)
	return Cut(strings.Join(strings.Fields(seen), " "), size)
}

// Hidden reports whether r is a control or format character: escapes, bidi
// overrides and isolates, zero-width spaces, tags. The joiners stay, which
// emoji and several scripts are written with.
func Hidden(r rune) bool {
	const zwnj, zwj = '\u200c', '\u200d'
	return r != zwnj && r != zwj && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError
}

// Cut shortens s to size bytes, ellipsis included, between two characters.
func Cut(s string, size int) string {
	if len(s) <= size {
		return s
	}
	end := size - len("…")
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
