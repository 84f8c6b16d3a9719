package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/git"
	"beckon/backend/transcript"
)

// pageMost is how many entries a page of a transcript has at the most.
const pageMost = 500

// maxDraft holds an answer of every item, in bytes, in the page's own form.
const maxDraft = 8 * beckon.MaxAnswerText

// Transcript returns the page of a task's transcript that ends before the
// cursor, over all its runs; an empty cursor means the end.
func (r *Runner) Transcript(ctx context.Context, taskID, before string, limit int) (beckon.TranscriptPage, error) {
	page := beckon.TranscriptPage{TaskID: taskID, Entries: []beckon.Entry{}}
	if limit < 1 || limit > pageMost {
		return page, invalid("a page has 1 to %d entries, not %d", pageMost, limit)
	}
	if _, err := r.Store.Task(ctx, taskID); err != nil {
		return page, err
	}
	runs, err := r.Store.Runs(ctx, taskID)
	if err != nil || len(runs) == 0 {
		return page, err
	}
	at, line, err := parseCursor(runs, before)
	if err != nil {
		return page, err
	}
	for ; at >= 0 && len(page.Entries) < limit; at, line = at-1, -1 {
		entries, next, err := r.page(runs[at], line, limit-len(page.Entries))
		if err != nil {
			return page, err
		}
		page.Entries = orEmpty(slices.Concat(entries, page.Entries))
		if next >= 0 {
			page.Before = fmt.Sprintf("%s/%d", runs[at].ID, next)
			return page, nil
		}
	}
	if at >= 0 {
		page.Before = fmt.Sprintf("%s/%d", runs[at].ID, -1)
	}
	return page, nil
}

// parseCursor returns the run that a page ends in and the line before which it
// ends, -1 for the run's end.
func parseCursor(runs []beckon.Run, before string) (at int, line int64, err error) {
	if before == "" {
		return len(runs) - 1, -1, nil
	}
	id, number, _ := strings.Cut(before, "/")
	line, err = strconv.ParseInt(number, 10, 64)
	for at, run := range runs {
		if run.ID == id && err == nil && line >= -1 {
			return at, line, nil
		}
	}
	return 0, 0, invalid("%q is no place in this transcript", before)
}

// page folds one run's page. A run that never wrote anything has none.
func (r *Runner) page(run beckon.Run, before int64, limit int) ([]beckon.Entry, int64, error) {
	if l := r.liveRun(run.TaskID); l != nil && l.run.ID == run.ID {
		log := l.openedLog()
		if log == nil {
			return nil, -1, nil
		}
		entries, next, err := pageOf(log, run.ID, before, limit)
		if !errors.Is(err, fs.ErrClosed) { // else the run ended while it was read
			return entries, next, err
		}
	}
	log, err := transcript.OpenRead(r.transcriptDir(), run.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, -1, nil
	}
	if err != nil {
		return nil, -1, err
	}
	defer func() { logged("close a transcript", log.Close(), "run", run.ID) }()
	return pageOf(log, run.ID, before, limit)
}

func pageOf(log *transcript.Log, runID string, before int64, limit int) ([]beckon.Entry, int64, error) {
	entries, next, err := transcript.Page(log, before, limit)
	for i := range entries {
		entries[i].RunID = runID
	}
	return entries, next, err
}

func (r *Runner) removeLog(runID string) error { return transcript.Remove(r.transcriptDir(), runID) }

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
	if len(text) > maxDraft {
		return invalid("a draft has at most %d KB", maxDraft>>10)
	}
	return r.Store.SaveDraft(ctx, questionID, text)
}

// Drafts returns all that was typed and not sent, in no order.
func (r *Runner) Drafts(ctx context.Context) ([]beckon.Draft, error) {
	kept, err := r.Store.Drafts(ctx)
	drafts := make([]beckon.Draft, 0, len(kept))
	for id, text := range kept {
		drafts = append(drafts, beckon.Draft{QuestionID: id, Text: text})
	}
	return drafts, err
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
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7); err != nil {
		return nil, err
	}
	events := []beckon.Event{{Settings: &settings}, {Mission: &mission}}
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
	return events, nil
}

// About completes what the program knows of itself by what it finds on the
// machine, looking again each time.
func (r *Runner) About(ctx context.Context, a beckon.About) (beckon.About, error) {
	a.DataDir, a.System = r.DataDir, runtime.GOOS
	if o, err := r.Claude(); err == nil {
		a.ClaudePath = o.Path
		if v, err := claude.Version(ctx, o.Path, o.Lead, o.Env...); err == nil {
			a.ClaudeVersion = v
		}
	}
	if v, err := git.Version(ctx); err == nil {
		a.GitVersion = v
	}
	return a, nil
}
