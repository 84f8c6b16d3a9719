// Package plain makes what others wrote fit to be shown and compared: one line,
// nothing hidden, cut between two characters. It knows nothing of what the text
// means.
package plain

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

// Normal returns a question's text as standing answers compare it: lower case,
// single spaces, no punctuation at its end.
//
//	"Which  Database?" → "which database"
func Normal(text string) string {
	plain := strings.ToLower(strings.Join(strings.Fields(text), " "))
	return strings.TrimRightFunc(plain, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
}
