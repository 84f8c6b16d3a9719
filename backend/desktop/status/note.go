package status

import (
	"cmp"
	"strconv"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/spending"
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

// questionNote is the notification of q. Only an ask can be answered from it:
// a permission takes the whole of what is to be allowed, which has no place
// here.
func (v *view) questionNote(q beckon.Question, m messages) Note {
	n := noteOf(q, v.headline(q, m), v.wayOf(q.ID), m)
	n.Sound = soundsFor(v.settings.Notify)
	return n
}

// soundsFor reports whether notes of what needs the user sound: where the page does, they do
// not as well.
func soundsFor(n beckon.Notify) bool { return n.Sounds && n.Chime == "" }

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

func (v *view) headline(q beckon.Question, m messages) string {
	who := v.who(q, m)
	if q.Budget != nil {
		return v.tasks[q.TaskID].Key + ": " + plain.Line(q.Items[0].Header, maxWho)
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

// taskNoteID names the one notification that a task has beside its questions.
func taskNoteID(taskID string) string { return "task/" + taskID }

func stoppedNote(t beckon.Task, r beckon.Run, n beckon.Notify, m messages) Note {
	return Note{
		ID: taskNoteID(t.ID), Title: fill(m.Stopped, "key", t.Key), Open: m.Open, Sound: n.Sounds,
		Body: cmp.Or(plain.Line(r.Reason.In(string(m.Language)), maxBody), string(r.Outcome)) + "\n" + m.Kept,
	}
}

// budgetNote is of a budget that is nearly used up. It makes no sound: nothing is asked.
func budgetNote(v *view, b spending.Budget, m messages) Note {
	of := m.Today
	switch b.Scope {
	case spending.Task:
		of = v.tasks[b.Subject].Key
	case spending.Project:
		of = plain.Line(v.projects[b.Subject].Name, maxWho)
	case spending.Day:
	}
	in := string(m.Language)
	return Note{
		ID: taskNoteID(b.Subject + "/" + string(b.Scope)), Open: m.Open,
		Title: fill(m.BudgetNear, "of", of), Body: fill(m.SpentOf, "spent", b.Limit.Of(b.Spent, in), "limit", b.Limit.In(in)),
	}
}

func readyNote(t beckon.Task, m messages) Note {
	body := m.NoFiles
	if c := t.Changes; c.Files > 0 {
		body = m.Files.fill(c.Files, "added", strconv.Itoa(c.Added), "removed", strconv.Itoa(c.Removed))
	}
	return Note{ID: taskNoteID(t.ID), Title: fill(m.Ready, "key", t.Key), Body: plain.Line(t.Title, maxBody) + "\n" + body, Open: m.Open}
}

// silentNote is of a run of which nothing is heard. It makes no sound: nothing is asked.
func silentNote(t beckon.Task, r beckon.Run, m messages) Note {
	return Note{
		ID: taskNoteID(t.ID), Title: t.Key + ": " + quietSince(r, m), Open: m.Open,
		Body: plain.Line(t.Title, maxBody) + "\n" + m.GoesOn,
	}
}

// quietSince says since when nothing is heard of a run.
func quietSince(r beckon.Run, m messages) string {
	return fill(m.Quiet, "time", time.UnixMilli(r.Quiet).Format("15:04"))
}
