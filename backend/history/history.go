// Package history reads what happened: the transcripts of a task over all its
// runs, a page at a time, their pictures, the questions of the past, and the
// whole state for a client that begins.
//
// It reads live runs as they are at that moment, through Live, and changes
// nothing but for the transcripts of runs that are gone, which it removes.
package history

import (
	"cmp"
	"context"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/backend/transcript"
)

// History reads the past. Its methods may be called from any goroutine.
type History struct {
	Store   *store.Store
	Dir     string // of the transcripts
	Live    Live
	Outside Outside

	part int // instead of mostTasks, where it is not 0
}

// Outside is what the history needs of the sessions that run elsewhere. Their
// transcripts are asked for by their ids, as those of tasks are.
type Outside interface {
	Sessions() []beckon.OutsideSession
	// Run returns the run whose transcript has what was said in a session, and
	// false for what is no session's id.
	Run(ctx context.Context, id string) (run beckon.Run, is bool, err error)
	// Log returns the transcript of such a run.
	Log(runID string) (log *transcript.Log, is bool)
}

// Live is what the history needs of the runs that have not ended;
// *runner.Runner implements it.
type Live interface {
	// Present returns a run as it is now: the row of a live one lags behind.
	Present(run beckon.Run) beckon.Run
	// Log returns the transcript of a live run, nil before it has one; it may be
	// closed meanwhile.
	Log(run beckon.Run) (log *transcript.Log, live bool)
	// State returns what is in no row, as events.
	State(ctx context.Context) ([]beckon.Event, error)
}

// Questions returns all questions of a task, oldest first.
func (h *History) Questions(ctx context.Context, taskID string) ([]beckon.Question, error) {
	return h.Store.Questions(ctx, taskID)
}

// AnsweredSince returns the newest questions that were answered at that time,
// in Unix milliseconds, or later, the newest answer first.
func (h *History) AnsweredSince(ctx context.Context, since int64) ([]beckon.Question, error) {
	return h.Store.AnsweredSince(ctx, since)
}

// Runs returns all runs of a task, oldest first, the live one as it is now.
func (h *History) Runs(ctx context.Context, taskID string) ([]beckon.Run, error) {
	if run, is, err := h.Outside.Run(ctx, taskID); is {
		return []beckon.Run{run}, err
	}
	runs, err := h.Store.Runs(ctx, taskID)
	for i := range runs {
		runs[i] = h.Live.Present(runs[i])
	}
	return runs, err
}

// mostTasks is with how many tasks the state begins, and goes on at a time: what is
// held at once, and what a page takes in at once, does not grow with the years.
const mostTasks = 1000

// BeforeAll is less than the id of any task, and what StateAfter begins with.
const BeforeAll = "0"

// State returns the present state, as events: the whole of it, but for the tasks that
// come with StateAfter, and their runs, where there are more.
func (h *History) State(ctx context.Context) (events []beckon.Event, more bool, err error) {
	settings, err1 := h.Store.Settings.Load(ctx)
	projects, err2 := h.Store.Projects(ctx)
	tasks, more, err3 := h.Store.FirstTasks(ctx, cmp.Or(h.part, mostTasks))
	cards, err4 := h.cards(ctx, tasks)
	questions, err5 := h.Store.OpenQuestions(ctx)
	overdue, err6 := h.Store.Overdue(ctx)
	mission, err7 := h.Store.Settings.Mission(ctx)
	live, err8 := h.Live.State(ctx)
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7, err8); err != nil {
		return nil, false, err
	}
	events = []beckon.Event{{Settings: &settings}, {Mission: &mission}}
	for _, p := range projects {
		events = append(events, beckon.Event{Project: &p})
	}
	events = append(events, cards...)
	for _, q := range append(questions, overdue...) {
		events = append(events, beckon.Event{Question: &q})
	}
	for _, s := range h.Outside.Sessions() {
		events = append(events, beckon.Event{Session: &s})
	}
	return append(events, live...), more, nil
}

// StateAfter returns the next tasks by their ids, with their newest runs, and the id
// after which it goes on; none where these were the last.
func (h *History) StateAfter(ctx context.Context, taskID string) (events []beckon.Event, next string, err error) {
	most := cmp.Or(h.part, mostTasks)
	tasks, err := h.Store.TasksAfter(ctx, taskID, most)
	if err != nil {
		return nil, "", err
	}
	if len(tasks) == most {
		next = tasks[len(tasks)-1].ID
	}
	events, err = h.cards(ctx, tasks)
	return events, next, err
}

// cards returns tasks and the newest run of each, as events.
func (h *History) cards(ctx context.Context, tasks []beckon.Task) ([]beckon.Event, error) {
	ids := make([]string, len(tasks))
	events := make([]beckon.Event, len(tasks), 2*len(tasks))
	for i := range tasks {
		ids[i], events[i] = tasks[i].ID, beckon.Event{Task: &tasks[i]}
	}
	runs, err := h.Store.LatestRuns(ctx, ids)
	for _, run := range runs {
		run = h.Live.Present(run)
		events = append(events, beckon.Event{Run: &run})
	}
	return events, err
}
