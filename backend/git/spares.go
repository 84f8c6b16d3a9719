package git

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"beckon/backend/git/look"
	"beckon/backend/git/spare"
)

// FillSpares keeps worktrees of the branch base ready; see spare.Fill.
func (r *Repo) FillSpares(ctx context.Context, base string) error { return r.spares().Fill(ctx, base) }

// ClearSpares removes the worktrees that are kept ready, as long as nobody worked in
// them.
func (r *Repo) ClearSpares(ctx context.Context) error {
	if s := r.spares(); s.Dir != "" && look.Exists(s.Dir, ".") {
		return s.Clear(ctx)
	}
	return nil
}

func (r *Repo) spares() spare.Spares {
	dir := r.own("ready")
	return spare.Spares{Git: r.at(), Dir: dir, Alone: func(wait bool) func() {
		lock := r.pool.lock(held{dir, true})
		if wait {
			lock.Lock()
		} else if !lock.TryLock() {
			return nil
		}
		return lock.Unlock
	}}
}

// fromSpare makes w of a worktree that is kept ready, under names that are free. False
// where there is none, or it could not be used: w is then made from nothing.
func (r *Repo) fromSpare(ctx context.Context, w Worktree) (Worktree, bool) {
	s := r.spares()
	if r.pool.Dir == "" {
		return w, false
	}
	release := s.Alone(false)
	if release == nil {
		return w, false
	}
	defer release()
	w.Dir = freeDir(w.Dir)
	taken, err := s.TakeSpare(ctx, w.Dir, w.BaseCommit)
	if err == nil && !taken {
		return w, false
	}
	if err == nil {
		if w.Branch, err = r.attach(ctx, s, w); err == nil {
			return w, true
		}
	}
	if taken {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		err = errors.Join(err, s.GiveUp(ctx, w.Dir))
	}
	slog.Error("take a worktree that was kept ready", "err", err, "dir", w.Dir)
	return w, false
}

// attach gives a spare that was taken a new branch, under a name that is free.
func (r *Repo) attach(ctx context.Context, s spare.Spares, w Worktree) (branch string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	branch, err = r.makeBranch(ctx, w.Branch, func(branch string) error {
		_, err := r.at().Run(ctx, "update-ref", "refs/heads/"+branch, w.BaseCommit, "")
		return err
	})
	if err != nil {
		return w.Branch, err
	}
	if err = s.Attach(ctx, w.Dir, branch); err != nil {
		_, err2 := r.at().Run(context.WithoutCancel(ctx), "update-ref", "-d", "refs/heads/"+branch, w.BaseCommit)
		return w.Branch, errors.Join(err, err2)
	}
	return branch, nil
}
