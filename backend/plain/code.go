package plain

import "strings"

// Code makes s one line of at most size bytes, in code marks that it cannot end.
func Code(s string, size int) string {
	name := Line(s, size)
	marks := strings.Repeat("`", Longest(name, '`')+1)
	if len(marks) > 1 {
		return marks + " " + name + " " + marks
	}
	return marks + name + marks
}

// Longest counts the characters of the longest run of one in a text.
func Longest(text string, of rune) (most int) {
	run := 0
	for _, r := range text {
		if r != of {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}
