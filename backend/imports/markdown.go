package imports

import (
	"regexp"
	"strings"

	"beckon/backend/beckon/importing"
)

var (
	// itemLine is an item of a list: how far it is indented, its box, and its text.
	itemLine = regexp.MustCompile(`^([ \t]*)(?:[-*+•]|[0-9]{1,9}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(\S.*)$`)
	heading  = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	fence    = regexp.MustCompile("^[ \t]*(```+|~~~+)")
)

// markdown reads a list. An item at its margin becomes a card, what is indented below it is its
// text, and the heading above it its state.
type markdown struct {
	list
	state  string
	margin int
	line   int // of the item, 0 where none is open
	item   importing.Card
	body   []string
	ticked bool
	fence  string // what ends the code that is open; empty: none is
}

// readMarkdown reads what is a list in a text.
func readMarkdown(text string) list {
	m := &markdown{}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\ufeff"))
	skipped := 0
	if rest, ok := strings.CutPrefix(text, "---\n"); ok { // what describes the file
		if about, below, closed := strings.Cut(rest, "\n---\n"); closed {
			text, skipped = below, strings.Count(about, "\n")+3
		}
	}
	n := skipped
	for line := range strings.SplitSeq(text, "\n") {
		n++
		m.read(n, line)
	}
	m.end()
	return m.list
}

func (m *markdown) read(n int, line string) {
	if m.code(line) {
		return
	}
	if found := heading.FindStringSubmatch(line); found != nil {
		m.end()
		m.state = found[1]
		return
	}
	found := itemLine.FindStringSubmatch(line)
	switch indent := width(line); {
	case found != nil && (m.line == 0 || indent <= m.margin+1):
		m.end()
		m.line, m.margin = n, indent
		m.item = importing.Card{Row: importing.Row{Title: found[3], State: m.state}}
		m.ticked = strings.EqualFold(found[2], "x")
	case m.line == 0:
	case strings.TrimSpace(line) == "" || indent > m.margin:
		m.body = append(m.body, line)
	case len(m.body) == 0 || strings.TrimSpace(m.body[len(m.body)-1]) != "": // it goes on without an indent
		m.body = append(m.body, line)
	default:
		m.end()
	}
}

// code reports whether a line is code, in which nothing is a list. That of an item belongs to
// its text.
func (m *markdown) code(line string) bool {
	mark := fence.FindStringSubmatch(line)
	if m.fence == "" && mark == nil {
		return false
	}
	if m.line != 0 && width(line) <= m.margin && m.fence == "" {
		m.end()
	}
	if m.line != 0 {
		m.body = append(m.body, line)
	}
	switch {
	case m.fence == "":
		m.fence = mark[1]
	case mark != nil && strings.HasPrefix(mark[1], m.fence):
		m.fence = ""
	}
	return true
}

// end closes the item that is open.
func (m *markdown) end() {
	if m.line == 0 {
		return
	}
	m.item.Text = dedent(m.body)
	if m.ticked {
		m.refuse(importing.Refusal{Line: m.line, Title: m.item.Title, Why: importing.Checked})
	} else {
		m.add(m.line, m.item)
	}
	m.line, m.item, m.body = 0, importing.Card{}, nil
}

// width is how far a line is indented: a tab goes on to the next multiple of four.
func width(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

// dedent joins lines without the indent that all of them have.
func dedent(lines []string) string {
	least := -1
	for _, line := range lines {
		if strings.TrimSpace(line) != "" && (least < 0 || width(line) < least) {
			least = width(line)
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		rest := strings.TrimLeft(line, " \t")
		if rest != "" {
			out[i] = strings.Repeat(" ", width(line)-least) + rest
		}
	}
	return strings.Join(out, "\n")
}
