// Package takeover continues in Beckon what began elsewhere. A session that has
// ended becomes a chat of a new task, in the same folder and with what was said
// before as the beginning of its transcript. One that lives is never resumed
// beside itself, since both would write into one file: it is continued as a copy,
// or once it is closed where it runs. The way back is a command for a terminal.
package takeover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/disk"
	"beckon/backend/observe"
	"beckon/backend/transcript"
)

// Store is where tasks and runs are kept.
type Store interface {
	Projects(context.Context) ([]beckon.Project, error)
	Tasks(context.Context) ([]beckon.Task, error)
	Project(ctx context.Context, id string) (beckon.Project, error)
	Task(ctx context.Context, id string) (beckon.Task, error)
	Run(ctx context.Context, id string) (beckon.Run, error)
	LiveRuns(context.Context) ([]beckon.Run, error)
	IsOwnSession(ctx context.Context, session string) (bool, error)
	TakeOver(ctx context.Context, past *beckon.Run, questions bool) error
	DeleteTask(ctx context.Context, id string) error
}

// Agents give a task its chat.
type Agents interface {
	Usable(context.Context) error
	StartChat(context.Context, beckon.Task, beckon.Project, beckon.Run) (beckon.Run, error)
}

// Past says which sessions ended, and which have not.
type Past interface {
	// Sessions lists those that were written since and that no process has open, the
	// newest first, at most so many.
	Sessions(roots []string, since time.Time, most int) []observe.Session
	// Open reports whether a process that Beckon did not start has a session open.
	Open(roots []string, session string) bool
	// Living reports whether the process of a session lives at this moment.
	Living(observe.Session) bool
}

// Config is what a Taker works with.
type Config struct {
	Store      Store
	Agents     Agents
	CreateTask func(context.Context, beckon.NewTask) (beckon.Task, error)
	Publish    func(beckon.Event)
	// Watcher returns what sees the sessions, nil while the user wants to see none.
	Watcher func() *observe.Watcher
	Past    Past
	// Copy makes what was said in a session the transcript of a run, and returns
	// the model that spoke last and the first that a person said.
	Copy func(runID string, s observe.Session) (model, prompt string, err error)
	// Repo returns the main worktree of the repository that a folder is another
	// worktree of, "" for none.
	Repo func(dir string) string
	// Changed tells of a session whose wait began, ended or failed.
	Changed func(id string)
	Logs    string // the folder of the transcripts
	Trials  string // the folder below which agents are only tried
	// Home is the folder of the CLI's files that Beckon's own agents have.
	Home string
}

// Taker takes sessions over. It is safe for use from several goroutines.
type Taker struct {
	Config
	ctx     context.Context
	cancel  context.CancelFunc
	working sync.WaitGroup

	taking sync.Mutex // held while a session is taken over: it is taken once

	mu    sync.Mutex
	waits map[string]*wait // by observe.Session.ID
}

// New returns a Taker that waits for nothing.
func New(c Config) *Taker {
	t := &Taker{Config: c, waits: map[string]*wait{}}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Continue makes a session, or a copy of it, a chat of Beckon's own.
func (t *Taker) Continue(ctx context.Context, id string, copied bool) (beckon.Task, error) {
	t.taking.Lock()
	defer t.taking.Unlock()
	s, err := t.find(ctx, id)
	if err != nil {
		return beckon.Task{}, err
	}
	if !copied && t.open(s) {
		return beckon.Task{}, errOpen
	}
	p, err := t.placeOf(ctx, s)
	if err != nil {
		return beckon.Task{}, err
	}
	if err := errors.Join(p.CheckTrust(), t.Agents.Usable(ctx)); err != nil {
		return beckon.Task{}, err
	}
	return t.makeTask(ctx, s, p, copied)
}

var (
	errGone  = problem.New(problem.SessionGone, fmt.Errorf("the session is no longer listed, and nothing was changed; it may have been continued already: %w", beckon.ErrNotFound))
	errEmpty = problem.New(problem.SessionEmpty, fmt.Errorf("nothing was said in the session, so there is nothing to continue: %w", beckon.ErrConflict))
	errOpen  = problem.New(problem.SessionOpen, fmt.Errorf("the session is open in a terminal or another program, and two would write into it; close it there, or continue a copy: %w", beckon.ErrConflict))
)

func errNoFolder(dir string) error {
	return problem.New(problem.SessionFolder, fmt.Errorf("the session's folder %s is gone, and Claude continues a session in its own folder only; "+
		"the session is kept: bring the folder back and try again: %w", dir, beckon.ErrConflict), "dir", dir)
}

// errHeld is why a run ends before its agent begins.
var errHeld = problem.New(problem.SessionOpen, reason.Of(reason.SessionHeld).Err(beckon.ErrConflict))

// find returns a session that the watcher knows, or that ended within a day, and
// that is not Beckon's own.
func (t *Taker) find(ctx context.Context, id string) (observe.Session, error) {
	w := t.Watcher()
	if w == nil {
		return observe.Session{}, errGone
	}
	s, known := w.Find(id)
	if !known || s.File == "" { // it may have ended before the watcher saw its file
		for _, one := range t.ended(w) {
			if one.SessionID == id || known && one.SessionID == s.SessionID {
				s, known = one, true
			}
		}
	}
	if !known {
		return s, errGone
	}
	if own, err := t.Store.IsOwnSession(ctx, s.SessionID); own || err != nil {
		return s, errors.Join(errGone, err)
	}
	if s.File == "" {
		return s, errEmpty
	}
	return s, nil
}

// open reports whether a process has the session open.
func (t *Taker) open(s observe.Session) bool {
	return t.Past.Living(s) || t.Past.Open([]string{s.Root}, s.SessionID)
}

// Elsewhere returns why a run may not go on with its session, if so.
func (t *Taker) Elsewhere(run beckon.Run) error {
	if t.Past.Open([]string{cmp.Or(run.ConfigDir, t.Home)}, run.Session) {
		return errHeld
	}
	return nil
}

// placeOf returns the project that a session is in, by its folder, by a task that has
// its worktree there, or by its repository.
func (t *Taker) placeOf(ctx context.Context, s observe.Session) (p beckon.Project, err error) {
	dir, err := filepath.EvalSymlinks(s.CWD)
	info, err2 := os.Stat(dir)
	if err != nil || err2 != nil || !info.IsDir() {
		return p, errNoFolder(s.CWD)
	}
	projects, err := t.Store.Projects(ctx)
	if err != nil {
		return p, err
	}
	tasks, err := t.Store.Tasks(ctx)
	if err != nil {
		return p, err
	}
	places := slices.Clone(projects)
	for _, task := range tasks {
		for _, project := range projects {
			if task.ProjectID == project.ID && task.Worktree != "" {
				project.Dir = task.Worktree
				places = append(places, project)
			}
		}
	}
	at, found := observe.ProjectOf(places, dir, real(t.Repo(dir)))
	if !found {
		return p, problem.New(problem.SessionProject,
			fmt.Errorf("%s is in no project of Beckon's; make it one, and continue then: %w", dir, beckon.ErrConflict), "dir", dir)
	}
	return projects[slices.IndexFunc(projects, func(p beckon.Project) bool { return p.ID == at.ID })], nil
}

// makeTask makes the task, its past and its chat.
func (t *Taker) makeTask(ctx context.Context, s observe.Session, p beckon.Project, copied bool) (task beckon.Task, err error) {
	before := beckon.Run{
		ID: beckon.NewID(), Kind: beckon.ExternalRun, Outcome: beckon.Succeeded, Session: s.SessionID,
		Dir: s.CWD, Started: s.Started, Ended: beckon.Now(),
	}
	if s.Root != real(t.Home) {
		before.ConfigDir = s.Root
	}
	model, prompt, err := t.Copy(before.ID, s)
	if err != nil {
		return task, fmt.Errorf("read the session; it is kept as it is: %w", err)
	}
	title := cmp.Or(strings.TrimSpace(s.Name), prompt, filepath.Base(s.CWD))
	if task, err = t.CreateTask(ctx, beckon.NewTask{ProjectID: p.ID, Title: title, Agent: beckon.ClaudeCode, Model: model}); err != nil {
		logged("remove a transcript", transcript.Remove(t.Logs, before.ID))
		return task, err
	}
	before.TaskID, before.Model = task.ID, model
	chat := beckon.Run{Session: s.SessionID, Dir: s.CWD, ConfigDir: before.ConfigDir, Model: model, Mode: p.Mode}
	if copied {
		chat.Session, chat.CopyOf = "", s.SessionID
	}
	if err = t.Store.TakeOver(ctx, &before, !copied); err == nil {
		t.Publish(beckon.Event{Run: &before})
		_, err = t.Agents.StartChat(ctx, task, p, chat)
	}
	if err != nil {
		t.undo(ctx, task, before)
		return task, err
	}
	if w := t.Watcher(); w != nil {
		w.Disown() // it is no longer listed
	}
	return task, nil
}

// undo takes away what was made for a session whose chat could not begin.
func (t *Taker) undo(ctx context.Context, task beckon.Task, before beckon.Run) {
	ctx = context.WithoutCancel(ctx)
	logged("remove a task", t.Store.DeleteTask(ctx, task.ID))
	logged("remove a transcript", transcript.Remove(t.Logs, before.ID))
	t.Publish(beckon.Event{Gone: task.ID})
}

// real returns a folder with its links resolved.
func real(dir string) string {
	if found, err := filepath.EvalSymlinks(dir); err == nil {
		return found
	}
	return dir
}

// The sessions that ended are listed for a day, the newest ones.
const (
	day      = 24 * time.Hour
	mostPast = 50
)

// ended lists the sessions that ended within a day.
func (t *Taker) ended(w *observe.Watcher) []observe.Session {
	roots := w.State().Roots // none before its first look
	if home := real(t.Home); !slices.Contains(roots, home) {
		roots = append(slices.Clone(roots), home)
	}
	return t.Past.Sessions(roots, time.Now().Add(-day), mostPast)
}

// Ended lists the sessions that ended within a day and are not Beckon's own, the
// newest first.
func (t *Taker) Ended(ctx context.Context) ([]beckon.OutsideSession, error) {
	list := []beckon.OutsideSession{}
	w := t.Watcher()
	if w == nil {
		return list, nil
	}
	for _, s := range t.ended(w) {
		own, err := t.Store.IsOwnSession(ctx, s.SessionID)
		if err != nil {
			return nil, err
		}
		if own || disk.Inside(t.Trials, s.CWD) {
			continue
		}
		if known, is := w.Find(s.SessionID); is { // its presence file said what it is called
			s.Name, s.CWD, s.Started = known.Name, known.CWD, known.Started
		}
		list = append(list, beckon.OutsideSession{
			ID: s.SessionID, Name: cmp.Or(s.Name, filepath.Base(s.CWD)), Dir: s.CWD, Root: s.Root, Version: s.Version, Entrypoint: s.Entrypoint,
			Started: s.Started, Ended: s.Ended, LastText: s.Last.Text, LastByUser: s.Last.User, LastAt: s.Last.At,
			Agents: []string{}, Asks: []beckon.OutsideAsk{},
		})
	}
	return list, nil
}

func logged(doing string, err error) {
	if err != nil {
		slog.Error(doing, "err", err)
	}
}
