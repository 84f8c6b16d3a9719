package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"beckon/backend/beckon"
)

// CreateTask puts a new card on the board, and starts it where asked to. Where
// no agent could work there is no card either.
func (r *Runner) CreateTask(ctx context.Context, n beckon.NewTask) (beckon.Task, error) {
	p, err := r.Store.Project(ctx, n.ProjectID)
	if err != nil {
		return beckon.Task{}, err
	}
	t := beckon.Task{
		ID: beckon.NewID(), ProjectID: p.ID, Title: oneLine(n.Title), Brief: n.Brief,
		Status: beckon.Backlog, Labels: orEmpty(n.Labels), Priority: n.Priority,
		Model: or(n.Model, p.Model), Mode: or(n.Mode, p.Mode), Policy: or(n.Policy, p.Policy), WaitMs: n.WaitMs, Base: p.Base,
	}
	if t.WaitMs == 0 {
		t.WaitMs = p.WaitMs
	}
	if err := checkTask(t); err != nil {
		return t, err
	}
	if !slices.Contains([]beckon.Status{"", beckon.Backlog, beckon.Queued, beckon.Running}, n.Status) {
		return t, invalid("a new task stands in backlog, queued or running, not in %q", n.Status)
	}
	if n.Status == beckon.Queued {
		t.Status, err = beckon.Queued, trusted(p)
	}
	if n.Status == beckon.Running {
		err = r.runnable(ctx, p)
	}
	if err != nil {
		return t, err // before there is a card that a second attempt would double
	}
	if err := r.Store.CreateTask(ctx, &t); err != nil {
		return t, err
	}
	r.publishTask(ctx, t)
	if n.Status == beckon.Running {
		return r.MoveTask(ctx, t.ID, beckon.Running, 0)
	}
	r.wake()
	return t, nil
}

// EditTask replaces what the user may edit of a task. A live run keeps the
// model and mode that it started with.
func (r *Runner) EditTask(ctx context.Context, id string, edit beckon.TaskEdit) (beckon.Task, error) {
	return r.updateTask(ctx, id, func(t *beckon.Task) error {
		t.Title, t.Brief, t.Labels, t.Priority = oneLine(edit.Title), edit.Brief, orEmpty(edit.Labels), edit.Priority
		t.Model, t.Mode, t.Policy, t.WaitMs = edit.Model, edit.Mode, edit.Policy, edit.WaitMs
		return checkTask(*t)
	})
}

// oneLine makes a title of what was typed or pasted: one line, no NUL.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", "")), " ")
}

// checkTask refuses what a task can not be.
func checkTask(t beckon.Task) error {
	switch {
	case t.Title == "":
		return invalid("a task needs a title")
	case len(t.Title) > beckon.MaxTitle:
		return invalid("a title has at most %d bytes, this one %d; the brief has room for the rest", beckon.MaxTitle, len(t.Title))
	case len(t.Brief) > beckon.MaxBrief:
		return invalid("a brief has at most %d bytes, this one %d", beckon.MaxBrief, len(t.Brief))
	case t.Priority < 0 || t.Priority > 4:
		return invalid("a priority is 0 to 4, not %d", t.Priority)
	case !soundModel(t.Model):
		return invalid("%.80q is no model's name", t.Model)
	}
	if err := checkLabels(t.Labels); err != nil {
		return err
	}
	return checkDefaults(t.Mode, t.Policy, t.WaitMs)
}

// A card has room for so many labels, of so many bytes each.
const (
	maxLabels = 20
	maxLabel  = 80
)

func checkLabels(labels []string) error {
	if len(labels) > maxLabels {
		return invalid("a task has at most %d labels, not %d", maxLabels, len(labels))
	}
	for _, label := range labels {
		if strings.TrimSpace(label) == "" || len(label) > maxLabel || strings.ContainsFunc(label, unicode.IsControl) {
			return invalid("a label is one line of 1 to %d bytes, which %.80q is not", maxLabel, label)
		}
	}
	return nil
}

// soundModel reports whether the CLI can be given a model's name.
func soundModel(name string) bool {
	return len(name) <= 200 && !strings.HasPrefix(name, "-") && !strings.ContainsFunc(name, unicode.IsControl)
}

// MoveTask puts a card into a column at a rank, 0 for its end. Moving it to
// running starts or resumes its agent at once; moving it out of running stops
// the agent first, and everything it wrote is kept. A card in running whose
// agent is gone, or is just going, starts again where it is moved there without
// a rank.
func (r *Runner) MoveTask(ctx context.Context, id string, to beckon.Status, rank float64) (beckon.Task, error) {
	if !slices.Contains(beckon.Statuses, to) {
		return beckon.Task{}, invalid("there is no column %q", to)
	}
	t, err := r.Store.Task(ctx, id)
	if err != nil {
		return t, err
	}
	if err := new(t).Move(to); err != nil {
		return t, err
	}
	switch {
	case to == beckon.Running && (t.Status != to || rank == 0 && !r.works(id)):
		return r.begin(ctx, id, placement{rank: rank})
	case to == beckon.Archived && t.Status != to:
		return r.archive(ctx, id, rank)
	case to == beckon.Done && t.Status != to && t.Status != beckon.Archived:
		return r.finishTask(ctx, id, rank, false)
	case to == beckon.Queued && t.Status != to:
		err = r.queueable(ctx, t)
	}
	if err != nil {
		return t, err
	}
	t, working, err := r.moveCard(ctx, id, ranked(to, rank))
	if err != nil {
		return t, err
	}
	if working != nil && to != beckon.Running {
		working.end(beckon.Stopped, fmt.Sprintf("You moved the card to %s.", to))
	}
	r.wake()
	return t, nil
}

// works reports whether an agent is at work on a task and is not ending.
func (r *Runner) works(id string) bool {
	l := r.liveRun(id)
	return l != nil && l.kind() == beckon.TaskRun && !l.ending()
}

// ranked moves a card and gives it its place in the column.
func ranked(to beckon.Status, rank float64) func(*beckon.Task) error {
	return func(t *beckon.Task) error {
		switch {
		case rank != 0:
			t.Rank = rank
		case t.Status != to:
			t.Rank = last()
		}
		if to == beckon.Queued {
			t.Trouble = "" // it is tried again
		}
		return t.Move(to)
	}
}

// queueable returns why the queue could only put a task back, if so: who
// queues it learns that at once.
func (r *Runner) queueable(ctx context.Context, t beckon.Task) error {
	p, err := r.Store.Project(ctx, t.ProjectID)
	if err != nil {
		return err
	}
	return trusted(p)
}

// last is a rank behind every other: the moment, in milliseconds.
func last() float64 { return float64(beckon.Now()) }

// DeleteTask discards a task's work and removes its card, runs and transcript.
// token is the Loss that the user saw.
func (r *Runner) DeleteTask(ctx context.Context, id, token string) error {
	t, p, release, err := r.take(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	if _, err := r.discardWork(ctx, t, p, token); err != nil {
		return err
	}
	runs, err := r.Store.Runs(ctx, id)
	if err != nil {
		return err
	}
	if err := r.Store.DeleteTask(ctx, id); err != nil {
		return err
	}
	r.removeLogs(runs)
	r.publishGone(id)
	return nil
}

// SaveSettings replaces the user's settings.
func (r *Runner) SaveSettings(ctx context.Context, s beckon.Settings) error {
	switch {
	case s.Slots < 1 || s.Slots > 32:
		return invalid("1 to 32 agents can work at once, not %d", s.Slots)
	case !slices.Contains([]string{"", "en", "de"}, s.Language):
		return invalid("there is no translation into %q", s.Language)
	case len(s.Shortcut) > 40 || strings.ContainsFunc(s.Shortcut, unicode.IsControl):
		return invalid("%.40q is no combination of keys", s.Shortcut)
	case !slices.Contains([]string{"", "light", "dark"}, s.Theme):
		return invalid("there is no theme %q", s.Theme)
	case !ofDay(s.Notify.QuietFrom) || !ofDay(s.Notify.QuietTo):
		return invalid("quiet hours are minutes of a day, not %d to %d", s.Notify.QuietFrom, s.Notify.QuietTo)
	}
	r.settings.Lock()
	defer r.settings.Unlock()
	return r.saveSettings(ctx, s)
}

// ofDay tells whether a day has that minute.
func ofDay(minute int) bool { return 0 <= minute && minute < 24*60 }
