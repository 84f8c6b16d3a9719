package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// AddWorktree makes the branch from the branch base and checks it out in the
// folder dir, which it makes too. Where the branch or the folder exists, the
// new one takes a number behind its name, so read both from the result. What
// was half done when it fails is taken away again.
func (r *Repo) AddWorktree(ctx context.Context, dir, branch, base string) (Worktree, error) {
	if !filepath.IsAbs(dir) {
		return Worktree{}, fmt.Errorf("worktree folder %q is not absolute: %w", dir, beckon.ErrInvalid)
	}
	if !command.ValidBranch(branch) {
		return Worktree{}, fmt.Errorf("branch name %q is none that git takes: %w", branch, beckon.ErrInvalid)
	}
	commit, err := r.at().Branch(ctx, base)
	if err != nil {
		return Worktree{}, err
	}
	if commit == "" {
		return Worktree{}, baseGone(base)
	}
	w := Worktree{Dir: dir, Branch: branch, Base: base, BaseCommit: commit}
	if ready, ok := r.fromSpare(ctx, w); ok {
		return ready, nil
	}
	w, err = r.register(ctx, w)
	if err != nil {
		return Worktree{}, err
	}
	// The files are written outside the lock: of large repositories several
	// at a time. The index is made by this, so a crash leaves a folder that
	// no task knows, never one that looks as if its files were deleted.
	if err := workdir.Fill(ctx, r.in(w.Dir)); err != nil {
		return Worktree{}, errors.Join(fmt.Errorf("check out %s: %w", w.Dir, err), r.takeBack(ctx, w))
	}
	return w, nil
}

// register makes the branch and an empty worktree, under names that are free.
func (r *Repo) register(ctx context.Context, w Worktree) (Worktree, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.Dir = freeDir(w.Dir)
	if err := os.MkdirAll(filepath.Dir(w.Dir), 0o700); err != nil {
		return Worktree{}, err
	}
	branch, err := r.makeBranch(ctx, w.Branch, func(branch string) error {
		// --force: a folder of that name may have been deleted behind git's back.
		_, err := r.at().Run(ctx, "worktree", "add", "--quiet", "--force", "--no-checkout", "--no-track", "-b", branch,
			"--", w.Dir, w.BaseCommit)
		return err
	})
	if err != nil {
		_ = os.Remove(filepath.Dir(w.Dir)) // where it has nothing in it
		return Worktree{}, fmt.Errorf("add worktree %s: %w", w.Dir, err)
	}
	w.Branch = branch
	return w, nil
}

// makeBranch has a branch made by that name, and where git refuses it because it is
// taken, with a number behind it. It returns the name. Most names are free, so it asks
// which are only then.
func (r *Repo) makeBranch(ctx context.Context, name string, branch func(name string) error) (string, error) {
	err := branch(name)
	if err == nil {
		return name, nil
	}
	free, asked := r.freeBranch(ctx, name)
	if asked != nil {
		return "", asked
	}
	if free == name {
		return "", err
	}
	return free, branch(free)
}

// freeBranch returns the name, with a number behind it where it is taken or locked.
func (r *Repo) freeBranch(ctx context.Context, name string) (string, error) {
	for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
		commit, err := r.at().Branch(ctx, parent)
		if err != nil {
			return "", err
		}
		if commit != "" {
			return "", command.Conflict("git cannot have a branch %s beside one called %s: rename that one, with git branch -m %s NAME", name, parent, parent)
		}
	}
	common, err := r.at().CommonDir(ctx)
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		candidate := numbered(name, n)
		// A git that was killed over a name leaves its lock, which nothing takes away.
		if look.Exists(common, filepath.Join("refs", "heads", filepath.FromSlash(candidate)+".lock")) {
			continue
		}
		taken, err := r.at().Line(ctx, "for-each-ref", "--count=1", "--format=%(refname)", "refs/heads/"+candidate)
		if err != nil || taken == "" {
			return candidate, err
		}
	}
}

// freeDir returns dir, with a number behind it where something is there.
func freeDir(dir string) string {
	for n := 1; ; n++ {
		candidate := numbered(dir, n)
		if _, err := os.Lstat(candidate); errors.Is(err, fs.ErrNotExist) {
			return candidate
		}
		if names, err := os.ReadDir(candidate); err == nil && len(names) == 0 {
			return candidate
		}
	}
}

// numbered returns name for the first, name-2 for the second, and so on.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + "-" + strconv.Itoa(n)
}

// takeBack removes a worktree that could not be filled, and its branch as
// long as nothing was put on it. A branch that was found stays.
func (r *Repo) takeBack(ctx context.Context, w Worktree) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	r.mu.Lock()
	defer r.mu.Unlock()
	_, removeErr := r.at().Run(ctx, "worktree", "remove", "--force", "--", w.Dir)
	if w.Found != "" {
		return removeErr
	}
	_, deleteErr := r.at().Run(ctx, "update-ref", "-d", "refs/heads/"+w.Branch, w.BaseCommit)
	return errors.Join(removeErr, deleteErr)
}

// TakeBackWorktrees removes worktrees that AddWorktree or AdoptBranch was killed over, which
// was to make dir: with their branches, but for the one that was to be found. One that has a
// file or a commit of its own stays.
func (r *Repo) TakeBackWorktrees(ctx context.Context, dir, found string) error {
	list, err := workdir.ListWorktrees(ctx, r.at())
	if err != nil {
		return err
	}
	for _, e := range list {
		rest, is := strings.CutPrefix(filepath.Base(e.Dir), filepath.Base(dir))
		if !is || rest != "" && !numbers.MatchString(rest) ||
			!look.Same(filepath.Dir(e.Dir), filepath.Dir(dir)) || e.Branch == "" {
			continue
		}
		head, own, err := r.ownOf(ctx, e, found)
		if err == nil && !own {
			w := Worktree{Dir: e.Dir, Branch: e.Branch, BaseCommit: head}
			if e.Branch == found {
				w.Found = head
			}
			err = r.takeBack(ctx, w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Elsewhere lists the worktrees that appeared in the repository since, outside the folder
// ours, and that have files or commits which the branch of w has not: what an agent did that
// went into a worktree of its own.
func (r *Repo) Elsewhere(
	ctx context.Context, w Worktree, since time.Time, ours string,
) (with []workdir.ListedWorktree, err error) {
	list, err := workdir.Appeared(ctx, r.at(), since, ours)
	for _, e := range list {
		entries, err := workdir.Changes(ctx, r.in(e.Dir))
		if err != nil {
			return with, err
		}
		more, err := r.in(e.Dir).Line(ctx, "rev-list", "--max-count=1", "HEAD", "--not",
			"refs/heads/"+w.Branch, "refs/heads/"+w.Base)
		if err != nil {
			return with, err
		}
		if more != "" || len(entries) > 0 {
			with = append(with, e)
		}
	}
	return with, err
}

// numbers is what freeDir puts behind a name.
var numbers = regexp.MustCompile(`^-[0-9]+$`)

// ownOf reports whether a worktree has a file that its last commit has not, or a commit
// that no other branch has; the branch that was found stays, so that its commits do.
func (r *Repo) ownOf(
	ctx context.Context, e workdir.ListedWorktree, found string,
) (head string, own bool, err error) {
	if head, err = r.at().Branch(ctx, e.Branch); err != nil || head == "" {
		return head, true, err
	}
	having, err := r.at().Run(ctx, "for-each-ref", "--count=2", "--contains", head, "--format=%(refname)", "refs/heads")
	if err != nil || e.Branch != found && len(strings.Fields(having)) < 2 {
		return head, true, err
	}
	tree, err := workdir.Now(ctx, r.in(e.Dir))
	if err != nil {
		return head, true, err
	}
	more, err := r.at().List(ctx, "diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--name-only", "--diff-filter=AMT", head, tree)
	return head, len(more) > 0, err
}

// RemoveWorktree takes the folder of w away and leaves the branch: what
// archiving does. It refuses with ErrConflict where the folder has anything
// that the branch does not hold. Ignored files go with the folder; Loss names
// them. A folder that is gone already is no error.
func (r *Repo) RemoveWorktree(ctx context.Context, w Worktree) error {
	defer r.alone(w)()
	r.mu.Lock()
	defer r.mu.Unlock()
	state, err := r.Status(ctx, w)
	if err != nil {
		return err
	}
	if state.Condition != Missing {
		if err := state.Err(); err != nil {
			return err
		}
		if err := r.mustBeClean(ctx, w); err != nil {
			return err
		}
		if err := r.saveUnreached(ctx, w, left{tip: state.Tip}); err != nil {
			return err
		}
	}
	return r.unregister(ctx, w, false)
}

// mustBeClean refuses where the folder of w has what its branch does not.
func (r *Repo) mustBeClean(ctx context.Context, w Worktree) error {
	if err := mustBeIdle(w); err != nil {
		return err
	}
	entries, err := everyChange(ctx, r.in(w.Dir))
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return command.Conflict("the worktree has changes that no commit holds (%s): commit or discard them first",
			workdir.Some(workdir.Paths(entries)))
	}
	nested, err := r.nested(ctx, w)
	if err != nil {
		return err
	}
	return refuseNestedRepos(nested)
}

// refuseNestedRepos refuses where a worktree has repositories inside it.
func refuseNestedRepos(nested []string) error {
	if len(nested) == 0 {
		return nil
	}
	return command.Conflict("the worktree has repositories inside it, which Beckon cannot keep (%s): "+
		"move them to another folder, or delete them if nothing in them is needed, and try again", workdir.Some(nested))
}

// unregister removes the folder of w, if it is there, and git's record of it.
// Force takes what is not committed along.
func (r *Repo) unregister(ctx context.Context, w Worktree, force bool) error {
	known, err := r.removable(ctx, w)
	if err != nil || known == nil {
		return err
	}
	if err := workdir.EmptySubmodules(ctx, r.in(w.Dir)); err != nil {
		return err
	}
	args := []string{"worktree", "remove"}
	switch {
	case known.Locked: // nobody meant this lock
		args = append(args, "--force", "--force")
	case force:
		args = append(args, "--force")
	}
	if _, err := r.at().Run(ctx, append(args, "--", known.Dir)...); err != nil {
		return fmt.Errorf("remove worktree %s: %w", w.Dir, err)
	}
	return nil
}

// removable returns git's record of w, nil where it has none, and why it cannot be removed, if so.
// The lock of a worktree that git was killed over while it made it keeps nobody.
func (r *Repo) removable(ctx context.Context, w Worktree) (*workdir.ListedWorktree, error) {
	known, err := workdir.Registered(ctx, r.at(), w.Dir)
	if err != nil || known == nil {
		return nil, err
	}
	// A submodule's commits lie beside the record, and go with it.
	top, modules, err := workdir.Modules(ctx, r.at(), w.Dir)
	if err != nil {
		return nil, err
	}
	if len(modules) > 0 {
		return nil, command.Conflict("%s has the commits of submodules (%s) and would be removed with the worktree: "+
			"move it away, or delete it if nothing in it is needed, and try again", top, workdir.Some(modules))
	}
	if cutOff := known.Reason == "initializing" || known.Reason == workdir.Filling; known.Locked && !cutOff {
		return nil, command.Conflict("the worktree %s is locked (%s): unlock it with git worktree unlock %s",
			w.Dir, known.Reason, w.Dir)
	}
	return known, nil
}
