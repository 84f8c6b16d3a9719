package review

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/plain"
)

// As much of a comment's lines goes along in a message: the agent has the file.
const (
	quotedLines = 30
	quotedBytes = 4 << 10
)

// message is what tells the agent of comments. It asks for an answer to each by its
// mark, which marked finds again.
func message(list []reviewing.Comment) string {
	var text strings.Builder
	marks := make([]string, 0, len(list))
	if len(list) == 1 {
		text.WriteString("I reviewed your changes and have a comment. Act on it.\n")
	} else {
		fmt.Fprintf(&text, "I reviewed your changes and have %d comments. Act on every one of them.\n", len(list))
	}
	for _, c := range list {
		mark := markOf(c.Number)
		marks = append(marks, mark)
		fmt.Fprintf(&text, "\n### %s: %s, %s\n\n%s\n\n%s\n", mark, pathOf(c)+inRepository(c), linesOf(c), fenced(c), closed(c.Text))
	}
	fmt.Fprintf(&text, "\n---\n\nWhen you are done, end your last message with an answer to each comment: one paragraph that begins with its mark, "+
		"like \"%s: what you did about it, or why nothing\". Name each of these marks once: %s.", marks[0], strings.Join(marks, ", "))
	return text.String()
}

func markOf(number int) string { return fmt.Sprintf("C%d", number) }

// pathOf names a file in one line, in code marks that it cannot end.
func pathOf(c reviewing.Comment) string {
	return plain.Code(c.Path, reviewing.CommentMaxPath)
}

// inRepository names the further repository that a file is in.
func inRepository(c reviewing.Comment) string {
	if c.Repository == "" {
		return ""
	}
	return " in the repository " + c.Repository
}

func linesOf(c reviewing.Comment) string {
	where := fmt.Sprintf("line %d", c.First)
	if c.Last > c.First {
		where = fmt.Sprintf("lines %d to %d", c.First, c.Last)
	}
	if c.Side == reviewing.Before {
		where += " of the file before your changes"
	}
	if c.Outdated {
		where += " (they have changed since)"
	}
	return where
}

// fenced quotes a comment's lines.
func fenced(c reviewing.Comment) string {
	lines := strings.Split(plain.Cut(c.Quote, quotedBytes), "\n")
	cut := ""
	if all := c.Last - c.First + 1; len(lines) > quotedLines || len(lines) < all {
		lines = lines[:min(len(lines), quotedLines)]
		cut = fmt.Sprintf("\n(and %d more lines)", all-len(lines))
	}
	return inFence(strings.Join(lines, "\n"), language(c.Path)) + cut
}

// inFence is code, or what programs printed, in a fence that is longer than any within.
func inFence(code, language string) string {
	code = strings.Map(shown, code)
	fence := strings.Repeat("`", max(3, plain.Longest(code, '`')+1))
	return fence + language + "\n" + code + "\n" + fence
}

// shown drops control characters but for those of plain text.
func shown(r rune) rune {
	if unicode.IsControl(r) && r != '\t' && r != '\n' {
		return -1
	}
	return r
}

// language is the word behind a fence, by the file's ending.
func language(name string) string {
	ending := strings.TrimPrefix(path.Ext(name), ".")
	if len(ending) > 10 || strings.ContainsFunc(ending, func(r rune) bool { return !isWord(r) }) {
		return ""
	}
	return ending
}

// closed ends a code block that a person began in a comment and did not end, since
// it would take in all that follows.
func closed(text string) string {
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		sign := strings.TrimLeft(line, "`~")
		marks := line[:len(line)-len(sign)]
		switch {
		case fence == "" && len(marks) >= 3:
			fence = marks
		case fence != "" && sign == "" && strings.HasPrefix(marks, fence):
			fence = ""
		}
	}
	if fence == "" {
		return text
	}
	return text + "\n" + fence
}
