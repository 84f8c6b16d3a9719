package review

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"beckon/backend/beckon/reviewing"
)

// quoteOf returns lines as they are kept with a comment, cut in number and length.
func quoteOf(lines []string) string {
	kept := make([]string, 0, min(len(lines), reviewing.CommentMaxQuoted))
	for _, line := range lines[:cap(kept)] {
		kept = append(kept, cutLine(line))
	}
	return strings.Join(kept, "\n")
}

// cutLine cuts a line to what is kept of it, between two characters. A carriage
// return at its end says nothing.
func cutLine(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if len(line) <= reviewing.CommentMaxLine {
		return line
	}
	end := reviewing.CommentMaxLine
	for !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end]
}

// anchor finds the lines of a comment in its file as that is now: where they were,
// else where they are nearest to that. It moves them there, or says that they are
// outdated. Lines without a word in them, such as a brace, are anywhere, so they
// are looked for where they were only.
func anchor(c *reviewing.Comment, file []string) {
	quote := strings.Split(c.Quote, "\n")
	found := -1
	for at := range max(0, len(file)-len(quote)+1) {
		if far(at+1, c.First) < far(found, c.First) && matches(file[at:], quote) {
			found = at + 1
		}
	}
	if found != c.First && !strings.ContainsFunc(c.Quote, isWord) {
		found = -1
	}
	c.Outdated = found < 0
	if found > 0 {
		c.First, c.Last = found, found+c.Last-c.First
	}
}

// far is the distance of a line from another; that of no line is beyond all.
func far(line, from int) int {
	if line < 0 {
		return 1 << 40
	}
	return max(line-from, from-line)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func matches(lines, quote []string) bool {
	for i, line := range quote {
		if cutLine(lines[i]) != line {
			return false
		}
	}
	return true
}
