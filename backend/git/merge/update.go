package merge

import (
	"context"
	"fmt"

	"beckon/backend/beckon/reason"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

var ofWorktree = words{
	busy: reason.WorktreeBusy, dirty: reason.WorktreeDirty, inTheWay: reason.WorktreeInTheWay,
	changed: "the worktree changed while merging, so nothing was merged; try again",
}

// Update brings what the base has by now into the branch of w, in its worktree:
// with a merge commit of that message, or without one where the branch has nothing
// of its own. folder is git in the worktree, and w is Ready. It returns the base's
// commit. Where anything is in the way, nothing changes and the error wraps ErrConflict.
func Update(ctx context.Context, folder command.Git, w workdir.Worktree, message string) (taken string, err error) {
	p := Plan{repo: folder, says: ofWorktree, w: workdir.Worktree{Dir: w.Dir, Branch: w.Base, Base: w.Branch}}
	if p.base, err = folder.Branch(ctx, w.Branch); err != nil {
		return "", err
	}
	if p.tip, err = folder.Branch(ctx, w.Base); err != nil {
		return "", err
	}
	if p.tip == "" {
		return "", command.Refuse(baseGone(w))
	}
	shared, err := folder.Quiet(ctx, "merge-base", p.base, p.tip)
	if err != nil {
		return "", err
	}
	switch shared {
	case p.tip:
		return p.tip, nil // the branch has all of it
	case "":
		return "", command.Refuse(reason.Of(reason.NoCommon, "base", w.Base, "branch", w.Branch))
	}
	if err := p.plan(ctx); err != nil {
		return "", err
	}
	commit := p.tip
	if shared != p.base {
		if commit, err = workdir.CommitTree(ctx, folder, p.tree, message, p.base, p.tip); err != nil {
			return "", err
		}
	}
	if err := (Record{From: p.base, To: commit, Tip: p.tip}).keep(ctx, folder, updateRef); err != nil {
		return "", fmt.Errorf("note what %s was before: %w", w.Branch, err)
	}
	return p.tip, p.move(ctx, commit)
}

// UndoUpdate takes back the Update of w that brought the base's commit w.BaseCommit, or
// does it again that was taken back, as long as the branch is as that left it and nothing
// else has its commits. What was done already is left at that.
func UndoUpdate(ctx context.Context, folder command.Git, w workdir.Worktree, again bool) error {
	p := Plan{repo: folder, says: ofWorktree, w: workdir.Worktree{Dir: w.Dir, Branch: w.Base, Base: w.Branch}}
	var err error
	if p.base, err = folder.Branch(ctx, w.Branch); err != nil {
		return err
	}
	list, err := recordsIn(ctx, folder, updateRef)
	if err != nil {
		return err
	}
	for _, done := range list {
		if done.Tip != w.BaseCommit {
			continue
		}
		from, to := done.To, done.From
		if again {
			from, to = to, from
		}
		switch p.base {
		case to:
			return nil
		case from:
			return p.turn(ctx, done, again)
		}
	}
	return p.builtOn("the branch has commits since")
}

// turn moves the branch from one side of an update to the other.
func (p *Plan) turn(ctx context.Context, done Record, again bool) error {
	p.tree = done.From
	switch {
	case again:
		p.tree = done.To
	case done.To != done.Tip: // else the base itself has it
		if err := p.last(ctx, done); err != nil {
			return err
		}
	}
	if err := p.checkFolder(ctx); err != nil {
		return err
	}
	if p.Refusal != nil {
		return command.Refuse(p.Refusal)
	}
	if again {
		return p.move(ctx, done.To)
	}
	return p.goBack(ctx)
}

// plan finds out what bringing the base into the branch would do, and refuses where
// that cannot be.
func (p *Plan) plan(ctx context.Context) error {
	err := p.mergeTree(ctx)
	if err == nil && len(p.Conflicts) > 0 {
		p.Refusal = reason.Of(reason.UpdateConflicts, "base", p.w.Branch, "files", workdir.Some(p.Conflicts))
	}
	if err == nil && p.Refusal == nil {
		err = p.checkFolder(ctx)
	}
	if err == nil && p.Refusal != nil {
		err = command.Refuse(p.Refusal)
	}
	return err
}
