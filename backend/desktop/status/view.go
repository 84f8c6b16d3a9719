package status

import (
	"cmp"
	"maps"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/spending"
	"beckon/backend/plain"
)

// view is what is known of Beckon from its events.
type view struct {
	settings  beckon.Settings
	executors executing.List
	projects  map[string]beckon.Project
	tasks     map[string]beckon.Task
	runs      map[string]beckon.Run      // the newest of each task, by task
	questions map[string]beckon.Question // those that wait
	elsewhere map[string]beckon.OutsideSession
	spending  *spending.State // nil before it was told
}

func newView() *view {
	return &view{
		settings: beckon.DefaultSettings(), projects: map[string]beckon.Project{}, tasks: map[string]beckon.Task{},
		runs: map[string]beckon.Run{}, questions: map[string]beckon.Question{}, elsewhere: map[string]beckon.OutsideSession{},
	}
}

// apply takes the new value of one thing.
func (v *view) apply(e beckon.Event) {
	switch {
	case e.Settings != nil:
		v.settings = *e.Settings
	case e.Spending != nil:
		v.spending = e.Spending
	case e.Executors != nil:
		v.executors = *e.Executors
	case e.Project != nil:
		v.projects[e.Project.ID] = *e.Project
	case e.Task != nil:
		v.tasks[e.Task.ID] = *e.Task
	case e.Run != nil && e.Run.TaskID != "":
		if e.Run.Number >= v.runs[e.Run.TaskID].Number {
			v.runs[e.Run.TaskID] = *e.Run
		}
	case e.Session != nil:
		v.elsewhere[e.Session.ID] = *e.Session
	case e.Question != nil && isWaiting(*e.Question):
		v.questions[e.Question.ID] = *e.Question
	case e.Question != nil:
		delete(v.questions, e.Question.ID)
	case e.Gone != "":
		v.drop(e.Gone)
	}
}

func (v *view) drop(id string) {
	delete(v.projects, id)
	delete(v.tasks, id)
	delete(v.runs, id)
	delete(v.elsewhere, id)
	for _, q := range v.questions {
		if q.ID == id || q.TaskID == id {
			delete(v.questions, q.ID)
		}
	}
}

// isWaiting reports whether an answer is expected, even if only by a later run.
func isWaiting(q beckon.Question) bool {
	return q.Settlement == beckon.Open || q.Settlement == beckon.Orphaned
}

// wayOf returns how a question of a session elsewhere can be answered; "" is that of
// Beckon's own.
func (v *view) wayOf(id string) beckon.AnswerWay {
	for _, s := range v.elsewhere {
		for _, a := range s.Asks {
			if a.QuestionID == id {
				return a.Way
			}
		}
	}
	return ""
}

// hides reports whether the user does not want to hear of a question, as it is of a
// session elsewhere.
func (v *view) hides(id string) bool { return !v.settings.TellElsewhere && v.wayOf(id) != "" }

// waiting returns the questions that wait and that the user wants to hear of, in
// the order in which they press.
func (v *view) waiting() []beckon.Question {
	all := make([]beckon.Question, 0, len(v.questions))
	for _, q := range v.questions {
		if !v.hides(q.ID) {
			all = append(all, q)
		}
	}
	slices.SortFunc(all, beckon.CompareUrgency(v.blocking()))
	return all
}

// blocking reports which questions keep queued tasks waiting.
func (v *view) blocking() func(beckon.Question) bool {
	slots := map[string]int{"": v.settings.Slots}
	for _, one := range v.executors.All {
		slots[one.Executor.ID] = one.Executor.Slots
	}
	queued := map[string]bool{}
	for _, t := range v.tasks {
		if v.startable(t) {
			queued[t.ExecutorOf(v.projects[t.ProjectID])] = true
		}
	}
	return beckon.Blocking(slots, queued, maps.Values(v.runs))
}

// startable reports whether a task waits for nothing but a slot.
func (v *view) startable(t beckon.Task) bool {
	first, known := v.tasks[t.After]
	return t.Status == beckon.Queued && max(t.Resume.At, t.StartsAt) <= beckon.Now() && (!known || first.Over())
}

// working returns the tasks whose agents live and wait for nobody, the one
// that works longest first.
func (v *view) working() []beckon.Task {
	asking := map[string]bool{}
	for _, q := range v.questions {
		asking[q.TaskID] = true
	}
	all := []beckon.Task{}
	for id, r := range v.runs {
		if t, known := v.tasks[id]; known && r.Phase != beckon.Ended && !asking[id] {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b beckon.Task) int {
		return cmp.Or(cmp.Compare(v.runs[a.ID].Started, v.runs[b.ID].Started), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// who names the one that asks.
func (v *view) who(q beckon.Question, m messages) string {
	if t, known := v.tasks[q.TaskID]; known {
		return beckon.Asker(t.Key, t.Agent)
	}
	return cmp.Or(plain.Line(q.Origin, maxWho), m.AnAgent)
}

// maxWho bounds a name that the agent gives itself, in bytes.
const maxWho = 60

// vanished returns the events that the whole state implies by not naming what
// is known.
func (v *view) vanished(whole []beckon.Event) []beckon.Event {
	named := map[string]bool{}
	for _, e := range whole {
		named[e.Key()] = true
	}
	gone := []beckon.Event{}
	for id, q := range v.questions {
		if e := (beckon.Event{Question: &q}); !named[e.Key()] {
			gone = append(gone, beckon.Event{Gone: id})
		}
	}
	for id, s := range v.elsewhere {
		if e := (beckon.Event{Session: &s}); !named[e.Key()] {
			gone = append(gone, beckon.Event{Gone: id})
		}
	}
	for id, t := range v.tasks {
		if e := (beckon.Event{Task: &t}); !named[e.Key()] {
			gone = append(gone, beckon.Event{Gone: id})
		}
	}
	return gone
}
