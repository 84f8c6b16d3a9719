package status

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/notifying"
	"beckon/backend/notify"
)

// choose does what an entry of the tray stands for.
func (o *Status) choose(id string) {
	if questionID, n, ok := chosen(id); ok {
		o.answer(questionID, n, beckon.ByTray)
		return
	}
	if questionID, ok := strings.CutPrefix(id, showPrefix); ok {
		o.open(questionID)
		return
	}
	if key, ok := strings.CutPrefix(id, taskPrefix); ok {
		o.p.Show("#/task/" + url.PathEscape(key))
		return
	}
	switch id {
	case newTask:
		o.p.NewTask()
	case pauseClocks:
		o.pause()
	case quitBeckon:
		o.p.Quit()
	case showInbox:
		o.p.Show("#/inbox")
	case tapped:
		o.tap()
	default:
		o.p.Show("")
	}
}

// tap opens what a look at the icon promises: the one that presses most, or
// the window as it was.
func (o *Status) tap() {
	if waiting := o.view.Waiting(); len(waiting) > 0 {
		o.open(waiting[0].ID)
		return
	}
	if asks := notify.AsksOf(o.view.Executors); len(asks) > 0 {
		o.open(asks[0].Health.Ask.ID)
		return
	}
	o.p.Show("")
}

// pause pauses every clock, or lets them go on. What the menu shows follows by
// the settings.
func (o *Status) pause() {
	if err := o.p.PauseAll(context.Background(), !o.view.Settings.Paused); err != nil {
		slog.Error("the clocks were not paused", "err", err)
	}
}

// open shows the question in the window.
func (o *Status) open(questionID string) { o.p.Show("#/inbox/" + url.PathEscape(questionID)) }

// answer settles a question by one of its options, chosen in the tray or in a
// notification.
func (o *Status) answer(questionID string, n int, by beckon.By) {
	if a, ok := choose(o.view.Questions[questionID], n); ok {
		a.By = by
		o.settle(questionID, a)
	}
}

// respond does what the user did with a notification. A dismissal never comes
// here, for it means nothing.
func (o *Status) respond(r NoteResponse) {
	note, shown := o.notes[r.ID]
	if !shown {
		return
	}
	questionID, n, answers := chosen(r.Action)
	if (answers || r.Text != "") && time.Since(o.since[r.ID]) < calm {
		o.show(note) // the press took it away
		return
	}
	a, written := write(o.view.Questions[r.ID], r.Text)
	switch {
	case answers && questionID == r.ID:
		o.answer(questionID, n, beckon.ByNotification)
	case written:
		a.By = beckon.ByNotification
		o.settle(r.ID, a)
	default:
		o.visit(r.ID)
	}
}

// visit opens what a note is about.
func (o *Status) visit(noteID string) {
	if noteID == notifying.Summary {
		o.p.Show("#/inbox")
		return
	}
	taskID, isTask := strings.CutPrefix(noteID, notify.TaskNote(""))
	if !isTask {
		o.open(strings.TrimPrefix(noteID, notify.SSHNote))
		return
	}
	taskID, _, ofBudget := strings.Cut(taskID, "/")
	if t, known := o.view.Tasks[taskID]; known {
		o.p.Show("#/task/" + url.PathEscape(t.Key))
	} else if ofBudget {
		o.p.Show("#/")
	}
}
