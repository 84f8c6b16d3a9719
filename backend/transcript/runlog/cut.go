package runlog

import (
	"strings"
	"unicode/utf8"
)

// Cut shortens text to most bytes, in front of a character, and keeps no more.
func Cut(text string, most int) string {
	if kept := Within(text, most); len(kept) < len(text) {
		return strings.Clone(kept)
	}
	return text
}

// Within is the beginning of text that has at most so many bytes and ends in front of a
// character, or of a gap.
func Within(text string, most int) string {
	text, _ = Split(text)
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// OneLine is the first line of text that says something, of most bytes before it is cut.
func OneLine(text string, most int) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.TrimSpace(text)
	if len(text) <= most {
		return strings.Clone(text)
	}
	return Cut(text, most) + "…"
}
