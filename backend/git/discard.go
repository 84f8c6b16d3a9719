package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
	"beckon/backend/git/worktree"
)

// keptFor is how long what was discarded can be brought back.
const keptFor = 30 * 24 * time.Hour

// discardedRefs is where it is kept, under the branch's name and the Unix
// time in seconds. No push or fetch takes these along unless it mirrors.
const discardedRefs = "refs/beckon/discarded/"

// maxIgnored is how many ignored paths a Loss lists.
const maxIgnored = 200

// loss is a beckon.Loss with what Discard needs to keep it.
type loss struct {
	beckon.Loss
	state     State
	tip, head string // commits of the branch and of the folder; head may be empty
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
	switch l.state.Condition {
	case Gone, Broken:
		return l, l.state.Err()
	case Ready, Missing, Busy, Switched: // all there is can be found
	}
	if l.tip, err = r.at().Branch(ctx, w.Branch); err != nil {
		return l, err
	}
	l.Ignored = []string{}
	if l.Repositories, err = workdir.NestedRepos(ctx, r.at(), w.Dir); err != nil {
		return l, err
	}
	if l.state.Condition != Missing {
		if err = r.folderLoss(ctx, w, &l); err != nil {
			return l, err
		}
	}
	l.Uncommitted = workdir.Paths(l.entries)
	l.KeptUntil = time.Now().Add(keptFor).UnixMilli()
	l.Token = l.token()
	l.Commits, err = r.unmerged(ctx, w, l)
	return l, err
}

// folderLoss adds what is only in the folder of w.
func (r *Repo) folderLoss(ctx context.Context, w Worktree, l *loss) (err error) {
	c := r.in(w.Dir)
	if l.head, _, err = c.Head(ctx); err != nil {
		return err
	}
	if l.entries, err = workdir.Changes(ctx, c); err != nil {
		return err
	}
	ignored, err := c.List(ctx, "status", "--porcelain", "-z", "--no-renames", "--ignored=matching", "--untracked-files=all", "--ignore-submodules=dirty")
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
	fmt.Fprintf(sum, "%s %s\n", l.tip, l.head)
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
	if done, err := merge.Landed(ctx, r.at(), base, l.tip); err != nil || done.To != "" && (l.head == "" || l.head == l.tip) {
		return 0, err
	}
	args := []string{"rev-list", "--count", l.tip, "^" + base}
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
// a commit on top. The token is that of the Loss that was shown; when there
// is something else to lose by then, Discard refuses with ErrConflict. It
// also refuses where the folder has the repositories that the Loss names,
// submodules for example, because it cannot keep those.
func (r *Repo) Discard(ctx context.Context, w Worktree, token string) error {
	defer r.alone(w)()
	r.mu.Lock()
	defer r.mu.Unlock()
	l, err := r.loss(ctx, w)
	if err != nil {
		return err
	}
	if l.Token != token {
		return command.Conflict("the worktree changed since you were asked: look at what would go, and discard again")
	}
	if err := refuseNestedRepos(l.Repositories); err != nil {
		return err
	}
	if other, err := worktree.CheckedOut(ctx, r.at(), w.Branch); err != nil {
		return err
	} else if other != "" && !look.Same(other, w.Dir) {
		return branchInUse(w.Branch, other)
	}
	kept, err := r.backupCommit(ctx, w, l)
	if err != nil {
		return fmt.Errorf("keep %s: %w", w.Branch, err)
	}
	if err := r.saveRef(ctx, w.Branch, kept); err != nil {
		return fmt.Errorf("keep %s: %w", w.Branch, err)
	}
	if err := r.unregister(ctx, w, true); err != nil {
		return err
	}
	_, err = r.at().Run(ctx, "update-ref", "-d", "refs/heads/"+w.Branch, l.tip)
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
	return workdir.CommitTree(ctx, r.in(w.Dir), tree, "What was not committed on "+w.Branch+" when it was discarded", parents...)
}

// saveRef points a private ref at the commit, under the first second that is
// free.
func (r *Repo) saveRef(ctx context.Context, branch, commit string) error {
	for second := time.Now().Unix(); ; second++ {
		ref := discardedRefs + branch + "/" + strconv.FormatInt(second, 10)
		taken, err := r.at().Line(ctx, "for-each-ref", "--format=%(refname)", ref)
		if err != nil {
			return err
		}
		if taken == "" {
			_, err = r.at().Run(ctx, "update-ref", ref, commit, "")
			return err
		}
	}
}

// Discarded is a branch that was discarded and can be brought back.
type Discarded struct {
	Ref    string
	Branch string
	Commit string
	At     int64 // Unix milliseconds
	Until  int64 // when Prune lets go of it, Unix milliseconds
}

// Discarded lists what was discarded and is still kept.
func (r *Repo) Discarded(ctx context.Context) ([]Discarded, error) {
	out, err := r.at().Line(ctx, "for-each-ref", "--format=%(objectname) %(refname)", discardedRefs)
	if err != nil {
		return nil, err
	}
	list := []Discarded{}
	for line := range strings.Lines(out) {
		commit, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		branch, second := path.Split(strings.TrimPrefix(ref, discardedRefs))
		if at, err := strconv.ParseInt(second, 10, 64); err == nil {
			list = append(list, Discarded{ref, strings.TrimSuffix(branch, "/"), commit, at * 1000, time.Unix(at, 0).Add(keptFor).UnixMilli()})
		}
	}
	return list, nil
}

// Restore makes the branch of a discarded one again, what was not committed
// included, and returns its name, which has a number behind it where the old
// one is taken. Asked again it returns the same branch, until Forget: the caller
// may die before it knows the name.
func (r *Repo) Restore(ctx context.Context, ref string) (branch string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, err := r.Discarded(ctx)
	if err != nil {
		return "", err
	}
	for _, d := range list {
		if d.Ref != ref {
			continue
		}
		if branch, err = r.restored(ctx, d); err != nil || branch != "" {
			return branch, err
		}
		if branch, err = r.freeBranch(ctx, d.Branch); err != nil {
			return "", err
		}
		_, err = r.at().Run(ctx, "update-ref", "refs/heads/"+branch, d.Commit, "")
		return branch, err
	}
	return "", fmt.Errorf("nothing is kept under %s any more: %w", ref, beckon.ErrNotFound)
}

// restored returns the branch that Restore made of a discarded one, if it did.
func (r *Repo) restored(ctx context.Context, d Discarded) (string, error) {
	names, err := r.at().Line(ctx, "for-each-ref", "--points-at", d.Commit, "--format=%(refname:lstrip=2)", "refs/heads/")
	if err != nil {
		return "", err
	}
	for name := range strings.FieldsSeq(names) {
		number, ok := strings.CutPrefix(name, d.Branch+"-")
		if _, err := strconv.Atoi(number); name == d.Branch || ok && err == nil {
			return name, nil
		}
	}
	return "", nil
}

// Forget lets go of a discarded branch that was restored.
func (r *Repo) Forget(ctx context.Context, ref string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !strings.HasPrefix(ref, discardedRefs) {
		return fmt.Errorf("%s keeps nothing: %w", ref, beckon.ErrInvalid)
	}
	_, err := r.at().Run(ctx, "update-ref", "-d", ref)
	return err
}

// branchInUse is the error of what cannot be done to a branch that is checked
// out in dir.
func branchInUse(branch, dir string) error {
	err := command.Conflict("the branch %s is checked out in %s: switch to another one there", branch, dir)
	return problem.Of(problem.BranchInUse, err, "branch", branch, "dir", dir)
}
