package runner

import (
	"context"
	"errors"
	"runtime"

	"beckon/backend/beckon"
	"beckon/backend/git"
)

// maxDraft holds an answer of every item, in bytes, in the page's own form.
const maxDraft = 8 * beckon.MaxAnswerText

// Questions returns all questions of a task, oldest first.
func (r *Runner) Questions(ctx context.Context, taskID string) ([]beckon.Question, error) {
	return r.Store.Questions(ctx, taskID)
}

// AnsweredSince returns the newest questions that were answered at that time,
// in Unix milliseconds, or later, the newest answer first.
func (r *Runner) AnsweredSince(ctx context.Context, since int64) ([]beckon.Question, error) {
	return r.Store.AnsweredSince(ctx, since)
}

// SaveDraft keeps what was typed as an answer; empty text drops it.
func (r *Runner) SaveDraft(ctx context.Context, questionID, text string) error {
	if err := checkDraft(text); err != nil {
		return err
	}
	return r.Store.SaveDraft(ctx, questionID, text)
}

func checkDraft(text string) error {
	if len(text) > maxDraft {
		return invalid("a draft has at most %d KB", maxDraft>>10)
	}
	return nil
}

// Drafts returns all that was typed and not sent, in no order.
func (r *Runner) Drafts(ctx context.Context) ([]beckon.Draft, error) {
	answers, err1 := r.Store.Drafts(ctx)
	messages, err2 := r.Store.MessageDrafts(ctx)
	drafts := make([]beckon.Draft, 0, len(answers)+len(messages))
	for id, text := range answers {
		drafts = append(drafts, beckon.Draft{QuestionID: id, Text: text})
	}
	for id, text := range messages {
		drafts = append(drafts, beckon.Draft{TaskID: id, Text: text})
	}
	return drafts, errors.Join(err1, err2)
}

// Runs returns all runs of a task, oldest first, the live one as it is now.
func (r *Runner) Runs(ctx context.Context, taskID string) ([]beckon.Run, error) {
	runs, err := r.Store.Runs(ctx, taskID)
	for i := range runs {
		runs[i] = r.present(runs[i])
	}
	return runs, err
}

// present returns a run as it is now: the row of a live one lags behind.
func (r *Runner) present(run beckon.Run) beckon.Run {
	l := r.liveRun(run.TaskID)
	if l == nil || l.run.ID != run.ID {
		return run
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run
}

// State returns the whole present state, as events.
func (r *Runner) State(ctx context.Context) ([]beckon.Event, error) {
	settings, err1 := r.Store.Settings(ctx)
	projects, err2 := r.Store.Projects(ctx)
	tasks, err3 := r.Store.Tasks(ctx)
	runs, err4 := r.Store.LatestRuns(ctx)
	questions, err5 := r.Store.OpenQuestions(ctx)
	overdue, err6 := r.Store.Overdue(ctx)
	mission, err7 := r.Store.Mission(ctx)
	queues, err8 := r.queues(ctx)
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7, err8); err != nil {
		return nil, err
	}
	events := []beckon.Event{{Settings: &settings}, {Mission: &mission}, r.diskEvent(), {Floods: r.Desk.Floods()}}
	for _, p := range projects {
		events = append(events, beckon.Event{Project: &p})
	}
	for _, t := range tasks {
		events = append(events, beckon.Event{Task: &t})
	}
	for _, run := range runs {
		run = r.present(run)
		events = append(events, beckon.Event{Run: &run})
	}
	for _, q := range append(questions, overdue...) {
		events = append(events, beckon.Event{Question: &q})
	}
	return append(events, queues...), nil
}

// About completes what the program knows of itself by what it finds on the
// machine, looking again each time.
func (r *Runner) About(ctx context.Context, a beckon.About) (beckon.About, error) {
	a.DataDir, a.System = r.DataDir, runtime.GOOS
	r.aboutClaude(ctx, &a)
	if v, err := git.Version(ctx); err == nil {
		a.GitVersion = v
	}
	return a, nil
}
