package rewind

import (
	"context"

	"beckon/backend/store/checkpoints"
)

// Fill makes the worktree of a task, which is new, what another task's was at a checkpoint: the
// commit of its branch, its files and what is staged. The caller holds the task. It returns the commit that the branch grew
// from, if that of the other task grew from base. The error wraps beckon.ErrConflict where it
// cannot be done now; the worktree may have parts of both then.
func (r *Rewinder) Fill(ctx context.Context, taskID string, c checkpoints.Checkpoint, base string) (baseCommit string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, p, err := r.Task(ctx, taskID)
	if err != nil {
		return "", err
	}
	at, is, err := r.seen(ctx, t, p)
	if err != nil {
		return "", err
	}
	if at.task.BaseCommit, err = base, at.mover.Check(ctx, is, c.WorkState, ""); err != nil {
		return "", err
	}
	if baseCommit, err = r.baseAt(ctx, at, c.Head); err != nil {
		return "", err
	}
	if is != c.WorkState {
		_, err = at.mover.Move(ctx, is, c.WorkState)
	}
	return baseCommit, err
}
