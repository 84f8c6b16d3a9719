package outside

import (
	"cmp"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/desktop/tray"
)

// How much of a list a menu shows, and how long its labels are, in bytes.
const (
	maxListed = 8
	maxLabel  = 64
)

// The entries of the menu that stay; the others are named by what they open.
const (
	showInbox  = "inbox"
	newTask    = "new"
	holdClocks = "hold"
	openBeckon = "open"
	quitBeckon = "quit"
	showPrefix = "question/"
	taskPrefix = "task/"
)

// face is what the tray shows of v.
func (v *view) face(w words) tray.Face {
	waiting, working := v.waiting(), v.working()
	f := tray.Face{Tooltip: "Beckon"}
	switch {
	case len(waiting) > 0:
		f.State, f.Tooltip = tray.Attention, w.Questions.say(len(waiting))
	case v.settings.Paused:
		f.State = tray.Held
	}
	if n := len(waiting); n > 0 {
		f.Menu = append(f.Menu, tray.Item{Label: w.NeedYou.say(n)})
		for _, q := range waiting[:min(n, maxListed)] {
			f.Menu = append(f.Menu, v.questionItem(q, w))
		}
		f.Menu = append(f.Menu, rest(n, showInbox, w)...)
	}
	if n := len(working); n > 0 {
		f.Menu = append(f.Menu, tray.Item{Label: w.Working.say(n)})
		for _, t := range working[:min(n, maxListed)] {
			f.Menu = append(f.Menu, tray.Item{ID: taskPrefix + t.Key, Label: label(t.Key, t.Title)})
		}
		f.Menu = append(f.Menu, rest(n, openBeckon+"/tasks", w)...)
	}
	f.Menu = append(f.Menu,
		tray.Item{ID: newTask, Label: w.NewTask},
		tray.Item{ID: holdClocks, Label: w.HoldAll, Checkable: true, Checked: v.settings.Paused},
		tray.Item{Separator: true},
		tray.Item{ID: openBeckon, Label: w.OpenBeckon},
		tray.Item{ID: quitBeckon, Label: w.Quit},
	)
	return f
}

// rest stands for what a list does not show, and ends it.
func rest(n int, id string, w words) []tray.Item {
	end := tray.Item{Separator: true}
	if n <= maxListed {
		return []tray.Item{end}
	}
	return []tray.Item{{ID: id, Label: say(w.More, "n", strconv.Itoa(n-maxListed))}, end}
}

func (v *view) questionItem(q beckon.Question, w words) tray.Item {
	item := tray.Item{ID: showPrefix + q.ID, Label: label(v.who(q, w), gist(q, w))}
	options := choices(q, maxLabel)
	if len(options) == 0 {
		return item
	}
	item.Items = []tray.Item{{ID: item.ID, Label: w.Open}, {Separator: true}}
	item.ID += "/menu"
	for n, o := range options {
		item.Items = append(item.Items, tray.Item{ID: answerKey(q, n), Label: o})
	}
	return item
}

// gist is what q is about, in a line.
func gist(q beckon.Question, w words) string {
	switch {
	case len(q.Items) > 0:
		return q.Items[0].Text
	case q.Permission != nil:
		return say(w.Allow, "what", cmp.Or(q.Permission.Command, q.Permission.Path, q.Permission.Tool))
	case q.Plan != "":
		return w.Plan + ": " + firstLine(q.Plan)
	default:
		return q.Message
	}
}

// label is one line that says whose and what. Titles and questions are an
// agent's to write.
func label(whose, what string) string {
	return beckon.Line(whose, maxWho) + ": " + beckon.Line(what, maxLabel)
}

// firstLine is the first line of markdown that says something.
func firstLine(markdown string) string {
	for line := range strings.Lines(markdown) {
		if said := strings.Trim(line, " \t\r\n#*_-`"); said != "" {
			return said
		}
	}
	return ""
}
