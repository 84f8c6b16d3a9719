package status

import (
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/spending"
)

// remindIn is how long before a clock runs out the user is reminded.
const remindIn = 30 * time.Second

// step is what notifications have to do after something happened.
type step struct {
	show  []Note
	close []string
}

func (s *step) add(t step) {
	s.show, s.close = append(s.show, t.show...), append(s.close, t.close...)
}

// notifications decides which notifications are shown. It keeps which are, and whom
// the user was reminded of.
type notifications struct {
	shown    map[string]bool
	reminded map[string]bool // by question
}

func newNotifications() *notifications { return &notifications{map[string]bool{}, map[string]bool{}} }

// onEvent returns what e calls for. It is asked before v takes e, for what matters
// is what changes.
func (l *notifications) onEvent(v *view, e beckon.Event, m messages, now time.Time) step {
	switch {
	case e.Question != nil:
		return l.question(v, *e.Question, m, now)
	case e.Run != nil:
		return l.run(v, *e.Run, m, now)
	case e.Task != nil:
		return l.task(v, *e.Task, m, now)
	case e.Session != nil:
		return l.session(v, *e.Session, m)
	case e.Spending != nil:
		return l.spending(v, *e.Spending, m, now)
	case e.Executors != nil:
		return l.executors(v, *e.Executors, m, now)
	case e.Settings != nil:
		return l.settings(v, *e.Settings)
	case e.Gone != "":
		return l.gone(v, e.Gone)
	default:
		return step{}
	}
}

// question shows what is asked, once, and closes it when it is settled,
// however that was. Changes of its clock are no news.
func (l *notifications) question(v *view, q beckon.Question, m messages, now time.Time) step {
	if !isWaiting(q) {
		delete(l.reminded, q.ID)
		return l.drop(q.ID)
	}
	_, known := v.questions[q.ID]
	if known || v.hides(q.ID) || q.Settlement != beckon.Open && q.Budget == nil || !v.settings.Notify.Questions || quiet(v.settings.Notify, now) {
		return step{}
	}
	return l.showNote(v.questionNote(q, m))
}

// run tells of an agent that stopped on its own, or whose work waits for review
// already; a live one takes back what was shown of the one before.
func (l *notifications) run(v *view, r beckon.Run, m messages, now time.Time) step {
	before, known := v.runs[r.TaskID]
	task, has := v.tasks[r.TaskID]
	switch {
	case r.Phase != beckon.Ended && r.Quiet == 0:
		return l.drop(taskNoteID(r.TaskID))
	case r.Phase != beckon.Ended:
		if !has || before.Quiet != 0 || !v.settings.Notify.Silent || quiet(v.settings.Notify, now) {
			return step{}
		}
		return l.showNote(silentNote(task, r, m))
	}
	news := known && has && (before.ID != r.ID || before.Phase != beckon.Ended)
	if news && task.Status == beckon.Review && ready(r) {
		return l.ready(v, task, m, now)
	}
	bad := slices.Contains([]beckon.Outcome{beckon.Failed, beckon.Limited, beckon.Lost}, r.Outcome)
	if !news || !bad || !v.settings.Notify.Failures || quiet(v.settings.Notify, now) {
		return step{}
	}
	return l.showNote(stoppedNote(task, r, v.settings.Notify, m))
}

// task tells of work that waits for review, where the run's end came before the
// card moved; where it comes after, run does.
func (l *notifications) task(v *view, t beckon.Task, m messages, now time.Time) step {
	if t.Status != beckon.Review {
		return l.drop(taskNoteID(t.ID))
	}
	if v.tasks[t.ID].Status != beckon.Running || !ready(v.runs[t.ID]) {
		return step{}
	}
	return l.ready(v, t, m, now)
}

// spending tells of each budget once that it is nearly used up, where that is news.
func (l *notifications) spending(v *view, s spending.State, m messages, now time.Time) (all step) {
	if v.spending == nil || !v.settings.Notify.Questions || quiet(v.settings.Notify, now) {
		return step{}
	}
	for _, b := range s.Budgets {
		before := slices.IndexFunc(v.spending.Budgets, func(o spending.Budget) bool { return o.Scope == b.Scope && o.Subject == b.Subject })
		if b.Level == spending.Near && before >= 0 && v.spending.Budgets[before].Level == spending.Fine {
			all.add(l.showNote(budgetNote(v, b, m)))
		}
	}
	return all
}

// ready reports whether a run left work to review.
func ready(r beckon.Run) bool {
	return r.Kind == beckon.TaskRun && r.Phase == beckon.Ended && r.Outcome == beckon.Succeeded
}

func (l *notifications) ready(v *view, t beckon.Task, m messages, now time.Time) step {
	if !v.settings.Notify.Finished || quiet(v.settings.Notify, now) {
		return step{}
	}
	return l.showNote(readyNote(t, m))
}

// session gives a note that is shown the buttons that it can have now: the hook of a
// session elsewhere comes a moment after its question, and may leave before that is
// answered.
func (l *notifications) session(v *view, s beckon.OutsideSession, m messages) step {
	var all step
	for _, a := range s.Asks {
		q, waits := v.questions[a.QuestionID]
		before := v.wayOf(a.QuestionID)
		if !waits || !l.shown[q.ID] || (a.Way == beckon.WayTerminal) == (before == beckon.WayTerminal) {
			continue
		}
		n := noteOf(q, v.headline(q, m), a.Way, m)
		all.add(l.showNote(n))
	}
	return all
}

// settings closes what is not wanted any more.
func (l *notifications) settings(v *view, s beckon.Settings) step {
	n := s.Notify
	var all step
	for id := range l.shown {
		isTask := strings.HasPrefix(id, taskNoteID(""))
		hidden := !n.Questions || !s.TellElsewhere && v.wayOf(id) != ""
		if !isTask && hidden || isTask && !n.Failures && !n.Finished && !n.Silent {
			all.add(l.drop(id))
		}
	}
	return all
}

func (l *notifications) gone(v *view, id string) step {
	s := l.drop(taskNoteID(id))
	for _, q := range v.questions {
		if q.ID == id || q.TaskID == id {
			s.add(l.drop(q.ID))
		}
	}
	return s
}

// remind shows the questions again whose clocks are about to run out.
func (l *notifications) remind(v *view, m messages, now time.Time) step {
	var s step
	for _, q := range v.waiting() {
		at, due := l.reminds(q)
		if !due || at.After(now) {
			continue
		}
		l.reminded[q.ID] = true
		if v.settings.Notify.Questions && !quiet(v.settings.Notify, now) {
			n := v.questionNote(q, m)
			n.Body = m.Soon + " " + n.Body
			s.add(l.showNote(n))
		}
	}
	return s
}

// next returns when remind has something to do; zero is never.
func (l *notifications) next(v *view) time.Time {
	var soonest time.Time
	for _, q := range v.questions {
		if at, due := l.reminds(q); due && (soonest.IsZero() || at.Before(soonest)) {
			soonest = at
		}
	}
	return soonest
}

// reminds tells when the user is reminded of q. A clock that is short needs
// none.
func (l *notifications) reminds(q beckon.Question) (at time.Time, due bool) {
	short := time.Duration(q.WaitMs)*time.Millisecond <= 2*remindIn
	return time.UnixMilli(q.Deadline).Add(-remindIn), q.Settlement == beckon.Open && q.Deadline > 0 && !short && !l.reminded[q.ID]
}

func (l *notifications) showNote(n Note) step {
	l.shown[n.ID] = true
	return step{show: []Note{n}}
}

func (l *notifications) drop(id string) step {
	if !l.shown[id] {
		return step{}
	}
	delete(l.shown, id)
	return step{close: []string{id}}
}

// quiet reports whether now is in the quiet hours, which may go over midnight.
func quiet(n beckon.Notify, now time.Time) bool {
	minute := now.Hour()*60 + now.Minute()
	if n.QuietFrom <= n.QuietTo {
		return n.QuietFrom <= minute && minute < n.QuietTo
	}
	return minute >= n.QuietFrom || minute < n.QuietTo
}
