// Package scripts runs the commands of projects in the worktrees of their tasks:
// setup once when a worktree is new, check and dev when the user says so. It keeps
// what they print, within bounds, and leaves no process behind.
//
// A command is the user's own, but what it runs is the repository's: nothing runs
// before the project is trusted.
package scripts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/worktrees"
)

// Tree is a task's worktree.
type Tree interface {
	// Prepared reports whether it was made ready, which SetPrepared notes.
	Prepared(ctx context.Context) (bool, error)
	SetPrepared(ctx context.Context) error
	// Included returns the patterns of what the project's folder itself wants copied.
	Included() ([]string, error)
	// CopyIgnored copies what the patterns mean of the files that git ignores in
	// the project's folder.
	CopyIgnored(ctx context.Context, patterns []string) ([]string, error)
}

// Config is what Scripts works with.
type Config struct {
	Rows    worktrees.Runs
	Ports   *Ports
	Publish func(beckon.Event)
	Dir     string // keeps what commands print
	Task    func(ctx context.Context, id string) (beckon.Task, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	Tree    func(beckon.Task, beckon.Project) Tree
	// Content names what the files of a task amount to.
	Content func(context.Context, beckon.Task, beckon.Project) (string, error)
	// Held returns an error for the user while a task's worktree may be removed.
	Held func(taskID string) error
	// Supervisor replaces this executable in tests; see package process.
	Supervisor string
}

// Scripts runs commands. Its methods may be called from any goroutine.
type Scripts struct {
	Config

	mu       sync.Mutex // guards what follows
	live     map[string]*command
	outdated map[string]bool // by their ids, those that were looked at
	closed   bool
}

// New returns one that runs nothing yet.
func New(c Config) *Scripts {
	return &Scripts{Config: c, live: map[string]*command{}, outdated: map[string]bool{}}
}

// Start notes of commands that ran when Beckon ended that they do not any more,
// and removes what those printed whose tasks are gone.
func (s *Scripts) Start(ctx context.Context) error {
	if _, err := s.Rows.Lose(ctx, beckon.Now()); err != nil {
		return err
	}
	rows, err := s.Rows.All(ctx)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, row := range rows {
		known[row.TaskID] = true
	}
	folders, err := os.ReadDir(s.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, folder := range folders {
		if !known[folder.Name()] {
			if err := os.RemoveAll(filepath.Join(s.Dir, folder.Name())); err != nil { // it only takes room
				slog.Error("remove what commands of a deleted task printed", "err", err, "task", folder.Name())
			}
		}
	}
	return err
}

// All returns how each command of each task ran the last time.
func (s *Scripts) All(ctx context.Context) ([]beckon.ScriptRun, error) {
	rows, err := s.Rows.All(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, row := range rows {
		if c := s.live[row.ID]; c != nil {
			rows[i] = c.state()
		} else {
			rows[i].Length, rows[i].Outdated = s.printed(row.TaskID, row.Kind).length(), s.outdated[row.ID]
		}
	}
	return rows, nil
}

// State returns the same as events, for a client that is new.
func (s *Scripts) State(ctx context.Context) ([]beckon.Event, error) {
	all, err := s.All(ctx)
	events := make([]beckon.Event, len(all))
	for i := range all {
		events[i].Script = &all[i]
	}
	return events, err
}

// Run starts a task's command: check or dev, or setup again.
func (s *Scripts) Run(ctx context.Context, taskID string, kind beckon.ScriptKind) (beckon.ScriptRun, error) {
	t, p, err := s.read(ctx, taskID)
	if err != nil {
		return beckon.ScriptRun{}, err
	}
	if err := startable(t, p, kind); err != nil {
		return beckon.ScriptRun{}, err
	}
	c, err := s.begin(ctx, t, p, kind)
	if err != nil {
		return beckon.ScriptRun{}, err
	}
	go func() {
		run := c.wait()
		if kind != beckon.ScriptSetup || run.State != beckon.ScriptPassed {
			return
		}
		if err := s.Tree(t, p).SetPrepared(context.WithoutCancel(ctx)); err != nil {
			slog.Error("note that a worktree is ready", "err", err, "task", t.ID)
		}
	}()
	return c.state(), nil
}

func startable(t beckon.Task, p beckon.Project, kind beckon.ScriptKind) error {
	if err := p.CheckTrust(); err != nil {
		return err
	}
	if p.Scripts.Command(kind) == "" {
		return problem.New(problem.NoCommand, fmt.Errorf("%s has no %s command: %w", p.Name, kind, beckon.ErrInvalid), "name", p.Name)
	}
	if t.Worktree == "" {
		return problem.New(problem.NoWorktree, fmt.Errorf("%s has no worktree yet: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	}
	return nil
}

// Prepare makes a worktree ready that is new: it copies the files that git ignores
// and runs the setup command to its end. It does so until it has succeeded once, or
// Skip was called. An error is for the user, whose agent does not start.
func (s *Scripts) Prepare(ctx context.Context, t beckon.Task, p beckon.Project) error {
	patterns, err := s.Copied(p)
	if err != nil || p.Scripts.Setup == "" && len(patterns) == 0 {
		return err
	}
	tree := s.Tree(t, p)
	if ready, err := tree.Prepared(ctx); err != nil || ready {
		return err
	}
	if _, err := tree.CopyIgnored(ctx, patterns); err != nil {
		return err
	}
	if p.Scripts.Setup != "" {
		if err := s.setUp(ctx, t, p); err != nil {
			return err
		}
	}
	return tree.SetPrepared(ctx)
}

// Copied returns the patterns of the files that git ignores and each task of a project gets: what the settings
// name, else what the project's folder itself wants copied.
func (s *Scripts) Copied(p beckon.Project) ([]string, error) {
	if len(p.Scripts.Copied) > 0 {
		return p.Scripts.Copied, nil
	}
	return s.Tree(beckon.Task{}, p).Included()
}

func (s *Scripts) setUp(ctx context.Context, t beckon.Task, p beckon.Project) error {
	c, err := s.begin(ctx, t, p, beckon.ScriptSetup)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, c.stop)()
	run := c.wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if run.State != beckon.ScriptPassed {
		err := fmt.Errorf("the setup command of %s did not succeed: see what it printed, and start the task again: %w", t.Key, beckon.ErrConflict)
		return problem.New(problem.SetupFailed, err, "key", t.Key)
	}
	return nil
}

// Skip takes a worktree for ready as it is.
func (s *Scripts) Skip(ctx context.Context, taskID string) error {
	t, p, err := s.read(ctx, taskID)
	if err != nil {
		return err
	}
	if t.Branch == "" || t.Worktree == "" {
		return problem.New(problem.NoWorktree, fmt.Errorf("%s has no worktree yet: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	}
	return s.Tree(t, p).SetPrepared(ctx)
}

// Stop ends a task's command and all that it started. One that does not run is no
// error.
func (s *Scripts) Stop(taskID string, kind beckon.ScriptKind) {
	if c := s.running(taskID, kind); c != nil {
		c.stop()
		c.wait()
	}
}

// Clear ends all commands of a task, whose worktree is about to be removed.
func (s *Scripts) Clear(taskID string) {
	for _, kind := range beckon.ScriptKinds {
		s.Stop(taskID, kind)
	}
}

// Close ends all commands and lets none begin.
func (s *Scripts) Close() {
	s.mu.Lock()
	s.closed = true
	live := make([]*command, 0, len(s.live))
	for _, c := range s.live {
		live = append(live, c)
	}
	s.mu.Unlock()
	for _, c := range live {
		c.lose()
	}
	for _, c := range live {
		c.wait()
	}
}

// Output returns what a task's command printed the last time, from a place on, or
// the end of it where that is no longer kept.
func (s *Scripts) Output(taskID string, kind beckon.ScriptKind, from int64) (beckon.ScriptOutput, error) {
	if !known(taskID, kind) {
		return beckon.ScriptOutput{}, beckon.ErrNotFound
	}
	return s.printed(taskID, kind).read(from)
}

// LookAtCheck looks whether the files of a task are still those that its check is about, and
// publishes the check where that is another than before.
func (s *Scripts) LookAtCheck(ctx context.Context, taskID string) error {
	t, p, err := s.read(ctx, taskID)
	if err != nil {
		return err
	}
	run, found, err := s.Rows.Of(ctx, taskID, beckon.ScriptCheck)
	if err != nil || !found || run.Ended == 0 || t.Branch == "" {
		return err
	}
	content, err := s.Content(ctx, t, p)
	if err != nil {
		return err
	}
	run.Length, run.Outdated = s.printed(taskID, beckon.ScriptCheck).length(), content != run.Content
	s.mu.Lock()
	another := s.live[run.ID] == nil && s.outdated[run.ID] != run.Outdated
	if another {
		s.outdated[run.ID] = run.Outdated
	}
	s.mu.Unlock()
	if another {
		s.Publish(beckon.Event{Script: &run})
	}
	return nil
}

// Passed returns an error for the user where the check failed on the files of a task as
// they are.
func (s *Scripts) Passed(ctx context.Context, t beckon.Task, p beckon.Project) error {
	run, _, err := s.Rows.Of(ctx, t.ID, beckon.ScriptCheck)
	if err != nil || !run.Refuted() {
		return err
	}
	if content, err := s.Content(ctx, t, p); err != nil || content != run.Content {
		return err
	}
	err = fmt.Errorf("the check of %s failed on its work as it is, so it was not merged: %w", t.Key, beckon.ErrConflict)
	return problem.New(problem.CheckFailed, err, "key", t.Key)
}

func (s *Scripts) running(taskID string, kind beckon.ScriptKind) *command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[beckon.ScriptRunID(taskID, kind)]
}

func (s *Scripts) read(ctx context.Context, taskID string) (beckon.Task, beckon.Project, error) {
	t, err := s.Task(ctx, taskID)
	if err != nil {
		return t, beckon.Project{}, err
	}
	p, err := s.Project(ctx, t.ProjectID)
	return t, p, err
}
