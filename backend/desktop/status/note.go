package status

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/notifying"
	"beckon/backend/beckon/spending"
	"beckon/backend/notify"
	"beckon/backend/plain"
)

// How much a notification holds: buttons beside the one that opens, and
// bytes of their labels and of the text.
const (
	maxActions = 3
	maxAction  = 40
	maxBody    = 300
)

// openKey is the button that opens what a note is about.
const openKey = "open"

// note is the notification of what was decided, and false where what it is about is gone.
func (v view) note(n notifying.Notice, m messages) (Note, bool) {
	note, known := v.textOf(n, m)
	note.Sound = n.Sound
	switch n.Why {
	case notifying.Soon:
		note.Body = m.Soon + " " + note.Body
	case notifying.Again:
		note.Body = m.StillWaits + " " + note.Body
	case notifying.News, notifying.After:
	}
	return note, known
}

// textOf is a notification without a sound.
func (v view) textOf(n notifying.Notice, m messages) (Note, bool) {
	if n.ID == notifying.Summary {
		return summaryNote(n, m), true
	}
	if id, ofSSH := strings.CutPrefix(n.ID, notify.SSHNote); ofSSH {
		return v.askNote(id, m)
	}
	subject, isTask := strings.CutPrefix(n.ID, notify.TaskNote(""))
	if !isTask {
		q, waits := v.Questions[n.ID]
		if !waits {
			return Note{}, false
		}
		return noteOf(q, v.headline(q, m), v.WayOf(q.ID), m), true
	}
	if n.Kind == notifying.Budget {
		return v.budgetNote(subject, m)
	}
	t, known := v.Tasks[subject]
	switch n.Kind {
	case notifying.Review:
		return readyNote(t, m), known
	case notifying.Quiet:
		return silentNote(t, v.Runs[subject], m), known
	default:
		return stoppedNote(t, v.Runs[subject], m), known
	}
}

// summaryNote is of what came in the quiet hours.
func summaryNote(n notifying.Notice, m messages) Note {
	parts := []string{}
	if n.Waiting > 0 {
		parts = append(parts, m.NeedYou.fill(n.Waiting))
	}
	if n.Others > 0 {
		parts = append(parts, m.Others.fill(n.Others))
	}
	return Note{ID: n.ID, Title: m.QuietOver, Body: strings.Join(parts, ", "), Open: m.Open}
}

// askNote is of what ssh asks. It is answered in the window only.
func (v view) askNote(id string, m messages) (Note, bool) {
	for _, one := range notify.AsksOf(v.Executors) {
		if ask := *one.Health.Ask; ask.ID == id {
			return Note{
				ID: notify.SSHNote + id, Title: fill(m.SSHAsks, "who", plain.Line(one.Executor.Name, maxWho)), Body: askText(ask, m),
				Open: m.Open, Actions: []NoteAction{{Key: openKey, Label: m.Open}}, Urgent: true,
			}, true
		}
	}
	return Note{}, false
}

// noteOf is a question's notification without a sound. What only a terminal can
// answer has no buttons that answer.
func noteOf(q beckon.Question, title string, way beckon.AnswerWay, m messages) Note {
	n := Note{ID: q.ID, Title: title, Body: plain.Line(noteText(q, m), maxBody), Open: m.Open, Urgent: true}
	if text := expiryText(q, m); text != "" {
		n.Body += "\n" + text
	}
	if way == beckon.WayTerminal {
		n.Actions = []NoteAction{{Key: openKey, Label: m.Open}}
		return n
	}
	for i, label := range choices(q, maxAction) {
		if i < maxActions {
			n.Actions = append(n.Actions, NoteAction{Key: answerKey(q, i), Label: label})
		}
	}
	n.Actions = append(n.Actions, NoteAction{Key: openKey, Label: m.Open})
	if writable(q) {
		n.Reply = m.Answer
	}
	return n
}

func (v view) headline(q beckon.Question, m messages) string {
	who := v.who(q, m)
	if q.Budget != nil {
		return v.Tasks[q.TaskID].Key + ": " + plain.Line(q.Items[0].Header, maxWho)
	}
	switch q.Kind {
	case beckon.Permission:
		if q.Permission != nil && q.Permission.Command == "" {
			return fill(m.WantsTool, "who", who, "tool", plain.Line(q.Permission.Tool, maxWho))
		}
		return fill(m.WantsCommand, "who", who)
	case beckon.Plan:
		return fill(m.HasPlan, "who", who)
	case beckon.Elicitation:
		return fill(m.HasForm, "who", who)
	default:
		return fill(m.Asks, "who", who)
	}
}

// noteText is what q says, which for a permission is what would be done.
func noteText(q beckon.Question, m messages) string {
	switch {
	case q.Permission != nil:
		return cmp.Or(q.Permission.Command, q.Permission.Path, q.Permission.Description, q.Permission.Tool)
	case q.Kind == beckon.Plan:
		return firstLine(q.Plan)
	default:
		return gist(q, m)
	}
}

// expiryText is what becomes of q when nobody answers. It names the hour, for a
// notification cannot count down.
func expiryText(q beckon.Question, m messages) string {
	if q.Deadline == 0 || q.Settlement != beckon.Open {
		return ""
	}
	form := m.CarriesOn
	switch {
	case q.Kind == beckon.Permission:
		form = m.Denies
	case q.Policy == beckon.Park:
		form = m.Parks
	}
	return fill(form, "time", time.UnixMilli(q.Deadline).Format("15:04"))
}

func stoppedNote(t beckon.Task, r beckon.Run, m messages) Note {
	return Note{
		ID: notify.TaskNote(t.ID), Title: fill(m.Stopped, "key", t.Key), Open: m.Open,
		Body: cmp.Or(plain.Line(r.Reason.In(string(m.Language)), maxBody), string(r.Outcome)) + "\n" + m.Kept,
	}
}

// budgetNote is of a budget, "SUBJECT/SCOPE", that is nearly used up.
func (v view) budgetNote(subject string, m messages) (Note, bool) {
	if v.Spending == nil {
		return Note{}, false
	}
	i := slices.IndexFunc(v.Spending.Budgets, func(b spending.Budget) bool { return b.Subject+"/"+string(b.Scope) == subject })
	if i < 0 {
		return Note{}, false
	}
	b, of, in := v.Spending.Budgets[i], m.Today, string(m.Language)
	switch b.Scope {
	case spending.Task:
		of = v.Tasks[b.Subject].Key
	case spending.Project:
		of = plain.Line(v.Projects[b.Subject].Name, maxWho)
	case spending.Day:
	}
	return Note{
		ID: notify.TaskNote(subject), Open: m.Open,
		Title: fill(m.BudgetNear, "of", of), Body: fill(m.SpentOf, "spent", b.Limit.Of(b.Spent, in), "limit", b.Limit.In(in)),
	}, true
}

func readyNote(t beckon.Task, m messages) Note {
	body := m.NoFiles
	if c := t.Changes; c.Files > 0 {
		body = m.Files.fill(c.Files, "added", strconv.Itoa(c.Added), "removed", strconv.Itoa(c.Removed))
	}
	return Note{ID: notify.TaskNote(t.ID), Title: fill(m.Ready, "key", t.Key), Body: plain.Line(t.Title, maxBody) + "\n" + body, Open: m.Open}
}

// silentNote is of a run of which nothing is heard.
func silentNote(t beckon.Task, r beckon.Run, m messages) Note {
	return Note{
		ID: notify.TaskNote(t.ID), Title: t.Key + ": " + quietSince(r, m), Open: m.Open,
		Body: plain.Line(t.Title, maxBody) + "\n" + m.GoesOn,
	}
}

// quietSince says since when nothing is heard of a run.
func quietSince(r beckon.Run, m messages) string {
	return fill(m.Quiet, "time", time.UnixMilli(r.Quiet).Format("15:04"))
}
