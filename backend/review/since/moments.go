package since

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
)

// Recorded is what the files of a task were when one of its turns began or ended.
type Recorded struct {
	Tree  string
	At    int64 // Unix milliseconds
	RunID string
	Nth   int // which of the run's turns, from 1
	Ends  bool
	// Mixed says that it was recorded late: what others, or the agent after that, changed may be in it.
	Mixed bool
}

// RecordedTrees returns what is recorded of a task's files at its turns, the oldest first. What
// was not recorded is left out; what is being recorded is waited for, for a while.
func (s *Since) RecordedTrees(ctx context.Context, taskID string) ([]Recorded, error) {
	s.recorded(ctx, taskID)
	turns, err := s.Kept.Of(ctx, taskID)
	var all []Recorded
	for _, t := range turns {
		if t.Before != "" {
			all = append(all, Recorded{t.Before, t.Began, t.RunID, t.Nth, false, t.Mixed})
		}
		if t.After != "" && t.Ended != 0 {
			all = append(all, Recorded{t.After, t.Ended, t.RunID, t.Nth, true, t.Mixed})
		}
	}
	return all, err
}

// Compare returns the files that differ between two trees of a task's, the first ones with their
// patches and the others pending, as diff.Patched does, and how many more there are. Nothing is
// checked out. A tree that was let go is an error.
func (s *Since) Compare(ctx context.Context, taskID, from, to string) (files []beckon.FileDiff, omitted int, err error) {
	at, err := s.working(ctx, taskID)
	if err != nil {
		return nil, 0, err
	}
	files, omitted, err = diff.Patched(ctx, at.log.Git, diff.Trees{From: from, To: to}, true)
	return files, omitted, s.orGone(ctx, at, err, from, to)
}

// ComparedFile returns one of them with its patch; it had another path before a rename.
func (s *Since) ComparedFile(ctx context.Context, taskID, from, to string, paths ...string) (beckon.FileDiff, error) {
	at, err := s.working(ctx, taskID)
	if err != nil {
		return beckon.FileDiff{}, err
	}
	f, ok, err := diff.Alone(ctx, at.log.Git, diff.Trees{From: from, To: to}, paths...)
	if err == nil && !ok {
		err = gone()
	}
	return f, s.orGone(ctx, at, err, from, to)
}

// Commits returns those of a task's branch, the newest first, without a look at its worktree.
func (s *Since) Commits(ctx context.Context, taskID string) ([]reviewing.Commit, error) {
	at, _, ok, err := s.folder(ctx, taskID)
	if err != nil || !ok {
		return nil, err
	}
	head, err := at.log.Git.Branch(ctx, at.task.Branch)
	if err != nil || head == "" {
		return nil, err
	}
	from, err := at.repo.Fork(ctx, at.worktree(), head)
	if err != nil {
		return nil, err
	}
	return at.log.Commits(ctx, from, head)
}

// Now returns the tree of what a task's work is by now; empty where it has none.
func (s *Since) Now(ctx context.Context, taskID string) (string, error) {
	at, _, ok, err := s.folder(ctx, taskID)
	if err != nil || !ok {
		return "", err
	}
	trees, _, err := at.repo.Work(ctx, at.worktree())
	return trees.To, err
}

// working returns the scene of a task that has work.
func (s *Since) working(ctx context.Context, taskID string) (scene, error) {
	at, _, ok, err := s.folder(ctx, taskID)
	if err == nil && !ok {
		err = gone()
	}
	return at, err
}

// orGone says of an error of git's whether it is that the repository lacks a tree: to ask before
// would take longer than what is asked for.
func (s *Since) orGone(ctx context.Context, at scene, err error, from, to string) error {
	if err == nil {
		return nil
	}
	if _, missing := s.mustHave(ctx, at, diff.Trees{From: from, To: to}); missing != nil {
		return missing
	}
	return err
}
