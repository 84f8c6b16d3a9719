// Package rewind takes a checkpoint of a task's worktree whenever its agent asks something, and
// takes worktrees back to one: "I'd have chosen differently". What is there is kept under a
// branch of its own before anything changes, and each step is written down before git does it,
// so that a death in the middle is put right by the next start. How an agent begins again, and
// what git does to a worktree, it leaves to others.
package rewind

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/checkpoints"
)

// answerWait is how long an answer waits at most for the checkpoint of its question. A person
// takes longer to answer than git to read most worktrees; a standing answer takes no time.
const answerWait = 300 * time.Millisecond

// takenIn is how long Taken waits at most.
const takenIn = 5 * time.Second

// closeIn is how long Close waits for what is being read.
const closeIn = 5 * time.Second

// Taking is what a Taker is joined to.
type Taking struct {
	Rows checkpoints.Rows
	Run  func(ctx context.Context, id string) (beckon.Run, error)
	// Capture returns what a task's worktree is now; the error wraps beckon.ErrConflict where it
	// is in no such state. KeepTrees keeps trees of it from git's clean-up.
	Capture   func(ctx context.Context, taskID string) (reviewing.WorkState, error)
	KeepTrees func(ctx context.Context, taskID string, trees ...string) error
	// Several reports whether a task works in several repositories.
	Several func(ctx context.Context, taskID string) (bool, error)
}

// Taker takes checkpoints. Its methods may be called from any goroutine.
type Taker struct {
	Taking
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	work   sync.WaitGroup
	closed bool
	// reading has the checkpoints that are being taken, by question.
	reading map[string]reading
}

// NewTaker returns one that takes none before Asked.
func NewTaker(t Taking) *Taker {
	ctx, cancel := context.WithCancel(context.Background())
	return &Taker{Taking: t, ctx: ctx, cancel: cancel, reading: map[string]reading{}}
}

// Asked has the checkpoint of a question taken beside all else, and returns at once. heard is to
// be called before the agent gets what settled the question: it waits for git, but not for long,
// since what the agent does next must not be in the checkpoint. One that is late is none.
func (t *Taker) Asked(q beckon.Question) (heard func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || q.TaskID == "" || q.RunID == "" || q.Budget != nil {
		return func() {}
	}
	read := make(chan struct{})
	t.reading[q.ID] = reading{q.TaskID, make(chan struct{})}
	var late atomic.Bool
	t.work.Go(func() {
		defer t.taken(q.ID)
		c, err := t.take(q)
		onTime := !late.Load()
		close(read)
		if err == nil && c.None == checkpoints.Taken && !onTime {
			c.WorkState, c.None = reviewing.WorkState{}, checkpoints.Late
		}
		if err == nil {
			err = t.keep(c)
		}
		if err != nil && !errors.Is(err, beckon.ErrNotFound) && t.ctx.Err() == nil {
			slog.Warn("take the checkpoint of a question", "err", err, "question", q.ID)
		}
	})
	return func() {
		timer := time.NewTimer(answerWait)
		defer timer.Stop()
		select {
		case <-read:
		case <-timer.C:
			late.Store(true)
		}
	}
}

func (t *Taker) taken(questionID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.reading[questionID].kept)
	delete(t.reading, questionID)
}

// reading is a checkpoint that is being taken; kept is closed once it is, or there is none.
type reading struct {
	taskID string
	kept   chan struct{}
}

// Taken waits until the checkpoint of a question is kept, or there is none; for a while.
func (t *Taker) Taken(ctx context.Context, questionID string) {
	t.wait(ctx, func(id string, _ reading) bool { return id == questionID })
}

// TakenOf waits for all checkpoints of a task's that are being taken, for as long.
func (t *Taker) TakenOf(ctx context.Context, taskID string) {
	t.wait(ctx, func(_ string, one reading) bool { return one.taskID == taskID })
}

func (t *Taker) wait(ctx context.Context, wanted func(questionID string, one reading) bool) {
	t.mu.Lock()
	var all []reading
	for id, one := range t.reading {
		if wanted(id, one) {
			all = append(all, one)
		}
	}
	t.mu.Unlock()
	timer := time.NewTimer(takenIn)
	defer timer.Stop()
	for _, one := range all {
		select {
		case <-one.kept:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// take reads what the checkpoint of a question is. beckon.ErrNotFound: its run is in no worktree.
func (t *Taker) take(q beckon.Question) (c checkpoints.Checkpoint, err error) {
	at := q.Asked
	if at == 0 {
		at = beckon.Now()
	}
	run, err := t.Run(t.ctx, q.RunID)
	if err == nil && run.Kind != beckon.TaskRun {
		err = beckon.ErrNotFound
	}
	if err != nil {
		return c, err
	}
	c = checkpoints.Checkpoint{
		QuestionID: q.ID, TaskID: q.TaskID, RunID: q.RunID,
		Session: run.Session, Turn: run.Turns + 1, Context: run.Context.Tokens, At: at,
	}
	if run.Executor != "" {
		c.None = checkpoints.Elsewhere
		return c, nil
	}
	several, err := t.Several(t.ctx, q.TaskID)
	if err != nil {
		return c, err
	}
	if several {
		c.None = checkpoints.Several
		return c, nil
	}
	switch c.WorkState, err = t.Capture(t.ctx, q.TaskID); {
	case errors.Is(err, beckon.ErrConflict):
		c.None = checkpoints.Unready
	case err != nil && t.ctx.Err() == nil:
		slog.Warn("read a worktree for a checkpoint", "err", err, "question", q.ID)
		c.None = checkpoints.Failed
	case err != nil:
		return c, err
	}
	if c.None != checkpoints.Taken {
		c.WorkState = reviewing.WorkState{}
	}
	return c, nil
}

// keep keeps the trees of a checkpoint, and then its row.
func (t *Taker) keep(c checkpoints.Checkpoint) error {
	if c.None == checkpoints.Taken {
		if err := t.KeepTrees(t.ctx, c.TaskID, c.Tree, c.Staged); err != nil {
			return err
		}
	}
	return t.Rows.Add(t.ctx, c)
}

// Close waits for what is being read, for a while, and takes no more.
func (t *Taker) Close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	late := time.AfterFunc(closeIn, t.cancel)
	t.work.Wait()
	late.Stop()
	t.cancel()
}
