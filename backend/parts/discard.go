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
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/spare"
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

// discard takes the work of a part away. That it is under way is noted before, and where it was
// cut off, when it first began: what was kept then has all that there was.
func (p *Parts) discard(ctx context.Context, one Piece) error {
	g, w := p.Repo(one.Project), workdir.WorktreeOf(one.Task)
	l, err := g.Loss(ctx, w)
	if err != nil {
		return err
	}
	list, err := g.Discarded(ctx)
	if err == nil {
		_, err = p.Rows.Update(ctx, one.Task.ID, func(r *parts.Row) error {
			if r.Leaving.At == 0 {
				r.Leaving = parts.Leaving{Token: l.Token, At: beckon.Now(), Had: refsOf(list, r.Branch)}
			}
			return nil
		})
	}
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
		kept, ok := keptBy(list, *r)
		for _, d := range list { // a discard that was done before is not done twice
			if !ok && d.Branch == r.Branch && d.Ref != r.BeforeRef && d.At >= kept.At {
				kept = d
			}
		}
		r.KeptRef, r.KeptUntil, r.Leaving = kept.Ref, kept.Until, parts.Leaving{}
		r.Branch, r.Changes = "", beckon.Changes{}
		return nil
	})
	return err
}

// refsOf returns what keeps the work of earlier discards of a branch.
func refsOf(list []spare.TrashKept, branch string) (refs []string) {
	for _, d := range list {
		if d.Branch == branch {
			refs = append(refs, d.Ref)
		}
	}
	return refs
}

// keptBy returns what the discard of a part kept that is under way, if it came to that. The
// time of a ref does not say: it is a whole second, which an earlier discard may have taken.
func keptBy(list []spare.TrashKept, r parts.Row) (kept spare.TrashKept, ok bool) {
	for _, d := range list {
		if d.Branch == r.Branch && !slices.Contains(r.Leaving.Had, d.Ref) && (!ok || d.At < kept.At) {
			kept, ok = d, true
		}
	}
	return kept, ok
}

// Restore brings the work of a task's parts back that was discarded. Where a discard was cut
// off, it is finished first.
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

// restore brings the work of a part back, if it is kept.
func (p *Parts) restore(ctx context.Context, one Piece) error {
	row, err := p.Rows.One(ctx, one.Task.ID)
	if errors.Is(err, beckon.ErrNotFound) {
		return nil // it never had any
	}
	if err == nil && row.Leaving.At > 0 {
		row, err = p.finish(ctx, one, row)
	}
	if err != nil || row.Branch != "" || row.KeptRef == "" {
		return err
	}
	g, ref := p.Repo(one.Project), row.KeptRef
	branch, err := g.Restore(ctx, ref, "")
	if err != nil && !errors.Is(err, beckon.ErrNotFound) { // it was kept for 30 days
		return err
	}
	if _, err := p.Rows.Update(ctx, row.ID, func(r *parts.Row) error {
		r.Branch, r.KeptRef, r.KeptUntil = branch, "", 0
		return nil
	}); err != nil || branch == "" {
		return err
	}
	if err := g.Forget(ctx, ref); err != nil {
		slog.Error("let go of what was restored", "err", err, "task", row.ID) // it goes with its 30 days
	}
	return nil
}

// finish finishes a discard that was cut off once the work was kept, since its worktree may be
// gone, or only some of its files; one that kept nothing took nothing away.
func (p *Parts) finish(ctx context.Context, one Piece, row parts.Row) (parts.Row, error) {
	g, w := p.Repo(one.Project), workdir.WorktreeOf(one.Task)
	if err := g.Reconnect(ctx, w); err != nil {
		return row, err
	}
	l, err := g.Loss(ctx, w)
	if err != nil {
		return row, err
	}
	list, err := g.Discarded(ctx)
	if err != nil {
		return row, err
	}
	if _, kept := keptBy(list, row); kept && l.Token != row.Leaving.Token {
		if err := p.discard(ctx, one); err != nil {
			return row, err
		}
		return p.Rows.One(ctx, row.ID)
	}
	return p.Rows.Update(ctx, row.ID, func(r *parts.Row) error { r.Leaving = parts.Leaving{}; return nil })
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

// Unmerged returns the repositories whose bases lack work of a task, with those that are away
// and have work that Beckon did not merge.
func (p *Parts) Unmerged(ctx context.Context, t beckon.Task, project beckon.Project) (names []string, err error) {
	all, err := p.Further(ctx, t, project)
	for _, one := range all {
		if one.Task.Branch == "" {
			continue
		}
		if Gone(one.Project.Dir) != nil {
			if one.Task.Changes.Commits+one.Task.Changes.Files > 0 && one.Task.Landed.Commit == "" {
				names = append(names, one.Name)
			}
			continue
		}
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

// StartOver has a task begin again in the repositories in which its work was discarded: what it
// had there stays kept for its time, and comes back no more by itself.
func (p *Parts) StartOver(ctx context.Context, taskID string) error {
	return p.Rows.UpdateAll(ctx, taskID, func(r *parts.Row) error {
		if r.Branch == "" && r.KeptRef != "" {
			r.BeforeRef, r.BeforeUntil, r.KeptRef, r.KeptUntil = r.KeptRef, r.KeptUntil, "", 0
		}
		if r.Branch == "" {
			r.Worktree, r.Landed = "", reviewing.Landed{}
		}
		return nil
	})
}
