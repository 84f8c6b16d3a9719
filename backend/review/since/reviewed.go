package since

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git"
	"beckon/backend/store/reviewed"
)

// reviewIn is how long what the user sends waits for git; closeIn is how long Close waits.
const (
	reviewIn = time.Second
	closeIn  = 10 * time.Second
)

// Reviewing has the user's words on the work sent, and keeps what they are about as
// reviewed where that is done. They wait a moment, so that it is not what the agent makes
// of it; where git takes longer, it is kept only if no agent did anything meanwhile. That
// it cannot be kept keeps nobody from sending.
func (s *Since) Reviewing(ctx context.Context, taskID string, send func() error) error {
	sent := 0 // how much was heard of agents by then
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return send()
	}
	m := s.read(taskID, func() bool { return s.acts[taskID] == sent })
	s.mu.Unlock()
	inTime := true
	late := time.NewTimer(reviewIn)
	defer late.Stop()
	select {
	case <-m.read:
	case <-late.C:
		inTime = false
	}
	s.mu.Lock()
	sent = s.acts[taskID]
	s.mu.Unlock()
	if err := send(); err != nil {
		return err
	}
	if inTime {
		if err := s.keepReviewed(context.WithoutCancel(ctx), taskID, m.tree); err != nil {
			slog.Warn("keep what was reviewed", "err", err, "task", taskID)
		}
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inOrder(taskID, func(ctx context.Context) error {
		if <-m.settled; !m.clean {
			return nil
		}
		return s.keepReviewed(ctx, taskID, m.tree)
	})
	return nil
}

// keepReviewed keeps that a tree was reviewed, if it could be read.
func (s *Since) keepReviewed(ctx context.Context, taskID, tree string) error {
	if tree == "" {
		return nil
	}
	return s.Kept.Reviewed(ctx, taskID, tree, beckon.Now())
}

// View keeps that a file was viewed, as what, and that the work was reviewed as it then is.
// Nothing as what takes the mark away.
func (s *Since) View(ctx context.Context, taskID, path, content string) error {
	if err := s.MarkViewed(ctx, taskID, path, content); err != nil || content == "" {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.viewing[taskID] {
		return nil // what is about to be read is what it is now
	}
	s.viewing[taskID] = true
	s.inOrder(taskID, func(ctx context.Context) error {
		s.mu.Lock()
		delete(s.viewing, taskID)
		s.mu.Unlock()
		tree, err := s.record(ctx, taskID)
		if err != nil {
			return err
		}
		return s.keepReviewed(ctx, taskID, tree)
	})
	return nil
}

// Start lets go of what is kept of tasks that cannot come back or are over for long, beside
// all else.
func (s *Since) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.work.Go(func() {
		if err := s.sweep(s.ctx, time.Now()); err != nil && s.ctx.Err() == nil {
			slog.Error("let go of what is kept of turns", "err", err)
		}
	})
}

// overFor is how long a task was merged or archived before what is kept of its turns goes.
const overFor = 30 * 24 * time.Hour

func (s *Since) sweep(ctx context.Context, now time.Time) error {
	refs, err := s.unused(ctx, now, "")
	if err != nil {
		return err
	}
	dirs := map[string]bool{}
	for _, r := range refs {
		dirs[r.Dir] = true
	}
	var errs []error
	for dir := range dirs {
		errs = append(errs, s.letGo(ctx, dir, now))
	}
	return errors.Join(errs...)
}

// unused returns the refs that nothing needs any more, of all repositories or of a folder's.
func (s *Since) unused(ctx context.Context, now time.Time, dir string) ([]reviewed.Ref, error) {
	refs, err := s.Kept.IdleRefs(ctx, now.UnixMilli())
	if err != nil {
		return nil, err
	}
	refs = slices.DeleteFunc(refs, func(r reviewed.Ref) bool { return dir != "" && r.Dir != dir })
	over, err := s.Kept.OverRefs(ctx, now.Add(-overFor).UnixMilli(), dir)
	for _, r := range over {
		// A worktree that stayed has work that nothing else has: its turns are of use.
		if _, err := os.Lstat(r.Worktree); r.Worktree == "" || errors.Is(err, fs.ErrNotExist) {
			refs = append(refs, r.Ref)
		}
	}
	return refs, err
}

// Size returns how many bytes a folder's repository has of what is kept of turns and questions,
// as far as the files of no branch have it.
func (s *Since) Size(ctx context.Context, dir string) (int64, error) {
	return TreeLog{Git: s.Repo(beckon.Project{Dir: dir}).Tree(git.Worktree{}).Project}.Size(ctx)
}

// letGo removes the refs of a folder's repository that nothing needs. Meanwhile none is
// changed: a task that is worked on again has a ref from then on.
func (s *Since) letGo(ctx context.Context, dir string, now time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, lookIn)
	defer cancel()
	s.keeping.Lock()
	defer s.keeping.Unlock()
	refs, err := s.unused(ctx, now, dir)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		var names []string
		for _, r := range refs {
			names = append(names, r.TaskID)
		}
		log := TreeLog{Git: s.Repo(beckon.Project{Dir: dir}).Tree(git.Worktree{}).Project}
		if err := log.Drop(ctx, names...); err != nil {
			return s.letGoEach(ctx, log, refs)
		}
	}
	return s.Kept.DropRefs(ctx, refs)
}

// letGoEach removes refs one by one, where one of them cannot be removed: the others go all the same.
func (s *Since) letGoEach(ctx context.Context, log TreeLog, refs []reviewed.Ref) error {
	var gone []reviewed.Ref
	var errs []error
	for _, r := range refs {
		if err := log.Drop(ctx, r.TaskID); err != nil {
			errs = append(errs, err)
			continue
		}
		gone = append(gone, r)
	}
	return errors.Join(append(errs, s.Kept.DropRefs(ctx, gone))...)
}

// Close waits for what is being recorded, for a while, and records no more.
func (s *Since) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.quit)
	}
	s.mu.Unlock()
	late := time.AfterFunc(closeIn, s.cancel)
	s.work.Wait()
	late.Stop()
	s.cancel()
}
