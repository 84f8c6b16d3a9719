package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
)

// Condition is how a worktree stands.
type Condition string

// The conditions. In all but Ready, State.Trouble says what to do.
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
	Trouble   string // a sentence for the user; empty when ready

	err error // says Trouble
}

// unready returns the state of a worktree that is not Ready.
func unready(c Condition, err error) State {
	return State{Condition: c, Trouble: err.Error(), err: err}
}

// Err returns nil when the worktree is ready, and else an error that says
// Trouble: *WorktreeGoneError when it is Missing, *OtherBranchError when it is
// Switched, one that wraps ErrNotFound when the branch is gone, and one that
// wraps ErrConflict in all other conditions.
func (s State) Err() error {
	switch s.Condition {
	case Ready:
		return nil
	case Missing, Switched:
		return s.err
	case Gone:
		return fmt.Errorf("%w: %w", s.err, beckon.ErrNotFound)
	default:
		return conflict("%w", s.err)
	}
}

// Status reports whether a task can go on in its worktree.
func (r *Repo) Status(ctx context.Context, w Worktree) (State, error) {
	tip, err := r.at().branch(ctx, w.Branch)
	if err != nil {
		return State{}, err
	}
	if tip == "" {
		return unready(Gone, fmt.Errorf("the branch %s is gone: restore it, for example with git branch %s COMMIT", w.Branch, w.Branch)), nil
	}
	if _, err := os.Lstat(w.Dir); errors.Is(err, fs.ErrNotExist) {
		return unready(Missing, &WorktreeGoneError{Dir: w.Dir, Branch: w.Branch, Commit: tip}), nil
	} else if err != nil {
		return State{}, err
	}
	return r.folderState(ctx, w, tip)
}

// folderState tells how the existing folder of w stands.
func (r *Repo) folderState(ctx context.Context, w Worktree, tip string) (State, error) {
	broken := unready(Broken, fmt.Errorf("%s is no longer connected to its repository: run git worktree repair %s in %s", w.Dir, w.Dir, r.dir))
	ours, err := r.commonDir(ctx, r.dir)
	if err != nil {
		return State{}, err
	}
	if info, err := os.Stat(w.Dir); err != nil || !info.IsDir() {
		return broken, nil
	}
	theirs, err := r.commonDir(ctx, w.Dir)
	if exitCode(err) > 0 {
		return broken, nil
	}
	if err != nil {
		return State{}, err
	}
	if !sameFile(ours, theirs) {
		return broken, nil
	}
	if unfilled, err := r.unfilled(ctx, w.Dir); err != nil {
		return State{}, err
	} else if unfilled {
		return unready(Missing, &WorktreeGoneError{Dir: w.Dir, Branch: w.Branch, Commit: tip}), nil
	}
	if doing, err := r.inProgress(ctx, w.Dir); err != nil {
		return State{}, err
	} else if doing != "" {
		return unready(Busy, fmt.Errorf("%s is in the middle of a %s: finish it, or abort it with git %s --abort there", w.Dir, doing, doing)), nil
	}
	return r.branchState(ctx, w)
}

// branchState tells whether the folder of w is on its branch.
func (r *Repo) branchState(ctx context.Context, w Worktree) (State, error) {
	on, err := r.in(w.Dir).quiet(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil {
		return State{}, err
	}
	if on == "refs/heads/"+w.Branch {
		return State{Condition: Ready}, nil
	}
	commit, _, err := r.in(w.Dir).head(ctx)
	if err != nil {
		return State{}, err
	}
	return unready(Switched, &OtherBranchError{Dir: w.Dir, Branch: w.Branch, On: strings.TrimPrefix(on, "refs/heads/"), Commit: commit}), nil
}

// commonDir returns the .git folder that all worktrees of dir's repository
// share.
func (r *Repo) commonDir(ctx context.Context, dir string) (string, error) {
	return r.in(dir).line(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
}

// gitDir returns the folder of dir's own HEAD and index.
func (r *Repo) gitDir(ctx context.Context, dir string) (string, error) {
	return r.in(dir).line(ctx, "rev-parse", "--path-format=absolute", "--git-dir")
}

// inProgress names what somebody began in dir and has not ended: "merge",
// "rebase", "cherry-pick", "revert" or "bisect".
func (r *Repo) inProgress(ctx context.Context, dir string) (string, error) {
	gitDir, err := r.gitDir(ctx, dir)
	if err != nil {
		return "", err
	}
	marks := [][2]string{
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
	}
	for _, mark := range marks {
		if _, err := os.Lstat(filepath.Join(gitDir, mark[0])); err == nil {
			return mark[1], nil
		}
	}
	return "", nil
}

// sameFile tells whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// entry is a path that differs from the commit that a folder is at.
type entry struct {
	path      string // slash-separated; ends in a slash for a repository of its own
	untracked bool
	unmerged  bool
	// staged says that the index differs from the commit, which has the path
	// as headMode and headHash.
	staged             bool
	headMode, headHash string
}

// nested tells whether e is a repository inside the worktree, whose content
// git does not see.
func (e entry) nested() bool { return strings.HasSuffix(e.path, "/") }

// changes lists what differs in the command's folder, untracked files
// included and ignored ones not.
func (c command) changes(ctx context.Context) ([]entry, error) {
	fields, err := c.list(ctx, "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty")
	if err != nil {
		return nil, err
	}
	var entries []entry
	for _, field := range fields {
		e, err := parseEntry(field)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// parseEntry reads one record of git status --porcelain=v2 -z.
func parseEntry(s string) (entry, error) {
	bad := fmt.Errorf("git status says %q, which is unknown", s)
	kind, rest, _ := strings.Cut(s, " ")
	switch kind {
	case "?":
		return entry{path: rest, untracked: true}, nil
	case "1": // XY sub mH mI mW hH hI path
		f := strings.SplitN(rest, " ", 8)
		if len(f) < 8 {
			return entry{}, bad
		}
		return entry{path: f[7], staged: f[0][0] != '.', headMode: f[2], headHash: f[5]}, nil
	case "u": // XY sub m1 m2 m3 mW h1 h2 h3 path
		f := strings.SplitN(rest, " ", 10)
		if len(f) < 10 {
			return entry{}, bad
		}
		return entry{path: f[9], unmerged: true}, nil
	default:
		return entry{}, bad
	}
}

// paths returns the entries' paths, as a page can show them.
func paths(entries []entry) []string {
	list := []string{}
	for _, e := range entries {
		list = append(list, strings.ToValidUTF8(e.path, "\uFFFD"))
	}
	return list
}
