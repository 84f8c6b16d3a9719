package plain

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapes are the sequences of ECMA-48 that terminals obey: strings that end with BEL or ST
// (links and window titles), control sequences, and escapes of two characters. A string that is
// not closed ends with its line, so that it cannot swallow the rest.
var escapes = regexp.MustCompile(`(?:\x1b[P\]X^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\x07\x1b\x{9c}\n]*(?:\x07|\x1b\\|\x{9c})?|(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?`)

// Visible makes a text of many lines fit to be read: what a terminal would obey is taken out, and
// what the eye would miss becomes its code, such as ⟨U+202E⟩. Line feeds and tabs stay, and so do
// the joiners and the bytes' replacements. It is the page's plain() for what leaves Beckon.
func Visible(text string) string {
	if strings.IndexFunc(text, marked) < 0 && utf8.ValidString(text) {
		return text
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	text = escapes.ReplaceAllString(strings.ReplaceAll(text, "\r", "\n"), "")
	var b strings.Builder
	for _, r := range text {
		if marked(r) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// marked reports whether a character is shown as its code.
func marked(r rune) bool {
	return r != '\n' && r != '\t' && r != utf8.RuneError && (Hidden(r) || unicode.Is(blank, r))
}

// blank are letters and marks that take no room or look like none.
var blank = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x034f, Hi: 0x034f, Stride: 1},
	{Lo: 0x115f, Hi: 0x1160, Stride: 1},
	{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
	{Lo: 0x180b, Hi: 0x180f, Stride: 1},
	{Lo: 0x3164, Hi: 0x3164, Stride: 1},
	{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
}}
