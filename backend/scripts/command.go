package scripts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
)

// finiteIn is how long setup and check may take.
const finiteIn = time.Hour

// lookIn is how long git may take to read the files of a task.
const lookIn = 2 * time.Minute

// told is how often at the most windows learn how much was printed.
const told = 200 * time.Millisecond

// lookAtPort is how often the port of a dev command that printed no address is looked at,
// and portIn how long one look may take.
const (
	lookAtPort = time.Second
	portIn     = 500 * time.Millisecond
)

// command is one that runs.
type command struct {
	s     *Scripts
	child *process.Child
	port  string        // BECKON_PORT
	done  chan struct{} // closed when run has its end
	// content names the files of the task; nil of a command that is about none.
	content func(context.Context) (string, error)

	mu   sync.Mutex // guards what follows
	run  beckon.ScriptRun
	ends beckon.ScriptState // why it was ended; empty where it ends by itself
}

// begin starts a command.
func (s *Scripts) begin(ctx context.Context, t beckon.Task, p beckon.Project, kind beckon.ScriptKind) (*command, error) {
	c := &command{s: s, done: make(chan struct{}), run: beckon.ScriptRun{
		ID: beckon.ScriptRunID(t.ID, kind), TaskID: t.ID, Kind: kind, State: beckon.ScriptRunning, Command: p.Scripts.Command(kind), Started: beckon.Now(),
	}}
	if err := s.reserve(c); err != nil {
		return nil, err
	}
	err := c.start(ctx, t, p)
	if err != nil {
		s.free(c)
		return nil, err
	}
	return c, nil
}

// reserve makes c the one that runs of its task and kind.
func (s *Scripts) reserve(c *command) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch key := c.run.ID; {
	case s.closed:
		return problem.New(problem.Closing, fmt.Errorf("Beckon is closing: %w", beckon.ErrConflict))
	case s.live[key] != nil:
		return problem.New(problem.CommandRuns, fmt.Errorf("the command %s runs already: %w", c.run.Kind, beckon.ErrConflict))
	default:
		s.live[key] = c
		delete(s.outdated, key)
		return nil
	}
}

func (s *Scripts) free(c *command) {
	s.mu.Lock()
	delete(s.live, c.run.ID)
	s.mu.Unlock()
	close(c.done)
}

// start starts the process. The place of the command is taken by then, so that who
// holds the task finds it.
func (c *command) start(ctx context.Context, t beckon.Task, p beckon.Project) (err error) {
	if c.run.Kind != beckon.ScriptSetup { // which runs before the agent has the worktree
		if err := c.s.Held(t.ID); err != nil {
			return err
		}
	}
	if t.Branch != "" && c.run.Kind == beckon.ScriptCheck {
		c.content = func(ctx context.Context) (string, error) { return c.s.Content(ctx, t, p) }
		if c.run.Content, err = c.content(ctx); err != nil {
			return err
		}
	}
	file, err := c.write()
	if err != nil {
		return err
	}
	printed, err := c.s.printed(t.ID, c.run.Kind).truncate()
	if err != nil {
		return err
	}
	if c.port, err = c.ports(ctx); err != nil {
		return errors.Join(err, printed.Close())
	}
	if err := c.s.Rows.Save(ctx, c.run); err != nil {
		return errors.Join(err, printed.Close())
	}
	if err := c.startChild(ctx, file, environ(os.Environ(), t, p, c.port), t.Worktree, printed); err != nil {
		c.fail(ctx, err)
		return errors.Join(err, printed.Close())
	}
	c.publish()
	return nil
}

// ports returns the first of the task's ports. A server needs one that is not in use.
func (c *command) ports(ctx context.Context) (string, error) {
	if c.run.Kind == beckon.ScriptDev {
		return c.s.Ports.Free(ctx, c.run.TaskID)
	}
	return c.s.Ports.Of(ctx, c.run.TaskID)
}

// write puts the command into a file, so that it can have several lines, and
// returns the file.
func (c *command) write() (string, error) {
	dir := filepath.Join(c.s.Dir, c.run.TaskID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(dir, string(c.run.Kind)+suffix)
	return name, process.WriteProgram(name, text(c.run.Command))
}

func (c *command) startChild(ctx context.Context, file string, env []string, dir string, printed *writer) error {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	out, in, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	path, args := interpreter(file, c.run.Command)
	child, err := process.Start(ctx, process.Spec{
		Path: path, Args: args, Dir: dir, Env: env, Stdin: null, Stdout: in, Stderr: in, Supervisor: c.s.Supervisor,
	})
	if err != nil {
		out.Close()
		return fmt.Errorf("start the command %s in %s: %w", c.run.Kind, dir, err)
	}
	c.mu.Lock()
	c.child = child
	ended := c.ends
	c.mu.Unlock()
	if ended != "" {
		c.end(ended)
	}
	go c.follow(out, printed)
	return nil
}

// fail notes that a command could not be started.
func (c *command) fail(ctx context.Context, err error) {
	c.run.State, c.run.Code, c.run.Reason, c.run.Ended = beckon.ScriptFailed, -1, beckon.ReasonOf(err), beckon.Now()
	if err := c.s.Rows.Save(ctx, c.run); err != nil {
		slog.Error("note how a command ended", "err", err, "task", c.run.TaskID)
	}
	c.publish()
}

// follow keeps what the command prints and notes its end.
func (c *command) follow(out *os.File, printed *writer) {
	if c.run.Kind != beckon.ScriptDev {
		defer time.AfterFunc(finiteIn, func() { c.end(beckon.ScriptLate) }).Stop()
	}
	tick, port := time.NewTicker(told), time.NewTicker(lookAtPort)
	defer tick.Stop()
	defer port.Stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if _, err := io.Copy(printed, out); err != nil {
			slog.Error("keep what a command prints", "err", err, "task", c.run.TaskID)
			_, _ = io.Copy(io.Discard, out) // it must not wait for room on the disk
		}
		out.Close()
	}()
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-tick.C:
			c.publishPrinted(printed)
		case <-port.C:
			if c.run.Kind == beckon.ScriptDev && c.state().URL == "" && listens(c.port) {
				printed.serve("http://localhost:" + c.port)
			}
		}
	}
	status := c.child.Wait() // set before follow began
	c.publishPrinted(printed)
	if err := printed.Close(); err != nil {
		slog.Error("keep what a command printed", "err", err, "task", c.run.TaskID)
	}
	c.finish(status)
}

// publishPrinted publishes how much was printed, where it is more than before.
func (c *command) publishPrinted(printed *writer) {
	length, url := printed.seen()
	c.mu.Lock()
	same := length == c.run.Length && url == c.run.URL
	c.run.Length, c.run.URL = length, url
	c.mu.Unlock()
	if !same {
		c.publish()
	}
}

func (c *command) finish(status process.Status) {
	left := c.left(status)
	c.mu.Lock()
	run, ends := c.run, c.ends
	c.mu.Unlock()
	run.Code, run.Reason, run.URL, run.Ended = status.Code, reason.Said(status.Signal), "", beckon.Now()
	switch {
	case ends != "":
		run.State = ends
	case status == process.Status{}:
		run.State = beckon.ScriptPassed
	default:
		run.State = beckon.ScriptFailed
	}
	if run.Refuted() {
		run.Content = cmp.Or(left, run.Content)
	}
	if run.State != beckon.ScriptLost { // the row says so when Beckon starts again
		if err := c.s.Rows.Save(context.Background(), run); err != nil && !errors.Is(err, beckon.ErrNotFound) {
			slog.Error("note how a command ended", "err", err, "task", run.TaskID)
		}
	}
	c.mu.Lock()
	c.run = run // who sees that it is over finds its row
	c.mu.Unlock()
	c.publish()
	c.s.free(c)
}

// left names the files that a check which did not succeed left: it may write some, and
// fails on the work with them as well.
func (c *command) left(status process.Status) string {
	c.mu.Lock()
	cut := c.ends != "" && c.ends != beckon.ScriptLate
	c.mu.Unlock()
	if c.content == nil || cut || status == (process.Status{}) {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookIn)
	defer cancel()
	content, err := c.content(ctx)
	if err != nil {
		slog.Error("look at the files that a check left", "err", err, "task", c.run.TaskID)
	}
	return content
}

func (c *command) publish() {
	run := c.state()
	c.s.Publish(beckon.Event{Script: &run})
}

func (c *command) state() beckon.ScriptRun {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.run
}

// wait returns the run when it is over.
func (c *command) wait() beckon.ScriptRun {
	<-c.done
	return c.state()
}

// stop ends the command for the user.
func (c *command) stop() { c.end(beckon.ScriptStopped) }

// lose ends it because Beckon ends.
func (c *command) lose() { c.end(beckon.ScriptLost) }

// end ends the command and all that it started. The first reason stays.
func (c *command) end(why beckon.ScriptState) {
	c.mu.Lock()
	c.ends = cmp.Or(c.ends, why)
	child := c.child
	c.mu.Unlock()
	if child == nil {
		return
	}
	if err := child.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		slog.Error("end a command", "err", err, "task", c.run.TaskID)
	}
}
