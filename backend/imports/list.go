package imports

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/beckon/importing"
	"beckon/backend/plain"
)

// What the parts of a row are held to.
const (
	maxName   = 80                      // bytes of a label, a state, a key and what is shown of a title that is refused
	maxLabels = 20                      // of a card
	maxText   = beckon.MaxBrief - 4<<10 // bytes; the rest is for the link
	maxLink   = 2000                    // bytes
	maxAll    = 32 << 20                // bytes of all texts of a list
	maxStates = 30                      // a column with more is none of states
	damaged   = string(utf8.RuneError)  // what stands where a character could not be read
)

var webPage = regexp.MustCompile(`^https?://[^\s/]+/\S*$`)

// list gathers what a source has, each row fit to become a card, or refused.
type list struct {
	cards    []importing.Card
	refusals []importing.Refusal
	refused  int
	size     int                // bytes of all texts
	keys     map[[2]string]bool // of projects and names there
}

// refuse notes that something cannot become a card.
func (l *list) refuse(r importing.Refusal) {
	if l.refused++; len(l.refusals) < importing.MaxRefusals {
		r.Title = plain.Line(r.Title, maxName)
		l.refusals = append(l.refusals, r)
	}
}

// add makes a row fit to become a card, or refuses it. line is where it stands, 0 for nowhere.
func (l *list) add(line int, c importing.Card) {
	c, why, detail := sound(c)
	switch {
	case why != "":
	case len(l.cards) >= importing.MaxRows || l.size+len(c.Text) > maxAll:
		why, detail = importing.Beyond, strconv.Itoa(len(l.cards))
	case c.Key != "" && l.keys[[2]string{c.ProjectID, c.Key}]:
		why, detail = importing.Twice, c.Key
	}
	if why != "" {
		l.refuse(importing.Refusal{Line: line, Title: c.Title, Why: why, Detail: detail})
		return
	}
	if c.Key != "" {
		if l.keys == nil {
			l.keys = map[[2]string]bool{}
		}
		l.keys[[2]string{c.ProjectID, c.Key}] = true
	}
	l.cards, l.size = append(l.cards, c), l.size+len(c.Text)
}

// sound returns a row as a card can have it: nothing in it is hidden. Labels and keys are cut, a
// title or a text is refused instead.
func sound(c importing.Card) (fit importing.Card, why importing.Why, detail string) {
	if strings.Contains(c.Title+c.Text, damaged) || strings.Contains(c.Title+c.Text, "\x00") {
		return c, importing.Unreadable, ""
	}
	c.Title = plain.Line(c.Title, len(c.Title))
	c.Text = readable(c.Text)
	c.Labels = labels(c.Labels)
	c.Key, c.State = plain.Line(c.Key, maxName), plain.Line(c.State, maxName)
	if c.Link = strings.TrimSpace(c.Link); len(c.Link) > maxLink || !webPage.MatchString(c.Link) || strings.ContainsFunc(c.Link, plain.Hidden) {
		c.Link = ""
	}
	c.HasText = c.Text != ""
	switch {
	case c.Title == "":
		return c, importing.NoTitle, ""
	case len(c.Title) > beckon.MaxTitle:
		return c, importing.LongTitle, strconv.Itoa(beckon.MaxTitle)
	case len(c.Text) > maxText:
		return c, importing.LongText, strconv.Itoa(maxText >> 10)
	}
	return c, "", ""
}

// readable is a text of several lines without what does not show in it.
func readable(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && plain.Hidden(r) {
			return -1
		}
		return r
	}, text)
	return strings.TrimRight(strings.TrimLeft(text, "\n"), " \n\t")
}

// labels are those that a card can have, each once.
func labels(all []string) []string {
	fit := []string{}
	for _, label := range all {
		label = plain.Line(label, maxName)
		if label != "" && !slices.Contains(fit, label) && len(fit) < maxLabels {
			fit = append(fit, label)
		}
	}
	return fit
}

// states counts the states of the rows, in the order in which they come. Where these are more
// than any board has columns, none has a state.
func (l *list) states() []importing.StateCount {
	counts := []importing.StateCount{}
	for _, c := range l.cards {
		at := slices.IndexFunc(counts, func(s importing.StateCount) bool { return s.Name == c.State })
		if at < 0 {
			if len(counts) == maxStates {
				for j := range l.cards {
					l.cards[j].State = ""
				}
				return []importing.StateCount{{Count: len(l.cards), To: importing.ToBacklog}}
			}
			at, counts = len(counts), append(counts, importing.StateCount{Name: c.State, To: column(c.State)})
		}
		counts[at].Count++
	}
	return counts
}
