// Package merge plans what merging a task's branch into its base would do, says
// why it cannot be done, and does it: without a folder, or with the project's
// folder moved along, in which nothing of the user's is overwritten.
package merge

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/git/command"
	"beckon/backend/git/diff"
	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// Plan is what a merge would do, or why it cannot be done.
type Plan struct {
	repo      command.Git // in the project's folder
	w         workdir.Worktree
	base, tip string // commits
	tree      string // of the merge
	// moves says that the project's folder has the base checked out, and
	// changes with it.
	moves     bool
	says      words          // about that folder, or the one that changes in its place
	Refusal   *reason.Reason // nil: it can be merged
	Conflicts []string       // paths
}

// words say why a folder cannot change.
type words struct {
	busy, dirty, inTheWay reason.Code
	changed               string
}

var ofProject = words{
	busy: reason.FolderBusy, dirty: reason.FolderDirty, inTheWay: reason.InTheWay,
	changed: "the project's folder changed while merging, so nothing was merged; try again",
}

// New finds out what merging w would do, without changing any file or ref.
// State and entries are those of its folder; repo is git in the project's.
func New(
	ctx context.Context, repo command.Git, w workdir.Worktree, state workdir.State, entries []workdir.Entry,
) (p Plan, err error) {
	p = Plan{repo: repo, w: w, says: ofProject}
	if state.Condition != workdir.Ready && state.Condition != workdir.Missing {
		p.Refusal = beckon.ReasonOf(state.Err())
		return p, nil
	}
	loose := slices.DeleteFunc(slices.Clone(entries), workdir.Entry.Nested)
	if len(loose) > 0 {
		p.Refusal = reason.Of(reason.Uncommitted, "files", workdir.Some(workdir.Paths(loose)))
		return p, nil
	}
	c := repo
	if p.tip, err = c.Branch(ctx, w.Branch); err != nil {
		return p, err
	}
	if p.base, err = c.Branch(ctx, w.Base); err != nil {
		return p, err
	}
	if p.base == "" {
		p.Refusal = baseGone(w)
		return p, nil
	}
	shared, err := c.Quiet(ctx, "merge-base", p.base, p.tip)
	if err != nil {
		return p, err
	}
	strays, err := workdir.Strays(ctx, repo, p.base, p.tip, entries)
	if err != nil {
		return p, err
	}
	if len(strays) > 0 {
		p.Refusal = strayRefusal(w, strays)
		return p, nil
	}
	switch shared {
	case p.tip:
		p.Refusal = reason.Of(reason.NothingToMerge, "base", w.Base, "branch", w.Branch)
	case "":
		p.Refusal = reason.Of(reason.NoCommon, "base", w.Base, "branch", w.Branch)
	default:
		if err = p.mergeTree(ctx); err == nil && p.Refusal == nil {
			err = p.checkFolder(ctx)
		}
	}
	return p, err
}

// strayRefusal says why files of an agent's own repositories keep a branch
// from being merged.
func strayRefusal(w workdir.Worktree, strays []string) *reason.Reason {
	return reason.Of(reason.Strays, "files", workdir.Some(strays), "dir", w.Dir)
}

// baseGone says how a base branch comes back that was deleted.
func baseGone(w workdir.Worktree) *reason.Reason {
	return reason.Of(reason.BaseGone, "base", w.Base, "again", w.Base, "commit", w.BaseCommit)
}

// mergeTree merges without a folder.
func (p *Plan) mergeTree(ctx context.Context) error {
	fields, err := p.repo.List(ctx, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", p.base, p.tip)
	if err != nil && command.ExitCode(err) != 1 {
		return err
	}
	if len(fields) == 0 {
		return errors.New("git merge-tree printed no tree")
	}
	p.tree = fields[0]
	if err == nil {
		return p.checkNew(ctx)
	}
	for _, name := range fields[1:] {
		if name = strings.ToValidUTF8(name, "\uFFFD"); name != "" && !slices.Contains(p.Conflicts, name) {
			p.Conflicts = append(p.Conflicts, name)
		}
	}
	p.Refusal = reason.Of(reason.MergeConflicts, "base", p.w.Base, "files", workdir.Some(p.Conflicts), "dir", p.w.Dir)
	return nil
}

// checkNew refuses where the base has all that the branch changes, as after a
// squash.
func (p *Plan) checkNew(ctx context.Context) error {
	tree, err := p.repo.Line(ctx, "rev-parse", p.base+"^{tree}")
	if err == nil && tree == p.tree {
		p.Refusal = reason.Of(reason.NothingNew, "base", p.w.Base, "branch", p.w.Branch)
	}
	return err
}

// checkFolder finds where the base is checked out, and whether the merge may
// change the files there.
func (p *Plan) checkFolder(ctx context.Context) error {
	// A rebase or bisect of the base has HEAD detached, and would take the merge back.
	if at, doing, err := workdir.Moving(ctx, p.repo, p.w.Base); err != nil {
		return err
	} else if doing != "" {
		p.Refusal = reason.Of(reason.BaseBusy, "base", p.w.Base, "what", doing, "dir", at)
		return nil
	}
	dir, err := workdir.CheckedOut(ctx, p.repo, p.w.Base)
	if err != nil || dir == "" {
		return err
	}
	if !look.Same(dir, p.repo.Dir) {
		p.Refusal = reason.Of(reason.BaseElsewhere, "base", p.w.Base, "dir", dir)
		return nil
	}
	p.moves = true
	if err := p.isolate(ctx); err != nil {
		return err
	}
	doing, err := workdir.InProgress(ctx, p.repo)
	if err != nil {
		return err
	}
	if doing != "" {
		p.Refusal = reason.Of(p.says.busy, "what", doing)
		return nil
	}
	entries, err := workdir.Changes(ctx, p.repo)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e workdir.Entry) bool { return e.Untracked })
	if len(entries) > 0 {
		p.Refusal = reason.Of(p.says.dirty, "files", workdir.Some(workdir.Paths(entries)))
		return nil
	}
	return p.checkRoom(ctx)
}

// isolate has the move of the project's folder run no filter where the branch was worked on
// elsewhere and says itself which files a filter is run for, or whom that filter asks. Its
// files are written there as the repository stores them.
func (p *Plan) isolate(ctx context.Context) error {
	isolated, err := p.repo.Quiet(ctx, "rev-parse", "--verify", "--quiet", command.IsolatedRef(p.w.Dir))
	if err != nil || isolated == "" {
		return err
	}
	differ, err := diff.Differing(ctx, p.repo, p.base, p.tree)
	for name := range differ {
		if path.Base(name) == ".gitattributes" || name == ".lfsconfig" {
			p.repo.Trusted = false
		}
	}
	return err
}

// checkRoom refuses where a file that the merge brings lies in the folder
// already without being tracked. git would overwrite those that it ignores.
func (p *Plan) checkRoom(ctx context.Context) error {
	added, removed, err := diff.Names(ctx, p.repo, p.base, p.tree)
	if err != nil {
		return err
	}
	var inTheWay []string
	for _, one := range workdir.Occupied(p.repo.Dir, added, removed) {
		if at := strings.ToValidUTF8(one.At, "\uFFFD"); !slices.Contains(inTheWay, at) {
			inTheWay = append(inTheWay, at)
		}
	}
	if len(inTheWay) > 0 {
		p.Refusal = reason.Of(p.says.inTheWay, "files", workdir.Some(inTheWay))
	}
	return nil
}
