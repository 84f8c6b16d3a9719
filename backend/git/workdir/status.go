package workdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// This file tells the state of a task's worktree: whether it is there, is
// whole, and shows the task's branch; and which worktrees git knows. It changes
// nothing.

// Worktree is where a task's runs work, and the branch they work on.
type Worktree struct {
	Dir    string // absolute
	Branch string
	Base   string // the branch that it started from
	// BaseCommit is the commit of Base that Branch grew from.
	BaseCommit string
	// Found is the commit that Branch was at when the task came to it; empty where the
	// branch was made for the task.
	Found string
	// Tree is what the files were when Beckon last noted it, if it did; git may have it no
	// more. It is for what is left where git has neither branch nor folder.
	Tree string
}

// WorktreeOf returns where a task works.
func WorktreeOf(t beckon.Task) Worktree {
	return Worktree{Dir: t.Worktree, Branch: t.Branch, Base: t.Base, BaseCommit: t.BaseCommit, Found: t.Start.Found}
}

// Filling is why a worktree is locked whose files are being written. One that
// still has this lock after a crash is not whole: to its index, most files
// look deleted.
const Filling = "beckon: the files are being written"

// Condition is the state of a worktree.
type Condition string

// The conditions. In all but Ready, the error of State says what to do.
const (
	Ready    Condition = "ready"
	Missing  Condition = "missing"  // the folder is gone or was never filled, the branch is there
	Gone     Condition = "gone"     // the branch is gone
	Broken   Condition = "broken"   // the folder is no worktree of the repository
	Busy     Condition = "busy"     // in the middle of a merge, rebase, …
	Switched Condition = "switched" // on another branch, or on none
)

// State is what Status finds.
type State struct {
	Condition Condition
	Tip       string // the commit of the branch; empty when that is gone
	// Folder is the condition of the folder by itself, which differs where the branch is Gone,
	// and Last the commit that git knows the folder to be at, or to have been at, then;
	// empty: it knows none.
	Folder Condition
	Last   string

	err error // what to do; nil when ready
}

// unready returns the state of a worktree that is not Ready.
func unready(c Condition, err error) State {
	return State{Condition: c, err: err}
}

// Err returns nil when the worktree is ready, and else an error that says what to
// do: *WorktreeGoneError when it is Missing, *OtherBranchError when it is
// Switched, *BranchGoneError when the branch is gone, and one that wraps ErrConflict
// in all other conditions.
func (s State) Err() error {
	switch s.Condition {
	case Ready:
		return nil
	case Missing, Switched, Gone:
		return s.err
	default:
		return command.Conflict("%w", s.err)
	}
}

// Status reports whether a task can go on in its worktree.
func Status(ctx context.Context, repo command.Git, w Worktree) (State, error) {
	tip, err := repo.Branch(ctx, w.Branch)
	if err != nil {
		return State{}, err
	}
	s, err := folderState(ctx, repo, w, tip)
	s.Folder, s.Tip = s.Condition, tip
	if err != nil || tip != "" {
		return s, err
	}
	return gone(ctx, repo, w, s)
}

// gone returns the state of a worktree whose branch is gone, and whose folder is in the state s.
func gone(ctx context.Context, repo command.Git, w Worktree, s State) (State, error) {
	why := &BranchGoneError{Dir: w.Dir, Branch: w.Branch, Folder: s.Folder}
	if other := (*OtherBranchError)(nil); errors.As(s.err, &other) {
		why.On, why.Commit = other.On, other.Commit
	}
	if s.Folder == Ready {
		why.On = w.Branch // which has no commit any more
	}
	var err error
	if why.Commit == "" {
		why.Commit, err = lastCommit(ctx, repo, w.Dir)
	}
	is := unready(Gone, why)
	is.Folder, is.Last = s.Folder, why.Commit
	return is, err
}

// folderState returns the state of the folder of w, if there is one.
func folderState(ctx context.Context, repo command.Git, w Worktree, tip string) (State, error) {
	missing := unready(Missing, &WorktreeGoneError{Dir: w.Dir, Branch: w.Branch, Commit: tip})
	if _, err := os.Lstat(w.Dir); errors.Is(err, fs.ErrNotExist) {
		return missing, nil
	} else if err != nil {
		return State{}, err
	}
	broken := unready(Broken, reason.Of(reason.WorktreeBroken, "dir", w.Dir, "repository", repo.Dir).Err())
	if info, err := os.Stat(w.Dir); err != nil || !info.IsDir() {
		return broken, nil
	}
	var ours string
	var oursErr error
	var beside sync.WaitGroup
	beside.Go(func() { ours, oursErr = repo.CommonDir(ctx) })
	theirs, gitDir, err := repo.In(w.Dir).Dirs(ctx)
	beside.Wait()
	switch {
	case oursErr != nil:
		return State{}, oursErr
	case command.ExitCode(err) > 0:
		return broken, nil
	case err != nil:
		return State{}, err
	case !look.Same(ours, theirs):
		return broken, nil
	}
	if never, err := unfilled(gitDir); err != nil {
		return State{}, err
	} else if never {
		return missing, nil
	}
	if doing := inProgress(gitDir); doing != "" {
		return unready(Busy, reason.Of(reason.WorktreeInTheMiddle, "dir", w.Dir, "what", doing).Err()), nil
	}
	return branchState(ctx, repo, w)
}

// branchState returns whether the folder of w is on its branch.
func branchState(ctx context.Context, repo command.Git, w Worktree) (State, error) {
	on, err := repo.In(w.Dir).Quiet(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil {
		return State{}, err
	}
	if on == "refs/heads/"+w.Branch {
		return State{Condition: Ready}, nil
	}
	commit, _, err := repo.In(w.Dir).Head(ctx)
	if err != nil {
		return State{}, err
	}
	return unready(Switched, &OtherBranchError{
		Dir: w.Dir, Branch: w.Branch,
		On: strings.TrimPrefix(on, "refs/heads/"), Commit: commit,
	}), nil
}

// InProgress names what a person or agent began in the folder and has not
// ended: "merge", "rebase", "cherry-pick" or "revert".
func InProgress(ctx context.Context, c command.Git) (string, error) {
	gitDir, err := c.GitDir(ctx)
	if err != nil {
		return "", err
	}
	return inProgress(gitDir), nil
}

func inProgress(gitDir string) string {
	marks := [][2]string{
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
	}
	for _, mark := range marks {
		if _, err := os.Lstat(filepath.Join(gitDir, mark[0])); err == nil {
			return mark[1]
		}
	}
	return ""
}

// Moving returns the folder in which a person rebases or bisects a branch, and which of both
// it is; empty for none. The branch is not checked out meanwhile: git's notes in each folder
// of the repository name it.
func Moving(ctx context.Context, repo command.Git, branch string) (dir, doing string, err error) {
	common, err := repo.Line(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return "", "", err
	}
	linked, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", "", err
	}
	gitDirs := []string{common}
	for _, one := range linked {
		gitDirs = append(gitDirs, filepath.Join(common, "worktrees", one.Name()))
	}
	notes := [][3]string{
		{"rebase-merge/head-name", "refs/heads/" + branch, "rebase"},
		{"rebase-apply/head-name", "refs/heads/" + branch, "rebase"},
		{"BISECT_START", branch, "bisect"},
	}
	for _, gitDir := range gitDirs {
		for _, note := range notes {
			if text, err := look.ReadMetadata(filepath.Join(gitDir, note[0])); err == nil &&
				strings.TrimSpace(string(text)) == note[1] {
				return folderOf(gitDir, common), note[2], nil
			}
		}
	}
	return "", "", nil
}

// folderOf returns the folder whose git directory that is.
func folderOf(gitDir, common string) string {
	if gitDir == common {
		return filepath.Dir(common)
	}
	dotGit, err := look.DotGit(gitDir)
	if err != nil {
		return gitDir
	}
	return filepath.Dir(dotGit)
}

// unfilled reports whether the files of the worktree were never all written.
func unfilled(gitDir string) (bool, error) {
	reason, err := os.ReadFile(filepath.Join(gitDir, "locked"))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return strings.TrimSpace(string(reason)) == Filling, err
}
