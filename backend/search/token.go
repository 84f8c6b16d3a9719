package search

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokenMost is how much of a word is looked at, in bytes. What is longer is a
// hash or data, and found by its beginning.
const tokenMost = 40

// token is a word of a text: where it is, in bytes, and how it is compared,
// in lower case and without diacritics.
type token struct {
	from, to int
	norm     string
}

// tokens cuts a text into words, which are letters, digits, and the marks on
// them.
func tokens(text string) iter.Seq[token] {
	return func(yield func(token) bool) {
		for at := 0; at < len(text); {
			from := at
			for at < len(text) {
				r, size := utf8.DecodeRuneInString(text[at:])
				if !isWord(r) {
					break
				}
				at += size
			}
			if at == from {
				_, size := utf8.DecodeRuneInString(text[at:])
				at += size
				continue
			}
			if n := plain(text[from:at]); n != "" && !yield(token{from, at, n}) {
				return
			}
		}
	}
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}

// plain is a word in lower case, without diacritics, cut.
func plain(word string) string {
	if isASCII(word) {
		return strings.ToLower(word[:min(len(word), tokenMost)])
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(word) {
		if unicode.Is(unicode.M, r) {
			continue
		}
		if r = unicode.ToLower(r); b.Len()+utf8.RuneLen(r) > tokenMost {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// normalise is a text as it is indexed: each of its words once.
func normalise(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	seen := make(map[string]bool, len(text)/8)
	for t := range tokens(text) {
		if seen[t.norm] {
			continue
		}
		seen[t.norm] = true
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.norm)
	}
	return b.String()
}
