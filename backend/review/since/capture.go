package since

import (
	"context"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/git/checkpoint"
	"beckon/backend/store/reviewed"
)

// This file records single moments of a worktree for others, and keeps them as it keeps turns:
// under the same refs, and let go by the same rules.

// Capture returns what a task's worktree is now. KeepTrees is to follow, or git's clean-up takes
// it. A task without a worktree, and a worktree that is not ready, is beckon.ErrConflict.
func (s *Since) Capture(ctx context.Context, taskID string) (is reviewing.WorkState, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookIn)
	defer cancel()
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return is, ctx.Err()
	}
	at, _, ok, err := s.folder(ctx, taskID)
	if err == nil && !ok {
		err = fmt.Errorf("the task has no worktree: %w", beckon.ErrConflict)
	}
	if err != nil {
		return is, err
	}
	state, err := at.repo.Status(ctx, at.worktree())
	if err == nil && state.Condition != git.Ready {
		err = state.Err()
	}
	if err != nil {
		return is, err
	}
	return checkpoint.Read(ctx, at.repo.Tree(at.worktree()).In)
}

// KeepTrees keeps trees of a task's worktree from git's clean-up.
func (s *Since) KeepTrees(ctx context.Context, taskID string, trees ...string) error {
	ctx, cancel := context.WithTimeout(ctx, lookIn)
	defer cancel()
	at, p, ok, err := s.folder(ctx, taskID)
	if err != nil || !ok {
		return err
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if err := s.Kept.KeepRef(ctx, reviewed.Ref{TaskID: taskID, Dir: p.Dir}); err != nil {
		return err
	}
	for _, tree := range trees {
		if err := at.log.Keep(ctx, taskID, tree); err != nil {
			return err
		}
	}
	return nil
}
