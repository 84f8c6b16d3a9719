package review

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/plain"
)

// answerMost is how many bytes are kept of an answer.
const answerMost = 8 << 10

var (
	// before is what a mark may have before it in its line: a list, a heading, a
	// quotation, a table, emphasis.
	before = regexp.MustCompile(`^[\s>#*+\-•|]*(?:\d+[.)]\s+)?[\s*_` + "`" + `"'\[(]*`)
	mark   = regexp.MustCompile(`^(?i:c)(\d{1,6})\b`)
	// between joins marks that have one answer: "C1, C2 and C3".
	between = regexp.MustCompile(`^[\s*_` + "`" + `\])]*(?:,|&|/|\+|and\b|und\b|, and\b)[\s*_` + "`" + `\[(]*(?:and\s+|und\s+)?`)
	// place is what an agent may repeat behind a mark: the file and its lines.
	place = regexp.MustCompile(`^[*_\])"']*[:,]?\s*\(?` + "`[^`\n]{1,300}`" + `(?:[,:]?\s?(?:lines?\s)?[\dto\s–-]*\d)?\)?[*_]*\s*(?::|–|—|$)`)
	// after is what parts a mark from its answer.
	after = regexp.MustCompile(`^[\s*_` + "`" + `\])"']*(?:[:.|–—-]+[\s*_]*|\s+|$)`)
	rule  = regexp.MustCompile(`^\s*(?:#{1,6}\s|(?:-\s?){3,}$|(?:\*\s?){3,}$|_{3,}$)`)
)

// marked returns what a text answers to each of the comments with those numbers. It
// knows a mark at the beginning of a line, with what agents put around it; lines
// without one belong to the answer above them, up to a heading or a rule. Marks in
// code blocks are code.
func marked(text string, numbers []int) map[int]string {
	parts := map[int][]string{}
	var now []int
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		inCode := fence != ""
		fence = fenceAfter(fence, line)
		if !inCode && fence == "" {
			if found, rest := headOf(line, numbers); len(found) > 0 {
				now = found
				line = rest
			} else if rule.MatchString(line) {
				now = nil
			}
		}
		for _, n := range now {
			parts[n] = append(parts[n], line)
		}
	}
	answers := map[int]string{}
	for n, lines := range parts {
		if answer := strings.TrimSpace(strings.Join(lines, "\n")); answer != "" {
			answers[n] = plain.Cut(answer, answerMost)
		}
	}
	return answers
}

// fenceAfter returns the fence of the code block that is open behind a line, if one
// was, or is.
func fenceAfter(open, line string) string {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "`~")
	marks := line[:len(line)-len(rest)]
	switch {
	case open == "" && len(marks) >= 3:
		return marks
	case open != "" && rest == "" && strings.HasPrefix(marks, open):
		return ""
	}
	return open
}

// headOf returns the numbers of the comments that a line begins to answer, and what
// it says behind their marks.
func headOf(line string, numbers []int) (found []int, rest string) {
	rest = line[len(before.FindString(line)):]
	for {
		m := mark.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || !slices.Contains(numbers, n) {
			break
		}
		found, rest = append(found, n), rest[len(m[0]):]
		joint := between.FindString(rest)
		if joint == "" || mark.FindString(rest[len(joint):]) == "" {
			break
		}
		rest = rest[len(joint):]
	}
	if len(found) == 0 {
		return nil, line
	}
	where := place.FindString(rest)
	rest = rest[len(where):]
	end := after.FindString(rest)
	if rest != "" && end == "" && where == "" {
		return nil, line // "C1's", "C1=5"
	}
	return found, strings.TrimSuffix(strings.TrimRight(rest[len(end):], " \t"), "|")
}
