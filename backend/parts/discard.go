package parts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"beckon/backend/beckon"
	"beckon/backend/git/workdir"
	"beckon/backend/store/parts"
)

// This file takes the work of parts away and brings it back. What is taken away stays under a
// private ref of its repository, as that of a task does. A repository whose folder is gone
// keeps all that it has.

// reachable returns the parts of a task that have a branch in a repository that is there.
func (p *Parts) reachable(ctx context.Context, t beckon.Task, project beckon.Project) ([]Piece, error) {
	all, err := p.Further(ctx, t, project)
	var there []Piece
	for _, one := range all {
		if one.Task.Branch != "" && Gone(one.Project.Dir) == nil {
			there = append(there, one)
		}
	}
	return there, err
}

// Loss adds what discarding a task's parts would take out of sight to that of its own work.
func (p *Parts) Loss(ctx context.Context, t beckon.Task, project beckon.Project, own beckon.Loss) (beckon.Loss, error) {
	there, err := p.reachable(ctx, t, project)
	if err != nil || len(there) == 0 {
		return own, err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, own.Token)
	for _, one := range there {
		l, err := p.Repo(one.Project).Loss(ctx, workdir.WorktreeOf(one.Task))
		if err != nil {
			return own, fmt.Errorf("%s: %w", one.Name, err)
		}
		fmt.Fprintln(sum, one.Task.ID, l.Token)
		own.Commits += l.Commits
		own.KeptUntil = max(own.KeptUntil, l.KeptUntil)
		for _, add := range []struct {
			to   *[]string
			from []string
		}{{&own.Uncommitted, l.Uncommitted}, {&own.Ignored, l.Ignored}, {&own.Repositories, l.Repositories}} {
			for _, path := range add.from {
				*add.to = append(*add.to, one.Name+"/"+path)
			}
		}
	}
	own.Token = hex.EncodeToString(sum.Sum(nil)[:16])
	return own, nil
}

// Leaving is the work of a task that is to be discarded together with that of its parts.
type Leaving struct {
	Own   workdir.Worktree
	Token string                   // of the Loss of all
	Clear func(taskID string)      // ends what Beckon runs in the worktrees
	Go    func(token string) error // discards the task's own work, by the token of its Loss
}

// DiscardWith takes the work of a task and of its parts away, all of it or none. Each is looked
// at before the first goes: what is ignored would not come back. The task's own goes last.
func (p *Parts) DiscardWith(ctx context.Context, t beckon.Task, project beckon.Project, l Leaving) error {
	g := p.Repo(project)
	own, err := g.Loss(ctx, l.Own)
	if err != nil {
		return err
	}
	all, err := p.Loss(ctx, t, project, own)
	switch {
	case err != nil:
		return err
	case all.Token == own.Token: // it has no parts
		return l.Go(l.Token)
	case all.Token != l.Token:
		return g.CheckDiscard(ctx, l.Own, "") // as one of another loss
	case len(all.Repositories) == 0:
		l.Clear(t.ID)
	}
	if err = g.CheckDiscard(ctx, l.Own, own.Token); err == nil {
		err = p.checkDiscard(ctx, t, project)
	}
	if err != nil {
		return err
	}
	if err = p.Discard(ctx, t, project); err == nil {
		err = l.Go(own.Token)
	}
	if err != nil {
		err = errors.Join(err, p.Restore(context.WithoutCancel(ctx), t, project))
	}
	return err
}

// checkDiscard returns why the work of a part would not go, if so.
func (p *Parts) checkDiscard(ctx context.Context, t beckon.Task, project beckon.Project) error {
	there, err := p.reachable(ctx, t, project)
	for _, one := range there {
		g, w := p.Repo(one.Project), workdir.WorktreeOf(one.Task)
		l, err := g.Loss(ctx, w)
		if err == nil {
			err = g.CheckDiscard(ctx, w, l.Token)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
	}
	return err
}

// Discard takes the work of a task's parts away, all of it or none.
func (p *Parts) Discard(ctx context.Context, t beckon.Task, project beckon.Project) error {
	there, err := p.reachable(ctx, t, project)
	for _, one := range there {
		if err = p.discard(ctx, one); err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", one.Name, err), p.Restore(context.WithoutCancel(ctx), t, project))
			break
		}
	}
	p.tidy(t, there)
	return err
}

func (p *Parts) discard(ctx context.Context, one Piece) error {
	g, w := p.Repo(one.Project), workdir.WorktreeOf(one.Task)
	l, err := g.Loss(ctx, w)
	if err == nil {
		err = g.Discard(ctx, w, l.Token)
	}
	if err != nil {
		return err
	}
	return p.noteDiscarded(ctx, one)
}

// noteDiscarded writes down what keeps the work of a part that was discarded.
func (p *Parts) noteDiscarded(ctx context.Context, one Piece) error {
	list, err := p.Repo(one.Project).Discarded(ctx)
	if err != nil {
		return err
	}
	_, err = p.Rows.Update(ctx, one.Task.ID, func(r *parts.Row) error {
		at := int64(0)
		for _, d := range list {
			if d.Branch == r.Branch && d.At >= at {
				at, r.KeptRef, r.KeptUntil = d.At, d.Ref, d.Until
			}
		}
		r.Branch, r.Changes = "", beckon.Changes{}
		return nil
	})
	return err
}

// Restore brings the work of a task's parts back that was discarded. Where a discard was cut
// off before it was written down, that is done first.
func (p *Parts) Restore(ctx context.Context, t beckon.Task, project beckon.Project) error {
	all, err := p.Further(ctx, t, project)
	for _, one := range all {
		if Gone(one.Project.Dir) != nil {
			continue
		}
		if err2 := p.restore(ctx, one); err2 != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", one.Name, err2))
		}
	}
	return err
}

func (p *Parts) restore(ctx context.Context, one Piece) error {
	g := p.Repo(one.Project)
	if one.Task.Branch != "" {
		if l, err := g.Loss(ctx, workdir.WorktreeOf(one.Task)); err != nil || !l.BranchGone || Gone(one.Task.Worktree) == nil {
			return err
		}
		if err := p.noteDiscarded(ctx, one); err != nil {
			return err
		}
	}
	row, err := p.Rows.One(ctx, one.Task.ID)
	if err != nil || row.KeptRef == "" {
		return err
	}
	branch, err := g.Restore(ctx, row.KeptRef, "")
	if errors.Is(err, beckon.ErrNotFound) { // it was kept for 30 days
		return p.Rows.Remove(ctx, row.ID)
	}
	if err != nil {
		return err
	}
	ref := row.KeptRef
	if _, err := p.Rows.Update(ctx, row.ID, func(r *parts.Row) error {
		r.Branch, r.KeptRef, r.KeptUntil = branch, "", 0
		return nil
	}); err != nil {
		return err
	}
	if err := g.Forget(ctx, ref); err != nil {
		slog.Error("let go of what was restored", "err", err, "task", row.ID) // it goes with its 30 days
	}
	return nil
}

// Remove removes the worktrees of a task's parts; the branches stay. A worktree that has
// something of its own stays, too.
func (p *Parts) Remove(ctx context.Context, t beckon.Task, project beckon.Project) {
	there, err := p.reachable(ctx, t, project)
	for _, one := range there {
		err = errors.Join(err, p.Repo(one.Project).RemoveWorktree(ctx, workdir.WorktreeOf(one.Task)))
	}
	if err != nil {
		slog.Error("kept worktrees of an archived task", "err", err, "task", t.ID)
	}
	p.tidy(t, there)
}

// tidy removes the folder for the worktrees of parts, if it is empty.
func (p *Parts) tidy(t beckon.Task, were []Piece) {
	_ = os.Remove(p.Beside(t))
	for _, one := range were {
		_ = os.Remove(filepath.Dir(one.Task.Worktree))
	}
}

// Unmerged returns the repositories whose bases lack work of a task, with how much.
func (p *Parts) Unmerged(ctx context.Context, t beckon.Task, project beckon.Project) (names []string, err error) {
	there, err := p.reachable(ctx, t, project)
	for _, one := range there {
		l, err := p.Repo(one.Project).Loss(ctx, workdir.WorktreeOf(one.Task))
		if err != nil {
			return names, fmt.Errorf("%s: %w", one.Name, err)
		}
		if l.Commits > 0 || len(l.Uncommitted) > 0 {
			names = append(names, one.Name)
		}
	}
	return names, err
}

// StartOver forgets the parts of a task whose work was discarded: it begins again.
func (p *Parts) StartOver(ctx context.Context, taskID string) error {
	list, err := p.Rows.Of(ctx, taskID)
	for _, row := range list {
		if row.Branch == "" {
			err = errors.Join(err, p.Rows.Remove(ctx, row.ID))
		}
	}
	return err
}
