package beckon

import (
	"strings"
	"unicode"
)

// Normal returns a question's text as standing answers compare it: lower case,
// single spaces, no punctuation at its end.
//
//	"Which  Database?" → "which database"
func Normal(text string) string {
	plain := strings.ToLower(strings.Join(strings.Fields(text), " "))
	return strings.TrimRightFunc(plain, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
}
