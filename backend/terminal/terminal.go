// Package terminal runs the user's shells in the worktrees of their tasks, each in a
// pseudo-terminal. It keeps the end of what each printed, within bounds, for pages that come
// and go; a page that reads slowly slows the shell that it reads and nothing else.
//
// A shell ends with its task's worktree and with Beckon, and all that it started with it. It
// is no agent: it takes no slot and keeps no computer awake. What a terminal prints is
// the page's to understand; nothing here does.
package terminal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
)

// mostOfTask bounds the terminals of one task.
const mostOfTask = 8

// Config is what Terminals works with.
type Config struct {
	Task    func(ctx context.Context, id string) (beckon.Task, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	// Environ returns what a shell of a task has in its environment on this computer.
	Environ func(context.Context, beckon.Task, beckon.Project) ([]string, error)
	// Held returns an error for the user while a task's worktree may be removed.
	Held    func(taskID string) error
	Publish func(beckon.Event)
	// Off refuses every terminal: this Beckon is served at a public address.
	Off bool
	// Tether is held by what ends the processes of a shell until nothing is left of them.
	Tether *process.Tether
	// Supervisor replaces this executable in tests; see package process.
	Supervisor string
}

// Terminals are the shells. Its methods may be called from any goroutine.
type Terminals struct {
	Config
	clearing sync.WaitGroup // what OnEvent began

	mu     sync.Mutex // guards what follows
	all    []*session // the oldest first
	closed bool
}

// New returns one without shells.
func New(c Config) *Terminals { return &Terminals{Config: c} }

// Open starts a shell in the worktree of a task.
func (x *Terminals) Open(ctx context.Context, taskID string, size executing.TerminalSize) (executing.Terminal, error) {
	if x.Off {
		err := fmt.Errorf("there are no terminals while Beckon is served at a public address: use one without -public: %w", beckon.ErrUnavailable)
		return executing.Terminal{}, problem.New(problem.TerminalsOff, err)
	}
	t, err := x.Task(ctx, taskID)
	if err != nil {
		return executing.Terminal{}, err
	}
	p, err := x.Project(ctx, t.ProjectID)
	if err == nil {
		err = p.CheckTrust()
	}
	if err != nil {
		return executing.Terminal{}, err
	}
	if over(t) {
		return executing.Terminal{}, problem.New(problem.TaskOver, fmt.Errorf("%s is over: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	}
	if t.Worktree == "" {
		return executing.Terminal{}, problem.New(problem.NoWorktree, fmt.Errorf("%s has no worktree yet: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	}
	s := newSession(x, t)
	gone, err := x.reserve(s, t)
	if err != nil {
		return executing.Terminal{}, err
	}
	if gone != "" {
		x.Publish(beckon.Event{Gone: gone})
	}
	// The task is asked about after its place is taken, so that a merge or discard that holds it
	// by then finds the shell.
	if err = x.Held(t.ID); err == nil {
		err = s.start(ctx, t, p, size)
	}
	if err != nil {
		s.abandon()
		x.remove(s)
		return executing.Terminal{}, err
	}
	return s.state(), nil
}

// reserve gives s its place among the terminals of a task. The oldest one that ended makes
// room for it; it returns that one's id.
func (x *Terminals) reserve(s *session, t beckon.Task) (gone string, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return "", problem.New(problem.Closing, fmt.Errorf("Beckon is closing: %w", beckon.ErrConflict))
	}
	own := slices.DeleteFunc(slices.Clone(x.all), func(one *session) bool { return one.is.TaskID != t.ID })
	if len(own) >= mostOfTask {
		i := slices.IndexFunc(own, func(one *session) bool { return one.state().Ended > 0 })
		if i < 0 {
			err := fmt.Errorf("%s has %d terminals: close one first: %w", t.Key, mostOfTask, beckon.ErrConflict)
			return "", problem.New(problem.ManyTerminals, err, "key", t.Key, "most", strconv.Itoa(mostOfTask))
		}
		x.all = slices.DeleteFunc(x.all, func(one *session) bool { return one == own[i] })
		gone = own[i].is.ID
	}
	x.all = append(x.all, s)
	return gone, nil
}

func (x *Terminals) remove(s *session) {
	x.mu.Lock()
	x.all = slices.DeleteFunc(x.all, func(one *session) bool { return one == s })
	x.mu.Unlock()
}

func (x *Terminals) find(id string) (*session, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, one := range x.all {
		if one.is.ID == id {
			return one, nil
		}
	}
	return nil, fmt.Errorf("the terminal is closed: %w", beckon.ErrNotFound)
}

// list returns the terminals of a task, or all of them where taskID is empty.
func (x *Terminals) list(taskID string) []*session {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(x.all), func(one *session) bool { return taskID != "" && one.is.TaskID != taskID })
}

// Output returns what a terminal printed from a place on, at most outputMost bytes of it. A
// caller that is behind holds the shell back while it goes on reading.
func (x *Terminals) Output(id string, from int64) (executing.TerminalOutput, error) {
	s, err := x.find(id)
	if err != nil {
		return executing.TerminalOutput{}, err
	}
	return s.output(from), nil
}

// Write types text into a terminal.
func (x *Terminals) Write(id, text string) error {
	s, err := x.find(id)
	if err != nil {
		return err
	}
	return s.write(text)
}

// Resize changes the size of a terminal.
func (x *Terminals) Resize(id string, size executing.TerminalSize) error {
	s, err := x.find(id)
	if err != nil {
		return err
	}
	return s.resize(size)
}

// End ends a shell with all that it started, and forgets what it printed. Where something runs
// in it, that is refused unless the user is sure.
func (x *Terminals) End(id string, sure bool) error {
	s, err := x.find(id)
	if errors.Is(err, beckon.ErrNotFound) { // another page closed it, and this one missed that
		x.Publish(beckon.Event{Gone: id})
		return nil
	}
	if !sure && s.busy() {
		return problem.New(problem.TerminalBusy, fmt.Errorf("something runs in the terminal: %w", beckon.ErrConflict))
	}
	x.end(s)
	return nil
}

func (x *Terminals) end(s *session) {
	s.end()
	x.remove(s)
	x.Publish(beckon.Event{Gone: s.is.ID})
}

// Clear ends all shells of a task, whose worktree is about to be removed.
func (x *Terminals) Clear(taskID string) {
	if taskID == "" {
		return
	}
	x.endAll(x.list(taskID))
}

// OnEvent ends the shells of a task that is over by now, or gone. It returns at once.
func (x *Terminals) OnEvent(e beckon.Event) {
	taskID := e.Gone
	if e.Task != nil && over(*e.Task) {
		taskID = e.Task.ID
	}
	if taskID == "" {
		return
	}
	if all := x.list(taskID); len(all) > 0 {
		x.clearing.Go(func() { x.endAll(all) })
	}
}

func over(t beckon.Task) bool { return t.Status == beckon.Done || t.Status == beckon.Archived }

// Close ends all shells and lets none begin. It waits for that no longer than ctx allows; an
// error says that something may be left.
func (x *Terminals) Close(ctx context.Context) error {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		x.endAll(x.list(""))
		x.clearing.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("end the shells: %w", context.Cause(ctx))
	}
}

func (x *Terminals) endAll(all []*session) {
	var ending sync.WaitGroup
	for _, one := range all {
		ending.Go(func() { x.end(one) })
	}
	ending.Wait()
}

// Busy names the tasks, by their keys, in whose terminals something runs that ends with
// Beckon.
func (x *Terminals) Busy() []string {
	keys := []string{}
	for _, one := range x.list("") {
		if one.busy() && !slices.Contains(keys, one.key) {
			keys = append(keys, one.key)
		}
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}

// State returns the terminals as events, for a client that is new.
func (x *Terminals) State(context.Context) ([]beckon.Event, error) {
	events := []beckon.Event{}
	for _, one := range x.list("") {
		state := one.state()
		events = append(events, beckon.Event{Terminal: &state})
	}
	return events, nil
}
