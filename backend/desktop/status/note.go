package outside

import (
	"cmp"
	"strconv"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/desktop/notify"
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
func (v *view) questionNote(q beckon.Question, w words) notify.Note {
	n := notify.Note{
		ID: q.ID, Title: v.headline(q, w), Body: beckon.Line(told(q, w), maxBody),
		Open: w.Open, Urgent: true, Sound: v.settings.Notify.Sounds,
	}
	if fate := fate(q, w); fate != "" {
		n.Body += "\n" + fate
	}
	for i, label := range choices(q, maxAction) {
		if i < maxActions {
			n.Actions = append(n.Actions, notify.Action{Key: answerKey(q, i), Label: label})
		}
	}
	n.Actions = append(n.Actions, notify.Action{Key: openKey, Label: w.Open})
	if writable(q) {
		n.Reply = w.Answer
	}
	return n
}

func (v *view) headline(q beckon.Question, w words) string {
	who := v.who(q, w)
	switch q.Kind {
	case beckon.Permission:
		if q.Permission != nil && q.Permission.Command == "" {
			return say(w.WantsTool, "who", who, "tool", beckon.Line(q.Permission.Tool, maxWho))
		}
		return say(w.WantsCommand, "who", who)
	case beckon.Plan:
		return say(w.HasPlan, "who", who)
	case beckon.Elicitation:
		return say(w.HasForm, "who", who)
	default:
		return say(w.Asks, "who", who)
	}
}

// told is what q says, which for a permission is what would be done.
func told(q beckon.Question, w words) string {
	switch {
	case q.Permission != nil:
		return cmp.Or(q.Permission.Command, q.Permission.Path, q.Permission.Description, q.Permission.Tool)
	case q.Plan != "":
		return firstLine(q.Plan)
	default:
		return gist(q, w)
	}
}

// fate is what becomes of q when nobody answers. It names the hour, for a
// notification cannot count down.
func fate(q beckon.Question, w words) string {
	if q.Deadline == 0 || q.Settlement != beckon.Open {
		return ""
	}
	form := w.CarriesOn
	switch {
	case q.Kind == beckon.Permission:
		form = w.Denies
	case q.Policy == beckon.Park:
		form = w.Parks
	}
	return say(form, "time", time.UnixMilli(q.Deadline).Format("15:04"))
}

// taskNoteID names the one notification that a task has beside its questions.
func taskNoteID(taskID string) string { return "task/" + taskID }

func stoppedNote(t beckon.Task, r beckon.Run, n beckon.Notify, w words) notify.Note {
	return notify.Note{
		ID: taskNoteID(t.ID), Title: say(w.Stopped, "key", t.Key), Open: w.Open, Sound: n.Sounds,
		Body: cmp.Or(beckon.Line(r.Reason, maxBody), string(r.Outcome)) + "\n" + w.Kept,
	}
}

func readyNote(t beckon.Task, w words) notify.Note {
	body := w.NoFiles
	if c := t.Changes; c.Files > 0 {
		body = w.Files.say(c.Files, "added", strconv.Itoa(c.Added), "removed", strconv.Itoa(c.Removed))
	}
	return notify.Note{ID: taskNoteID(t.ID), Title: say(w.Ready, "key", t.Key), Body: beckon.Line(t.Title, maxBody) + "\n" + body, Open: w.Open}
}
