package dialog

import (
	"regexp"
	"strings"

	"beckon/backend/beckon"
)

// shown is how surely a dialog is about a call.
type shown int

const (
	other      shown = iota // it is about another one
	unreadable              // it does not show enough
	wrapped                 // a line of it is wrapped, where another call may have two lines
	whole
)

// matchPermission reads the dialog in which a tool waits for leave. It has to
// show the whole of what the tool would do, and nothing else.
func matchPermission(q beckon.Question, s Screen) (view, error) {
	shows, known := tools[q.Permission.Tool]
	if !known {
		return view{}, refuse(Unreadable)
	}
	for _, block := range s.blocks() {
		head, v, ok := splitRows(block)
		if !ok || !permissionFoot.MatchString(v.foot) {
			continue
		}
		switch shows(q, head, s) {
		case unreadable:
			return view{}, refuse(Unreadable)
		case wrapped:
			v.wrapped = true
			return v, nil
		case whole:
			return v, nil
		case other:
		}
	}
	return view{}, s.differs()
}

// permissionFoot is what follows the rows of a permission. Of sub-agents that work
// beside each other, each has its hint below.
var permissionFoot = regexp.MustCompile(`^Esctocancel(·[A-Za-z+]{1,20}to[a-z]{1,24})*(\(ctrl\+b(ctrl\+b\(twice\))?toruninbackground\))*$`)

// tools are the tools whose dialogs are known, with how they show what they ask.
var tools = map[string]func(q beckon.Question, head []string, s Screen) shown{
	"Bash": showsCommand, "Write": showsFile, "Edit": showsEdit,
}

// agentTitle is what follows the title of a dialog that a sub-agent waits for.
var agentTitle = regexp.MustCompile(`^ · from (the .{1,30} agent|a subagent|the ".{1,30}" workflow|a workflow)$`)

// whichOf is, behind a title, how many dialogs wait.
var whichOf = regexp.MustCompile(`  +\d+ of \d+$`)

// titled reports whether a line is that title, with a sub-agent behind it where one asks.
func titled(q beckon.Question, line, title string) bool {
	from, ok := strings.CutPrefix(whichOf.ReplaceAllString(line, ""), " "+title)
	return ok && (from == "" && q.Agent == "" || q.Agent != "" && agentTitle.MatchString(from))
}

var rowLine = regexp.MustCompile(`^\s*(❯?)\s*([1-9])\.\s?(.*)$`)

// splitRows separates the rows at the end of a dialog from what is above them.
func splitRows(block []string) (head []string, v view, ok bool) {
	first := -1
	for i, line := range block {
		if m := rowLine.FindStringSubmatch(line); m != nil && m[2] == "1" {
			first = i
		}
	}
	if first < 0 {
		return nil, v, false
	}
	v.lines = len(block) + 1
	i := first
	for ; i < len(block) && strings.TrimSpace(block[i]) != ""; i++ {
		if m := rowLine.FindStringSubmatch(block[i]); m != nil {
			if m[2] != digit(len(v.rows)+1) {
				return nil, v, false
			}
			v.rows = append(v.rows, row{number: len(v.rows) + 1, focused: m[1] != "", words: strings.TrimSpace(m[3])})
			continue
		}
		at := &v.rows[len(v.rows)-1]
		at.words += " " + strings.TrimSpace(block[i])
	}
	v.foot = joined(block[i:])
	return block[:first], v, len(v.rows) > 1 && v.focus() != nil
}

func joined(lines []string) string { return squeeze(strings.Join(lines, "\n")) }
