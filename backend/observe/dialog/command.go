package dialog

import (
	"cmp"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// A command and what it is for stand so far from the left edge, with as much room at
// the right one. All else that the CLI says is nearer to the edge, so that no command
// can draw it.
const commandIndent = 3

// showsCommand reports whether a dialog shows that command of Bash, line by line, and
// what it is for, and nothing else but the CLI's own words.
func showsCommand(q beckon.Question, head []string, s Screen) shown {
	p := q.Permission
	if p.Command == "" || len(head) == 0 || !titled(q, head[0], "Bash command") {
		return other
	}
	if invisible(p.Command) || invisible(p.Description) {
		return unreadable
	}
	purpose := cmp.Or(p.Description, "Run shell command")
	if parts := dashed(head); len(parts) == 3 {
		return showsFramed(p.Command, purpose, parts, s)
	}
	box, said := commandBox(head[1:])
	on := &sheet{lines: box, columns: s.Width - 2*commandIndent}
	if !asks(said) || !on.text(p.Command, commandIndent) || !on.text(purpose, commandIndent) || len(on.lines) > 0 {
		return other
	}
	if on.wrapped || strings.Contains(purpose, "\n") {
		return wrapped
	}
	return whole
}

// commandBox separates the lines of a command and its purpose, which have an empty line
// above and below, from what the CLI says next.
func commandBox(lines []string) (box, said []string) {
	end := slices.IndexFunc(lines, func(l string) bool { return l != "" && indent(l) < commandIndent })
	if end < 3 || lines[0] != "" || lines[end-1] != "" {
		return nil, nil
	}
	return unindented(lines[1:end-1], commandIndent), lines[end:]
}

// showsFramed reads the dialog of 2.1.332, in which the purpose is above the command, and
// dashed lines are above and below that.
func showsFramed(command, purpose string, parts [][]string, s Screen) shown {
	above := parts[0][1:]
	if len(above) > 0 && strings.HasPrefix(above[0], " Tip: ") && !strings.HasPrefix(purpose, "Tip: ") {
		above = above[1:]
	}
	said := &sheet{lines: unbarred(above), columns: s.Width - 4}
	shows := &sheet{lines: unbarred(parts[1]), columns: s.Width - 4}
	if !asks(parts[2]) || !shows.text(command, 0) || len(shows.lines) > 0 {
		return other
	}
	if strings.TrimSpace(purpose) != "" && (!said.text(purpose, 0) || len(said.lines) > 0) {
		return other
	}
	if shows.wrapped {
		return wrapped
	}
	return whole
}

// unbarred returns what is in lines that have a bar at the left edge where there are
// several.
func unbarred(lines []string) []string {
	bar := " │"
	if len(lines) < 2 || slices.ContainsFunc(lines, func(l string) bool { return !strings.HasPrefix(l, bar) }) {
		return unindented(lines, 1)
	}
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		out = append(out, strings.TrimPrefix(line[len(bar):], " "))
	}
	return out
}

func unindented(lines []string, by int) []string {
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		out = append(out, line[min(len(line), by, indent(line)):])
	}
	return out
}

// asks reports whether lines are the question, below why the CLI asks.
func asks(lines []string) bool {
	if len(lines) == 0 || len(joined(lines)) > 400 {
		return false
	}
	for _, line := range lines {
		if line != "" && indent(line) != 1 {
			return false
		}
	}
	return lines[len(lines)-1] == " Do you want to proceed?"
}
