package since

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git/workdir"
	"beckon/backend/store/reviewed"
)

const (
	// lookIn is how long git may take to read a folder.
	lookIn = 2 * time.Minute
	// settleIn is how long an agent's line takes at most from its writing to Beckon: what
	// an agent did while its folder was read is known only then.
	settleIn = 250 * time.Millisecond
	// waitIn is how long who looks at a turn waits for what is being recorded.
	waitIn = 3 * time.Second
	// mostLooks is how many folders are read at once.
	mostLooks = 4
)

// followed is a run that is followed.
type followed struct {
	run     string
	turns   int            // that ended
	row     *reviewed.Turn // of the turn that is under way, else nil
	settled int            // how much was heard of the agent before turns ended; see Since.acts
}

// moment is a folder that is read.
type moment struct {
	read, settled chan struct{} // closed when it was, and when it is known whether it is clean
	tree          string        // empty where it could not be
	clean         bool          // the agent did nothing meanwhile
}

// OnEvent follows the turns of task runs. It waits for nothing.
func (s *Since) OnEvent(e beckon.Event) {
	if e.Run == nil || e.Run.Kind != beckon.TaskRun || e.Run.TaskID == "" {
		return
	}
	run := *e.Run
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.tasks[run.TaskID]
	if f == nil || f.run != run.ID {
		if run.Phase == beckon.Ended || s.closed {
			return
		}
		f = &followed{run: run.ID, turns: run.Turns, settled: s.acts[run.TaskID]}
		s.tasks[run.TaskID] = f
	}
	// Of a chunk of lines only the last activity is heard: any may stand for an edit.
	if verb := run.Activity.Verb; verb != "" && verb != beckon.Background || run.Turns > f.turns {
		s.acts[run.TaskID]++
	}
	works := (run.Phase == beckon.Working || run.Phase == beckon.Asking) && run.Activity.Verb != beckon.Background
	switch {
	case run.Turns > f.turns:
		f.turns = run.Turns
		s.turn(run, f, true, works)
	case f.row == nil && works:
		s.turn(run, f, false, true)
	case f.row != nil && s.acts[run.TaskID] == f.settled && (run.Phase == beckon.Idle || run.Phase == beckon.Ended):
		s.noTurn(run, f)
	case f.row != nil && run.Phase == beckon.Ended:
		s.turn(run, f, true, false)
	}
	if run.Phase == beckon.Ended {
		delete(s.tasks, run.TaskID)
	}
}

// turn records the end of the turn that is under way, if it ended, and the beginning of the
// one that follows, if one does: at one moment. The caller holds mu.
func (s *Since) turn(run beckon.Run, f *followed, ended, follows bool) {
	was, is := f.row, (*reviewed.Turn)(nil)
	missed := ended && was == nil // it was over before its beginning was heard
	if missed {
		was = &reviewed.Turn{TaskID: run.TaskID, RunID: run.ID, Nth: run.Turns, Began: beckon.Now()}
	}
	if ended {
		f.settled = s.acts[run.TaskID]
	}
	if follows {
		is = &reviewed.Turn{TaskID: run.TaskID, RunID: run.ID, Nth: run.Turns + 1, Began: beckon.Now()}
	}
	if f.row = is; s.closed {
		return
	}
	at, settled := beckon.Now(), f.settled
	m := s.read(run.TaskID, func() bool { return s.acts[run.TaskID] == settled })
	s.inOrder(run.TaskID, func(ctx context.Context) error {
		if missed {
			if err := errors.Join(s.Kept.Begin(ctx, was), s.begin(ctx, was, run)); err != nil {
				return err
			}
		}
		if is != nil {
			if err := s.Kept.Begin(ctx, is); err != nil {
				return err
			}
		}
		<-m.settled
		if was != nil && ended {
			was.Ended, was.After, was.Mixed = at, m.tree, was.Mixed || !m.clean
			if err := s.Kept.Save(ctx, *was); err != nil {
				return err
			}
		}
		if is == nil {
			return nil
		}
		if is.Before = m.tree; !m.clean {
			if err := s.begin(ctx, is, run); err != nil {
				return err
			}
		}
		return s.Kept.Save(ctx, *is)
	})
}

// begin notes what the files were when a turn of a run began where the agent was quicker
// than git: what they were when the turn before it ended, and in the first turn of all what
// the worktree was made of.
func (s *Since) begin(ctx context.Context, t *reviewed.Turn, run beckon.Run) error {
	t.Before = ""
	turns, err := s.Kept.Of(ctx, t.TaskID)
	if err != nil {
		return err
	}
	for _, one := range turns {
		if one.Number < t.Number {
			t.Before = one.After
		}
	}
	if t.Before != "" {
		t.Mixed = true
		return s.keepAgain(ctx, t)
	}
	if run.Number != 1 || t.Nth != 1 {
		return nil
	}
	at, _, ok, err := s.folder(ctx, t.TaskID)
	if err == nil && ok {
		t.Before, err = at.log.TreeOf(ctx, at.task.BaseCommit)
	}
	return err
}

// keepAgain keeps the tree that a turn begins with: what was kept of the turns before may have been
// let go, as the task was over. A tree that is gone is none.
func (s *Since) keepAgain(ctx context.Context, t *reviewed.Turn) error {
	at, p, ok, err := s.folder(ctx, t.TaskID)
	if err != nil || !ok {
		return err
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	has, err := at.log.Has(ctx, t.Before)
	if err == nil && !has {
		t.Before, t.Mixed = "", false
	}
	if err != nil || !has {
		return err
	}
	if err := s.Kept.KeepRef(ctx, reviewed.Ref{TaskID: t.TaskID, Dir: p.Dir}); err != nil {
		return err
	}
	return at.log.Keep(ctx, t.TaskID, t.Before)
}

// noTurn forgets a turn in which nothing was heard of the agent: its message was taken back,
// or what looked like a turn was the end of the one before. The caller holds mu.
func (s *Since) noTurn(run beckon.Run, f *followed) {
	was := f.row
	f.row = nil
	s.inOrder(run.TaskID, func(ctx context.Context) error { return s.Kept.Remove(ctx, run.TaskID, was.Number) })
}

// inOrder has work done behind what is still to be done for a task. The caller holds mu.
func (s *Since) inOrder(taskID string, work func(context.Context) error) {
	if s.closed {
		return
	}
	before, done := s.last[taskID], make(chan struct{})
	s.last[taskID] = done
	s.work.Go(func() {
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if close(done); s.last[taskID] == done {
				delete(s.last, taskID)
			}
		}()
		if before != nil {
			<-before
		}
		if err := work(s.ctx); err != nil && s.ctx.Err() == nil {
			slog.Error("record a turn", "err", err, "task", taskID)
		}
	})
}

// recorded waits until all that is to be recorded of a task is, for a moment.
func (s *Since) recorded(ctx context.Context, taskID string) {
	s.mu.Lock()
	last := s.last[taskID]
	s.mu.Unlock()
	if last == nil {
		return
	}
	late := time.NewTimer(waitIn)
	defer late.Stop()
	select {
	case <-last:
	case <-late.C:
	case <-ctx.Done():
	}
}

// read reads a task's folder beside all else. The caller holds mu, and so does who asks
// whether the agent did nothing meanwhile.
func (s *Since) read(taskID string, still func() bool) *moment {
	m := &moment{read: make(chan struct{}), settled: make(chan struct{})}
	s.work.Go(func() {
		defer close(m.settled)
		var err error
		if m.tree, err = s.record(s.ctx, taskID); err != nil && !errors.Is(err, beckon.ErrUnavailable) && s.ctx.Err() == nil {
			slog.Warn("read what a worktree amounts to", "err", err, "task", taskID)
		}
		if close(m.read); m.tree == "" {
			return
		}
		select {
		case <-time.After(settleIn):
		case <-s.quit:
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		m.clean = still()
	})
	return m
}

// record returns what a task's worktree amounts to, which is kept from then on; nothing
// of a task without one.
func (s *Since) record(ctx context.Context, taskID string) (tree string, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookIn)
	defer cancel()
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if err := s.Bring(ctx, taskID); err != nil {
		return "", err
	}
	at, p, ok, err := s.folder(ctx, taskID)
	if err != nil || !ok {
		return "", err
	}
	if tree, err = workdir.Now(ctx, at.repo.Tree(at.worktree()).In); err != nil {
		return "", err
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if err := s.Kept.KeepRef(ctx, reviewed.Ref{TaskID: taskID, Dir: p.Dir}); err != nil {
		return "", err
	}
	if err := at.log.Keep(ctx, taskID, tree); err != nil {
		return "", err // it would go with git's next clean-up
	}
	return tree, nil
}
