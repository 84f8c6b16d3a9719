package git

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/merge"
	"beckon/backend/git/spare"
	"beckon/backend/git/workdir"
)

// maxIgnored is how many ignored paths a Loss lists.
const maxIgnored = 200

// loss is a beckon.Loss with what Discard needs to keep it.
type loss struct {
	beckon.Loss
	state     State
	tip, head string // commits of the branch and of the folder; head may be empty
	tree      string // of the files, where there is no commit
	entries   []workdir.Entry
}

// Loss tells what Discard would take out of sight. It keeps the uncommitted
// files and the commits for 30 days, and not the ignored files, which
// RemoveWorktree takes too. Without a folder only the commits are left.
func (r *Repo) Loss(ctx context.Context, w Worktree) (beckon.Loss, error) {
	l, err := r.loss(ctx, w)
	return l.Loss, err
}

func (r *Repo) loss(ctx context.Context, w Worktree) (l loss, err error) {
	if look.Same(w.Dir, r.dir) {
		return l, fmt.Errorf("%s is the project's own folder: %w", w.Dir, beckon.ErrInvalid)
	}
	if l.state, err = r.Status(ctx, w); err != nil {
		return l, err
	}
	l.BranchGone = l.state.Condition == Gone
	if l.tip, err = r.lastOf(ctx, w, l.state); err != nil {
		return l, err
	}
	l.Ignored = []string{}
	switch {
	case l.state.Folder == Broken && (cutOff(w.Dir) || !look.Exists(w.Dir, ".git")):
		return l, l.state.Err()
	case l.state.Folder == Broken: // it is a repository of its own
		l.Repositories = []string{"."}
	default:
		l.Repositories, err = r.nested(ctx, w)
	}
	if err == nil && l.state.Folder != Missing && l.state.Folder != Broken {
		err = r.folderLoss(ctx, w, &l)
	}
	if err == nil && l.tip == "" {
		l.tree, err = r.notedTree(ctx, w)
	}
	l.Uncommitted = workdir.Paths(l.entries)
	l.Token = l.token()
	if err != nil || l.tip == "" && l.tree == "" {
		return l, err
	}
	l.KeptUntil = time.Now().Add(spare.KeptFor).UnixMilli()
	if l.Commits = 1; l.tip != "" {
		l.Commits, err = r.unmerged(ctx, w, l)
	}
	return l, err
}

// notedTree returns the tree that was noted of w, unless git has it no more, or it is that
// of the commit that the branch grew from.
func (r *Repo) notedTree(ctx context.Context, w Worktree) (string, error) {
	if w.Tree == "" {
		return "", nil
	}
	tree, err := r.at().Quiet(ctx, "rev-parse", "--verify", "--quiet", w.Tree+"^{tree}")
	if err != nil || tree == "" {
		return "", err
	}
	if base, err := r.at().Quiet(ctx, "rev-parse", "--verify", "--quiet", w.BaseCommit+"^{tree}"); err != nil ||
		base == tree {
		return "", err
	}
	return tree, nil
}

// lastOf returns the commit that the branch of w is at. Where the branch is gone, it is the last
// that git knows the worktree to be at, and else the one that the branch grew from, as long as
// there are files to be kept on top of it.
func (r *Repo) lastOf(ctx context.Context, w Worktree, state State) (string, error) {
	switch {
	case state.Condition != Gone:
		return r.at().Branch(ctx, w.Branch)
	case state.Last != "" || state.Folder == Missing:
		return state.Last, nil
	}
	return r.at().Quiet(ctx, "rev-parse", "--verify", "--quiet", w.BaseCommit+"^{commit}")
}

// folderLoss adds what is only in the folder of w.
func (r *Repo) folderLoss(ctx context.Context, w Worktree, l *loss) (err error) {
	c := r.in(w.Dir)
	if l.head, _, err = c.Head(ctx); err != nil {
		return err
	}
	if l.entries, err = everyChange(ctx, c); err != nil {
		return err
	}
	ignored, err := c.List(ctx, "status", "--porcelain", "-z", "--no-renames", "--ignored=matching",
		"--untracked-files=all", "--ignore-submodules=dirty")
	for _, line := range ignored {
		if name, ok := strings.CutPrefix(line, "!! "); ok && len(l.Ignored) < maxIgnored {
			l.Ignored = append(l.Ignored, strings.ToValidUTF8(name, "\uFFFD"))
		}
	}
	return err
}

// token names exactly this loss.
func (l loss) token() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s %s\n", l.tip, l.head, l.tree)
	fmt.Fprintf(sum, "%q\n", l.Repositories)
	for _, e := range l.entries {
		fmt.Fprintf(sum, "%q %t %t %t\n", e.Path, e.Untracked, e.Unmerged, e.Staged)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// unmerged counts the commits of branch and folder that the base lacks.
func (r *Repo) unmerged(ctx context.Context, w Worktree, l loss) (int, error) {
	base, err := r.at().Branch(ctx, w.Base)
	if err != nil {
		return 0, err
	}
	if base == "" {
		base = w.BaseCommit
	}
	// The commits of a squash or a rebase are others than the branch's.
	if done, err := merge.Landed(ctx, r.at(), base, l.tip); err != nil ||
		done.To != "" && (l.head == "" || l.head == l.tip) {
		return 0, err
	}
	args := []string{"rev-list", "--count", l.tip, "^" + base}
	if w.Found != "" { // what was there before the task is not the task's
		args = append(args, "^"+w.Found)
	}
	if l.head != "" {
		args = append(args, l.head)
	}
	count, err := r.at().Line(ctx, args...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(count)
}

// Discard takes the worktree and the branch of w away, after keeping them
// under a private ref for 30 days, with the uncommitted and untracked files as
// a commit on top. A branch that was found goes back to where it
// was, unless its base has all of the work. The token is that of the Loss that was shown; when there
// is something else to lose by then, Discard refuses with ErrConflict. It
// also refuses where the folder has the repositories that the Loss names,
// submodules for example, because it cannot keep those.
func (r *Repo) Discard(ctx context.Context, w Worktree, token string) error {
	defer r.alone(w)()
	r.mu.Lock()
	defer r.mu.Unlock()
	l, branch, err := r.discardable(ctx, w, token)
	if err != nil {
		return err
	}
	if l.tip == "" {
		if err := r.saveTree(ctx, w, l.tree); err != nil {
			return err
		}
		return r.unregister(ctx, w, true)
	}
	kept, err := r.backupCommit(ctx, w, l)
	if err != nil {
		return fmt.Errorf("keep %s: %w", w.Branch, err)
	}
	staged, err := r.stagedOnly(ctx, w, l, kept)
	if err != nil {
		return fmt.Errorf("keep %s: %w", w.Branch, err)
	}
	if err := r.saveUnreached(ctx, w,
		left{tip: l.tip, missing: l.state.Folder == Missing, branch: branch, staged: staged}); err != nil {
		return fmt.Errorf("keep %s: %w", w.Branch, err)
	}
	if err := r.save(ctx, w, l, kept); err != nil {
		return fmt.Errorf("keep %s: %w", w.Branch, err)
	}
	if err := r.unregister(ctx, w, true); err != nil || branch == "" {
		return err
	}
	if w.Found != "" {
		return r.putBack(ctx, w, l)
	}
	_, err = r.at().Run(ctx, "update-ref", "-d", "refs/heads/"+branch, l.tip)
	return err
}

// CheckDiscard returns why Discard would refuse, if so, and changes nothing.
func (r *Repo) CheckDiscard(ctx context.Context, w Worktree, token string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _, err := r.discardable(ctx, w, token)
	return err
}

// discardable returns what Discard is to keep, and the branch that goes too, if one does.
func (r *Repo) discardable(ctx context.Context, w Worktree, token string) (l loss, branch string, err error) {
	if l, err = r.loss(ctx, w); err != nil {
		return l, "", err
	}
	if l.Token != token {
		return l, "", command.Conflict("the worktree changed since you were asked: look at what would go, and discard again")
	}
	if err = cmp.Or(refuseNestedRepos(l.Repositories), mustBeIdle(w)); err == nil {
		_, err = r.removable(ctx, w)
	}
	if err != nil || l.tip == "" || l.state.Condition == Gone {
		return l, "", err
	}
	other, err := workdir.CheckedOut(ctx, r.at(), w.Branch)
	if err == nil && other != "" && !look.Same(other, w.Dir) {
		err = branchInUse(w.Branch, other)
	}
	return l, w.Branch, err
}

// putBack puts a branch that was found back to where it was, unless its base has all that
// the task did.
func (r *Repo) putBack(ctx context.Context, w Worktree, l loss) error {
	if l.Commits == 0 {
		return nil
	}
	_, err := r.at().Run(ctx, "update-ref", "-m", "beckon: the task's work was discarded", "refs/heads/"+w.Branch, w.Found, l.tip)
	return err
}

// saveTree keeps a tree as what was discarded of w, if there is one.
func (r *Repo) saveTree(ctx context.Context, w Worktree, tree string) error {
	if tree == "" {
		return nil
	}
	base, err := r.at().Quiet(ctx, "rev-parse", "--verify", "--quiet", w.BaseCommit+"^{commit}")
	if err != nil {
		return err
	}
	kept, err := workdir.CommitTree(ctx, r.at(), tree, "What "+w.Branch+" was when Beckon last noted it", base)
	if err == nil {
		_, err = r.trash().Save(ctx, w.Branch, kept, base)
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", w.Branch, err)
	}
	return nil
}

// save keeps a commit as what was discarded of w, unless a Discard that was killed
// after it removed the folder kept that, with what was in the folder.
func (r *Repo) save(ctx context.Context, w Worktree, l loss, kept string) error {
	if l.state.Folder == Missing {
		list, err := r.Discarded(ctx)
		if err != nil {
			return err
		}
		for _, d := range list {
			if d.Branch != w.Branch {
				continue
			}
			more, err := r.at().Line(ctx, "rev-list", "--max-count=1", l.tip, "^"+d.Commit)
			if err != nil || more == "" {
				return err
			}
		}
	}
	_, err := r.trash().Save(ctx, w.Branch, kept, w.BaseCommit)
	return err
}

// backupCommit returns a commit that reaches everything in l: the branch's tip
// itself, or a commit of the uncommitted files on top of it.
func (r *Repo) backupCommit(ctx context.Context, w Worktree, l loss) (string, error) {
	if len(l.entries) == 0 && (l.head == "" || l.head == l.tip) {
		return l.tip, nil
	}
	tree, err := workdir.Snapshot(ctx, r.in(w.Dir), l.entries)
	if err != nil {
		return "", err
	}
	parents := []string{l.head}
	if l.tip != l.head {
		parents = append(parents, l.tip)
	}
	return workdir.CommitTree(ctx, r.in(w.Dir), tree,
		"What was not committed on "+w.Branch+" when it was discarded", parents...)
}

// Discarded lists what was discarded and is still kept.
func (r *Repo) Discarded(ctx context.Context) ([]Discarded, error) { return r.trash().List(ctx) }

// Lost returns those of the refs under which no discarded work is kept any more.
func (r *Repo) Lost(ctx context.Context, refs []string) ([]string, error) {
	return r.trash().Lost(ctx, refs)
}

// Prune lets go of what was discarded long ago; see trash.Prune.
func (r *Repo) Prune(ctx context.Context, at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trash().Prune(ctx, at)
}

// Restore makes the branch of a discarded one again, what was not committed
// included, and returns its name, which has a number behind it where the old
// one is taken. A branch that was found moves forward again where it still is at the commit
// found. Asked again it returns the same branch, until Forget: the caller may die
// before it knows the name.
func (r *Repo) Restore(ctx context.Context, ref, found string) (branch string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d, err := r.trash().Find(ctx, ref)
	if err != nil {
		return "", err
	}
	if branch, err = r.trash().Restored(ctx, d); err != nil || branch != "" {
		return branch, err
	}
	if moved, err := r.forwardFound(ctx, d, found); err != nil || moved {
		return d.Branch, err
	}
	if branch, err = r.freeBranch(ctx, d.Branch); err != nil {
		return "", err
	}
	_, err = r.at().Run(ctx, "update-ref", "refs/heads/"+branch, d.Commit, "")
	return branch, err
}

// forwardFound moves the branch of what was discarded from the commit found, if it is there
// and in no folder, and reports whether it did.
func (r *Repo) forwardFound(ctx context.Context, d Discarded, found string) (bool, error) {
	if found == "" {
		return false, nil
	}
	tip, err := r.at().Branch(ctx, d.Branch)
	if err != nil || tip != found {
		return false, err
	}
	if dir, err := workdir.CheckedOut(ctx, r.at(), d.Branch); err != nil || dir != "" {
		return false, err
	}
	_, err = r.at().Run(ctx, "update-ref", "refs/heads/"+d.Branch, d.Commit, found)
	return err == nil, err
}

// Forget lets go of a discarded branch that was restored.
func (r *Repo) Forget(ctx context.Context, ref string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trash().Drop(ctx, ref)
}

// branchInUse is the error of what cannot be done to a branch that is checked
// out in dir.
func branchInUse(branch, dir string) error {
	err := command.Conflict("the branch %s is checked out in %s: switch to another one there", branch, dir)
	return problem.New(problem.BranchInUse, err, "branch", branch, "dir", dir)
}
