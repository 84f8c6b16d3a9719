package runner

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/transcript"
)

// liveRun returns a task's live run, or nil.
func (r *Runner) liveRun(taskID string) *agentRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.live[taskID]
}

// mustLive returns a task's live run, or an error for the user.
func (r *Runner) mustLive(taskID string) (*agentRun, error) {
	if run := r.liveRun(taskID); run != nil {
		return run, nil
	}
	return nil, problem.New(problem.NoAgent, fmt.Errorf("no agent is working on this task; resume it first: %w", beckon.ErrConflict))
}

// runOf returns the run with that ID of a task while it lives, or nil.
func (r *Runner) runOf(taskID, runID string) *agentRun {
	if run := r.liveRun(taskID); run != nil && run.row.ID == runID {
		return run
	}
	return nil
}

// background runs what Close waits for, with a context that Close ends.
func (r *Runner) background(work func(context.Context)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.wg.Go(func() { work(r.ctx) })
	}
}

// Wake makes the queue look for a task to start.
func (r *Runner) Wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	select {
	case r.kick <- struct{}{}:
	default: // it is about to look anyway
	}
}

func (r *Runner) configDir() string     { return filepath.Join(r.DataDir, "runs") }
func (r *Runner) transcriptDir() string { return transcript.Dir(r.DataDir) }

// logged reports an error where nobody is left to return it to.
func logged(what string, err error, ids ...any) {
	if err != nil {
		slog.Error(what, append([]any{"err", err}, ids...)...)
	}
}
