package terminal

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
)

const (
	// outputMost is how much of what a terminal printed is read at once, in bytes.
	outputMost = 64 << 10
	// aheadMost is how far a shell may be ahead of the page that reads it, and patience how
	// long a page that reads may say nothing until the shell goes on without it.
	aheadMost = 4 * outputMost
	patience  = 2 * time.Second
)

// session is one shell.
type session struct {
	x    *Terminals
	key  string        // of its task
	done chan struct{} // closed when nothing is left of the shell

	mu   sync.Mutex // guards what follows
	is   executing.Terminal
	kept scrollback
	told bool // clients know that there is more than they read
	// read is how far a page has read, and heard when it last did; there is none where it is
	// zero.
	read  int64
	heard time.Time
	moved chan struct{} // holds one: a page has read on, or the shell is to end

	child  *process.Terminal // nil before it started
	ending bool
	over   bool // all that is to be ended is: what was printed last is read, and no more comes
}

func newSession(x *Terminals, t beckon.Task) *session {
	return &session{
		x: x, key: t.Key, done: make(chan struct{}), moved: make(chan struct{}, 1),
		is: executing.Terminal{ID: beckon.NewID(), TaskID: t.ID, Dir: t.Worktree, Started: beckon.Now()},
	}
}

// start starts the shell.
func (s *session) start(ctx context.Context, t beckon.Task, p beckon.Project, size executing.TerminalSize) error {
	env, err := s.x.Environ(ctx, t, p)
	if err != nil {
		return err
	}
	path, args := shell(os.Getenv)
	child, err := process.StartTerminal(ctx, process.Spec{
		Path: path, Args: args, Dir: t.Worktree, Env: environ(env), Tether: s.x.Tether, Supervisor: s.x.Supervisor,
	}, process.Size(size))
	if err != nil {
		return fmt.Errorf("open a shell in %s: %w", t.Worktree, err)
	}
	s.mu.Lock()
	s.child = child
	ending := s.ending
	s.mu.Unlock()
	s.publish() // before follow says anything
	go s.follow()
	if ending {
		_ = child.Kill() // it fails where the shell is over already
	}
	return nil
}

// abandon ends the wait for a shell that did not start.
func (s *session) abandon() { close(s.done) }

// follow keeps what the shell prints until nothing is left of it.
func (s *session) follow() {
	go func() {
		s.child.Wait()
		s.mu.Lock()
		s.over = true
		s.mu.Unlock()
		s.wake()
	}()
	into := make([]byte, 32<<10)
	for {
		n, err := s.child.Read(into)
		if n > 0 {
			s.keep(into[:n])
		}
		if err != nil { // the last program that had the terminal is gone, or was given up
			break
		}
	}
	status := s.child.Wait()
	if err := s.child.Close(); err != nil {
		slog.Error("close a terminal", "err", err, "task", s.is.TaskID)
	}
	s.mu.Lock()
	s.is.Ended, s.is.Code, s.is.Signal = beckon.Now(), status.Code, status.Signal
	s.mu.Unlock()
	s.publish()
	close(s.done) // after the last event: none may follow that of a terminal that is closed
}

// keep keeps what was printed, and waits while a page that reads is far behind.
func (s *session) keep(text []byte) {
	s.mu.Lock()
	s.kept.add(text)
	s.is.Length = s.kept.end()
	tell := !s.told
	s.told = true
	s.mu.Unlock()
	if tell {
		s.publish()
	}
	for {
		left := s.pause()
		if left <= 0 {
			return
		}
		timer := time.NewTimer(left)
		select {
		case <-s.moved:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// pause returns how long the page that reads may still be waited for; 0 where none is to be.
func (s *session) pause() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending || s.over || s.heard.IsZero() || s.kept.end()-s.read <= aheadMost {
		return 0
	}
	left := patience - time.Since(s.heard)
	if left <= 0 {
		s.heard = time.Time{} // it is gone, or shows something else
	}
	return left
}

func (s *session) output(from int64) executing.TerminalOutput {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, from := s.kept.from(from, outputMost)
	out := executing.TerminalOutput{Data: base64.StdEncoding.EncodeToString(text), From: from, Next: from + int64(len(text)), End: s.kept.end()}
	out.More = out.Next < out.End
	if !out.More {
		s.told = false
	}
	// Of several pages the one that is furthest is waited for: the others miss what they
	// cannot read in time.
	if now := time.Now(); out.Next >= s.read || now.Sub(s.heard) > patience {
		s.read, s.heard = out.Next, now
	}
	s.wake()
	return out
}

func (s *session) wake() {
	select {
	case s.moved <- struct{}{}:
	default:
	}
}

func (s *session) write(text string) error {
	child, err := s.running()
	if err != nil {
		return err
	}
	if err := child.Write([]byte(text)); err != nil {
		return problem.New(problem.TerminalFull, fmt.Errorf("%w, so nothing of it was typed: %w", err, beckon.ErrConflict))
	}
	return nil
}

func (s *session) resize(size executing.TerminalSize) error {
	child, err := s.running()
	if err != nil {
		return nil //nolint:nilerr // One that ended has no size, and keeps what it printed.
	}
	if err := child.Resize(process.Size(size)); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("change the size of a terminal: %w", err)
	}
	return nil
}

func (s *session) running() (*process.Terminal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.child == nil || s.is.Ended > 0 {
		return nil, fmt.Errorf("the shell is over: %w", beckon.ErrConflict)
	}
	return s.child, nil
}

func (s *session) busy() bool {
	child, err := s.running()
	return err == nil && child.Busy()
}

// end ends the shell and all that it started, and waits for that. What cannot be killed is
// given up after some seconds.
func (s *session) end() {
	s.mu.Lock()
	s.ending = true
	child := s.child
	s.wake()
	s.mu.Unlock()
	if child != nil {
		if err := child.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			slog.Error("end a shell", "err", err, "task", s.is.TaskID)
		}
	}
	<-s.done
}

func (s *session) publish() {
	state := s.state()
	s.x.Publish(beckon.Event{Terminal: &state})
}

func (s *session) state() executing.Terminal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.is
}
