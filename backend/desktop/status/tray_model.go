package status

import (
	"cmp"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/notify"
	"beckon/backend/plain"
)

// How much of a list a menu shows, and how long its labels are, in bytes.
const (
	maxListed = 8
	maxLabel  = 64
)

// The entries of the menu that stay; the others are named by what they open.
const (
	showInbox   = "inbox"
	newTask     = "new"
	pauseClocks = "pause"
	openBeckon  = "open"
	quitBeckon  = "quit"
	showPrefix  = "question/"
	taskPrefix  = "task/"
)

// trayModel is what the tray shows of v.
func (v view) trayModel(m messages) TrayModel {
	wanted, working := v.wanted(m), v.Working()
	f := TrayModel{Tooltip: "Beckon"}
	switch {
	case len(wanted) > 0:
		f.State, f.Tooltip = Attention, m.Questions.fill(len(wanted))
	case v.Settings.Paused:
		f.State = Paused
	}
	if n := len(wanted); n > 0 {
		if v.Settings.Notify.TrayCount {
			f.Count = strconv.Itoa(n)
		}
		f.Menu = append(f.Menu, TrayItem{Label: m.NeedYou.fill(n)})
		f.Menu = append(f.Menu, wanted[:min(n, maxListed)]...)
		f.Menu = append(f.Menu, rest(n, showInbox, m)...)
	}
	if n := len(working); n > 0 {
		f.Menu = append(f.Menu, TrayItem{Label: m.Working.fill(n)})
		for _, t := range working[:min(n, maxListed)] {
			f.Menu = append(f.Menu, TrayItem{ID: taskPrefix + t.Key, Label: v.workLabel(t, m)})
		}
		f.Menu = append(f.Menu, rest(n, openBeckon+"/tasks", m)...)
	}
	f.Menu = append(f.Menu,
		TrayItem{ID: newTask, Label: m.NewTask},
		TrayItem{ID: pauseClocks, Label: m.PauseAll, Checkable: true, Checked: v.Settings.Paused},
		TrayItem{Separator: true},
		TrayItem{ID: openBeckon, Label: m.OpenBeckon},
		TrayItem{ID: quitBeckon, Label: m.Quit},
	)
	return f
}

// workLabel is a task that works, and since when it is quiet, if it is.
func (v view) workLabel(t beckon.Task, m messages) string {
	text := label(t.Key, t.Title)
	if r := v.Runs[t.ID]; r.Quiet != 0 {
		text += " · " + quietSince(r, m)
	}
	return text
}

// rest stands for what a list does not show, and ends it.
func rest(n int, id string, m messages) []TrayItem {
	end := TrayItem{Separator: true}
	if n <= maxListed {
		return []TrayItem{end}
	}
	return []TrayItem{{ID: id, Label: fill(m.More, "n", strconv.Itoa(n-maxListed))}, end}
}

// wanted are the items of all that waits for the user: the questions, and what ssh asks.
func (v view) wanted(m messages) (items []TrayItem) {
	for _, q := range v.Waiting() {
		items = append(items, v.questionItem(q, m))
	}
	for _, one := range notify.AsksOf(v.Executors) {
		items = append(items, TrayItem{ID: showPrefix + one.Health.Ask.ID, Label: label(one.Executor.Name, askText(*one.Health.Ask, m))})
	}
	return items
}

func (v view) questionItem(q beckon.Question, m messages) TrayItem {
	item := TrayItem{ID: showPrefix + q.ID, Label: label(v.who(q, m), gist(q, m))}
	options := choices(q, maxLabel)
	if len(options) == 0 || v.WayOf(q.ID) == beckon.WayTerminal {
		return item
	}
	item.Items = []TrayItem{{ID: item.ID, Label: m.Open}, {Separator: true}}
	item.ID += "/menu"
	for n, o := range options {
		item.Items = append(item.Items, TrayItem{ID: answerKey(q, n), Label: o})
	}
	return item
}

// gist is what q is about, in a line.
func gist(q beckon.Question, m messages) string {
	switch {
	case len(q.Items) > 0:
		return q.Items[0].Text
	case q.Permission != nil:
		return fill(m.Allow, "what", cmp.Or(q.Permission.Command, q.Permission.Path, q.Permission.Tool))
	case q.Kind == beckon.Plan:
		return strings.TrimSuffix(m.Plan+": "+firstLine(q.Plan), ": ")
	default:
		return q.Message
	}
}

// label is one line that says whose and what. Titles and questions are an
// agent's to write.
func label(whose, what string) string {
	return plain.Line(whose, maxWho) + ": " + plain.Line(what, maxLabel)
}

// firstLine is the first line of markdown that says something.
func firstLine(markdown string) string {
	for line := range strings.Lines(markdown) {
		if text := strings.Trim(line, " \t\r\n#*_-`"); text != "" {
			return text
		}
	}
	return ""
}
