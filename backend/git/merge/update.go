package merge

import (
	"context"
	"fmt"

	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
	"beckon/backend/git/worktree"
)

var ofWorktree = words{
	busy:     "the worktree is in the middle of a %s: finish or abort it first",
	dirty:    "the worktree is not clean (%s): commit or stash that first",
	inTheWay: "files that git does not track are in the way in the worktree (%s): move them away first",
	changed:  "the worktree changed while merging, so nothing was merged; try again",
}

// Update brings what the base has by now into the branch of w, in its worktree:
// with a merge commit of that message, or without one where the branch has nothing
// of its own. folder is git in the worktree, and w is Ready. Where anything is in
// the way, nothing changes and the error wraps ErrConflict.
func Update(ctx context.Context, folder command.Git, w worktree.Worktree, message string) error {
	p := Plan{repo: folder, says: ofWorktree, w: worktree.Worktree{Dir: w.Dir, Branch: w.Base, Base: w.Branch}}
	var err error
	if p.base, err = folder.Branch(ctx, w.Branch); err != nil {
		return err
	}
	if p.tip, err = folder.Branch(ctx, w.Base); err != nil {
		return err
	}
	if p.tip == "" {
		return command.Conflict("the base branch %s is gone: bring it back with git branch %s %s", w.Base, w.Base, w.BaseCommit)
	}
	shared, err := folder.Quiet(ctx, "merge-base", p.base, p.tip)
	if err != nil {
		return err
	}
	switch shared {
	case p.tip:
		return nil // the branch has all of it
	case "":
		return command.Conflict("%s and %s have no commit in common", w.Base, w.Branch)
	}
	if err := p.plan(ctx); err != nil {
		return err
	}
	commit := p.tip
	if shared != p.base {
		if commit, err = workdir.CommitTree(ctx, folder, p.tree, message, p.base, p.tip); err != nil {
			return err
		}
	}
	return p.move(ctx, commit)
}

// plan finds out what bringing the base into the branch would do, and refuses where
// that cannot be.
func (p *Plan) plan(ctx context.Context) error {
	err := p.mergeTree(ctx)
	if err == nil && len(p.Conflicts) > 0 {
		p.Refusal = fmt.Sprintf("%s conflicts with the branch in %s: let Claude resolve it", p.w.Branch, workdir.Some(p.Conflicts))
	}
	if err == nil && p.Refusal == "" {
		err = p.checkFolder(ctx)
	}
	if err == nil && p.Refusal != "" {
		err = command.Conflict("%s", p.Refusal)
	}
	return err
}
