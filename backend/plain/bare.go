package plain

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unseen are escapes, also as JSON writes them and as they are left where their first character was
// taken out, and characters that were made codes already.
var unseen = regexp.MustCompile(escapes.String() + `|(?:\\u001[bB])?\[[0-9;]*[mK]|\\u[0-9a-fA-F]{4}|⟨U\+[0-9A-F]{4,6}⟩`)

// Bare returns a text without what parts its words for nobody's eye: what a terminal would obey,
// characters that hide or take no room and their codes, joiners, selectors of variants, and the
// backslashes of Markdown before marks that names and addresses have. It is for finding what a
// reader takes for one word, and never shown. at has for each of its bytes where in text that is;
// it is nil where nothing is left out.
func Bare(text string) (bare string, at []int) {
	if !parted(text) {
		return text, nil
	}
	lines := strings.ReplaceAll(text, "\r", "\n") // as Visible reads it, and as long
	var b strings.Builder
	next := 0
	for _, escape := range append(unseen.FindAllStringIndex(lines, -1), []int{len(text), len(text)}) {
		for i := next; i < escape[0]; {
			r, size := utf8.DecodeRuneInString(lines[i:])
			if !between(r) && !isMarkdownEscape(text, i) && !strings.HasPrefix(text[i:], "\r\n") {
				b.WriteString(lines[i : i+size])
				for n := range size {
					at = append(at, i+n)
				}
			}
			i += size
		}
		next = escape[1]
	}
	if len(at) == len(text) {
		return text, nil
	}
	return b.String(), at
}

// parted reports whether Bare may leave something of a text out: most texts have nothing of it.
func parted(text string) bool {
	for i, r := range text {
		if ' ' <= r && r <= '~' && r != '[' && r != '\\' {
			continue
		}
		next := text[i+1 : min(len(text), i+2)]
		switch {
		case r == '⟨', r == '[' && next != "" && strings.Contains("0123456789;mK", next), r == '\\' && next == "u", between(r), isMarkdownEscape(text, i):
			return true
		}
	}
	return false
}

// between reports whether a character is one that a reader does not see between two others.
func between(r rune) bool {
	const zwnj, zwj = '\u200c', '\u200d'
	return r == zwnj || r == zwj || r != '\n' && r != '\t' && (Hidden(r) || unicode.Is(blank, r) || unicode.Is(unicode.Variation_Selector, r))
}

// isMarkdownEscape reports whether there is a backslash at i that Markdown does not show.
func isMarkdownEscape(text string, i int) bool {
	return text[i] == '\\' && i+1 < len(text) && strings.IndexByte("_-.:/=@~+", text[i+1]) >= 0 && (i == 0 || text[i-1] != '\\')
}
