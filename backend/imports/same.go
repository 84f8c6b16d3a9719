package imports

import (
	"slices"
	"strings"
	"unicode"

	"beckon/backend/beckon"
	"beckon/backend/beckon/importing"
	"beckon/backend/beckon/starting"
	"beckon/backend/plain"
)

// present are the cards of a project, by what a row can be the same by.
type present struct {
	tasks                 []beckon.Task
	issues, lines, titles map[string]string // the keys of cards
}

func newPresent(tasks []beckon.Task, sought map[string]bool) *present {
	p := &present{tasks, map[string]string{}, map[string]string{}, map[string]string{}}
	for _, t := range tasks {
		if t.Start.Kind == starting.Issue && t.Start.URL != "" {
			p.issues[strings.ToLower(t.Start.URL)] = t.Key
		}
		p.titles[plain.Normal(t.Title)] = t.Key
		for line := range strings.Lines(t.Brief) {
			if line = strings.TrimSpace(line); sought[line] {
				p.lines[line] = t.Key
			}
		}
	}
	return p
}

// same returns the key of the card that a row equals, empty for none: by its issue, by the line
// that says where it came from, by its branch, by its title.
func (p *present) same(c importing.Card) string {
	if c.Start.URL != "" && p.issues[strings.ToLower(c.Start.URL)] != "" {
		return p.issues[strings.ToLower(c.Start.URL)]
	}
	if key := p.lines[originLine(c)]; key != "" && originLine(c) != "" {
		return key
	}
	if at := slices.IndexFunc(p.tasks, func(t beckon.Task) bool { return c.Branch != "" && t.WorksOn(c.Branch) }); at >= 0 {
		return p.tasks[at].Key
	}
	return p.titles[plain.Normal(c.Title)]
}

// originLine is the last line of the brief of a card that came from elsewhere: its page there,
// or its name; empty where that is a mere number.
func originLine(c importing.Card) string {
	if c.Link != "" {
		return c.Link
	}
	if c.Start.Kind == starting.Issue {
		return c.Start.URL
	}
	if !strings.ContainsFunc(c.Key, unicode.IsLetter) {
		return "" // another table counts its rows alike
	}
	return c.Key
}

// brief is the brief of a row's card.
func brief(c importing.Card) string {
	return strings.TrimSpace(c.Text + "\n\n" + originLine(c))
}
