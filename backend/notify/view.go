package notify

import (
	"cmp"
	"maps"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/spending"
)

// View is what is known of Beckon from its events.
type View struct {
	Settings  beckon.Settings
	Executors executing.List
	Projects  map[string]beckon.Project
	Tasks     map[string]beckon.Task
	Runs      map[string]beckon.Run      // the newest of each task, by task
	Questions map[string]beckon.Question // those that wait
	Elsewhere map[string]beckon.OutsideSession
	Spending  *spending.State // nil before it was told
}

func NewView() *View {
	return &View{
		Settings: beckon.DefaultSettings(), Projects: map[string]beckon.Project{}, Tasks: map[string]beckon.Task{},
		Runs: map[string]beckon.Run{}, Questions: map[string]beckon.Question{}, Elsewhere: map[string]beckon.OutsideSession{},
	}
}

// Apply takes the new value of one thing.
func (v *View) Apply(e beckon.Event) {
	switch {
	case e.Settings != nil:
		v.Settings = *e.Settings
	case e.Spending != nil:
		v.Spending = e.Spending
	case e.Executors != nil:
		v.Executors = *e.Executors
	case e.Project != nil:
		v.Projects[e.Project.ID] = *e.Project
	case e.Task != nil:
		v.Tasks[e.Task.ID] = *e.Task
	case e.Run != nil && e.Run.TaskID != "":
		if e.Run.Number >= v.Runs[e.Run.TaskID].Number {
			v.Runs[e.Run.TaskID] = *e.Run
		}
	case e.Session != nil:
		v.Elsewhere[e.Session.ID] = *e.Session
	case e.Question != nil && IsWaiting(*e.Question):
		v.Questions[e.Question.ID] = *e.Question
	case e.Question != nil:
		delete(v.Questions, e.Question.ID)
	case e.Gone != "":
		v.drop(e.Gone)
	}
}

func (v *View) drop(id string) {
	delete(v.Projects, id)
	delete(v.Tasks, id)
	delete(v.Runs, id)
	delete(v.Elsewhere, id)
	for _, q := range v.Questions {
		if q.ID == id || q.TaskID == id {
			delete(v.Questions, q.ID)
		}
	}
}

// IsWaiting reports whether an answer is expected, even if only by a later run.
func IsWaiting(q beckon.Question) bool {
	return q.Settlement == beckon.Open || q.Settlement == beckon.Orphaned
}

// WayOf returns how a question of a session elsewhere can be answered; "" is that of
// Beckon's own.
func (v *View) WayOf(id string) beckon.AnswerWay {
	for _, s := range v.Elsewhere {
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
func (v *View) hides(id string) bool { return !v.Settings.TellElsewhere && v.WayOf(id) != "" }

// Waiting returns the questions that wait and that the user wants to hear of, in
// the order in which they press.
func (v *View) Waiting() []beckon.Question {
	all := make([]beckon.Question, 0, len(v.Questions))
	for _, q := range v.Questions {
		if !v.hides(q.ID) {
			all = append(all, q)
		}
	}
	slices.SortFunc(all, beckon.CompareUrgency(v.blocking()))
	return all
}

// blocking reports which questions keep queued tasks waiting.
func (v *View) blocking() func(beckon.Question) bool {
	slots := map[string]int{"": v.Settings.Slots}
	for _, one := range v.Executors.All {
		slots[one.Executor.ID] = one.Executor.Slots
	}
	queued := map[string]bool{}
	for _, t := range v.Tasks {
		if v.startable(t) {
			queued[t.ExecutorOf(v.Projects[t.ProjectID])] = true
		}
	}
	return beckon.Blocking(slots, queued, maps.Values(v.Runs))
}

// startable reports whether a task waits for nothing but a slot.
func (v *View) startable(t beckon.Task) bool {
	first, known := v.Tasks[t.After]
	return t.Status == beckon.Queued && max(t.Resume.At, t.StartsAt) <= beckon.Now() && (!known || first.Over())
}

// Working returns the tasks whose agents live and wait for nobody, the one
// that works longest first.
func (v *View) Working() []beckon.Task {
	asking := map[string]bool{}
	for _, q := range v.Questions {
		asking[q.TaskID] = true
	}
	all := []beckon.Task{}
	for id, r := range v.Runs {
		if t, known := v.Tasks[id]; known && r.Phase != beckon.Ended && !asking[id] {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b beckon.Task) int {
		return cmp.Or(cmp.Compare(v.Runs[a.ID].Started, v.Runs[b.ID].Started), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// Vanished returns the events that the whole state implies by not naming what
// is known.
func (v *View) Vanished(whole []beckon.Event) []beckon.Event {
	named := map[string]bool{}
	for _, e := range whole {
		named[e.Key()] = true
	}
	gone := []beckon.Event{}
	for id, q := range v.Questions {
		if e := (beckon.Event{Question: &q}); !named[e.Key()] {
			gone = append(gone, beckon.Event{Gone: id})
		}
	}
	for id, s := range v.Elsewhere {
		if e := (beckon.Event{Session: &s}); !named[e.Key()] {
			gone = append(gone, beckon.Event{Gone: id})
		}
	}
	for id, t := range v.Tasks {
		if e := (beckon.Event{Task: &t}); !named[e.Key()] {
			gone = append(gone, beckon.Event{Gone: id})
		}
	}
	return gone
}
