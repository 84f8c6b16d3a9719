//go:build linux || darwin

// Package workspace is what `beckon shim` does on another machine besides keeping agents:
// it keeps a repository for each project and a worktree for each task there, and tells
// what there is. Calls name projects and tasks by their ids, which become folders.
//
// What runs there is what the user's own account may run; nothing here trusts that the
// other end is a Beckon more than ssh does.
package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/gofrs/flock"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/shim"
	"beckon/backend/git/command"
	"beckon/backend/git/mirror"
)

// Workspace is all that Beckon has on this machine for Beckons elsewhere. Several of one
// account share it; a mark in each repository says whose it is.
type Workspace struct {
	Dir     string // see shim.Folder
	Program string // the file of this one; empty: older ones stay
	// Claude returns the version of the agent's program; empty where there is none.
	Claude func(context.Context) string
	// Login is whether that is signed in.
	Login func() executing.Login
	// Git returns git's version, or why it is of no use.
	Git func(context.Context) (string, error)
	// Environ is the environment of setup commands, with what it is given.
	Environ func(extra []string) []string
}

// Serve answers a call.
func (w Workspace) Serve(ctx context.Context, name string, params json.RawMessage) (any, error) {
	serve, known := map[string]func(context.Context, json.RawMessage) (any, error){
		calls.Look:    func(ctx context.Context, _ json.RawMessage) (any, error) { return w.lookAtMachine(ctx) },
		calls.Prepare: with(w.prepare),
		calls.Put:     with(w.putWorktree),
		calls.Meet:    with(w.meet),
		calls.Along:   with(w.putAlong),
		calls.SetUp:   with(w.setUp),
		calls.Take:    with(w.takeWork),
		calls.Remove:  with(w.remove),
		calls.Left:    with(w.left),
		calls.Runs:    with(w.runs),
		calls.Clear:   with(w.clear),
	}[name]
	if !known {
		return nil, fmt.Errorf("this Beckon knows no call %.40q", name)
	}
	return serve(ctx, params)
}

type nothing struct{}

// with reads the params of a call.
func with[P, R any](call func(context.Context, P) (R, error)) func(context.Context, json.RawMessage) (any, error) {
	return func(ctx context.Context, text json.RawMessage) (any, error) {
		var params P
		if err := json.Unmarshal(text, &params); err != nil {
			return nil, err
		}
		return call(ctx, params)
	}
}

var id = regexp.MustCompile(`^[a-z0-9]{1,64}$`)

// mustBe refuses words that are none of Beckon's.
func mustBe(is func(string) bool, words ...string) error {
	for _, word := range words {
		if !is(word) {
			return fmt.Errorf("%.80q is none of Beckon's names", word)
		}
	}
	return nil
}

func (w Workspace) repo(projectID string) string {
	return filepath.Join(w.Dir, "repos", projectID+".git")
}

// worktrees is where a project's are.
func (w Workspace) worktrees(projectID string) string {
	return filepath.Join(w.Dir, "work", projectID)
}

func (w Workspace) worktree(t calls.Task) string {
	return filepath.Join(w.worktrees(t.ProjectID), t.ID)
}

// has reports whether a task has a worktree.
func (w Workspace) has(t calls.Task) bool {
	_, err := os.Stat(filepath.Join(w.worktree(t), ".git"))
	return !errors.Is(err, os.ErrNotExist)
}

// prepare makes a project's repository, unless it is there. Nothing that it has comes
// from a template, so it has no hooks.
func (w Workspace) prepare(ctx context.Context, p calls.Project) (calls.Prepared, error) {
	if err := mustBe(id.MatchString, p.ID); err != nil {
		return calls.Prepared{}, err
	}
	dir := w.repo(p.ID)
	unlock, err := w.lock(ctx, p.ID)
	if err != nil {
		return calls.Prepared{}, err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); errors.Is(err, os.ErrNotExist) {
		if _, err := w.git(dir).Run(ctx, "init", "--quiet", "--bare", "--template=", dir); err != nil {
			return calls.Prepared{}, err
		}
	}
	for _, s := range []command.Setting{
		{Key: "receive.shallowUpdate", Value: "true"}, {Key: "receive.denyCurrentBranch", Value: "refuse"}, {Key: "user.name", Value: p.UserName}, {Key: "user.email", Value: p.UserEmail},
	} {
		if s.Value == "" {
			continue
		}
		if _, err := w.git(dir).Run(ctx, "config", s.Key, s.Value); err != nil {
			return calls.Prepared{}, err
		}
	}
	err = w.mark(p)
	if err == nil {
		_ = w.sweep(p.Owner) // what stays takes room, and is looked at again
	}
	return calls.Prepared{Dir: dir}, err
}

const lockAgain = 10 * time.Millisecond

// lock locks a project's repository against the calls of other tasks, each of which is a
// process of its own: git refuses to set what another sets at the moment, and stumbles over
// a worktree that another is about to add, or prunes it.
func (w Workspace) lock(ctx context.Context, projectID string) (unlock func(), err error) {
	dir := w.repo(projectID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(dir, "beckon.lock"))
	if _, err := l.TryLockContext(ctx, lockAgain); err != nil {
		return nil, fmt.Errorf("wait for the repository of the project: %w", errors.Join(err, l.Close()))
	}
	return func() { _ = l.Close() }, nil
}

func (w Workspace) git(dir string) command.Git {
	return command.Git{Dir: dir, Trusted: true, Owner: w.Dir}
}

func (w Workspace) mirror(t calls.Task) mirror.Worktree {
	return mirror.Worktree{Git: w.git(w.worktree(t)), Branch: t.Branch, Ref: "refs/beckon/both/" + t.ID}
}

// putWorktree makes a task's worktree what was pushed.
func (w Workspace) putWorktree(ctx context.Context, p calls.Work) (calls.Worktree, error) {
	if err := errors.Join(mustBe(id.MatchString, p.ProjectID, p.ID), mustBe(command.IsCommit, p.Commit)); err != nil {
		return calls.Worktree{}, err
	}
	dir := w.worktree(p.Task)
	m := w.mirror(p.Task)
	if !w.has(p.Task) {
		if err := w.add(ctx, p); err != nil {
			return calls.Worktree{}, err
		}
	} else if p.Have != "" {
		if err := mustBe(command.IsCommit, p.Have); err != nil {
			return calls.Worktree{}, err
		}
		if err := m.Agree(ctx, p.Have); err != nil {
			return calls.Worktree{}, err
		}
	}
	if err := m.PutCommit(ctx, p.Commit); err != nil {
		return calls.Worktree{}, err
	}
	return calls.Worktree{Dir: dir}, nil
}

// add makes a worktree at the last commit of what was pushed.
func (w Workspace) add(ctx context.Context, p calls.Work) error {
	dir := w.worktree(p.Task)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil { // what a copy that broke off left
		return err
	}
	if err := w.enter(ctx, p); err != nil {
		return err
	}
	if _, err := w.git(dir).Run(ctx, "reset", "--quiet", "--hard"); err != nil {
		return err
	}
	m := w.mirror(p.Task)
	now, err := m.TakeCommit(ctx)
	if err != nil {
		return err
	}
	return m.Agree(ctx, now)
}

// enter makes the worktree known to the repository. It has no files yet: others wait.
func (w Workspace) enter(ctx context.Context, p calls.Work) error {
	unlock, err := w.lock(ctx, p.ProjectID)
	if err != nil {
		return err
	}
	defer unlock()
	// By force, since the repository may know one there that is gone.
	_, err = w.git(w.repo(p.ProjectID)).Run(ctx, "worktree", "add", "--quiet", "--force", "--no-checkout", "--no-track", "-B", p.Branch, "--", w.worktree(p.Task), p.Commit+"^1")
	return err
}

// takeWork returns what a task's worktree amounts to.
func (w Workspace) takeWork(ctx context.Context, t calls.Task) (calls.Taken, error) {
	if err := mustBe(id.MatchString, t.ProjectID, t.ID); err != nil {
		return calls.Taken{}, err
	}
	if !w.has(t) {
		return calls.Taken{}, nil
	}
	commit, err := w.mirror(t).TakeCommit(ctx)
	if err != nil {
		return calls.Taken{}, err
	}
	_, err = w.git(w.repo(t.ProjectID)).Run(ctx, "update-ref", calls.TakenFrom(t.ID), commit)
	return calls.Taken{Commit: commit, Repo: w.repo(t.ProjectID)}, err
}

// remove removes a task's worktree, whatever is in it, and its refs.
func (w Workspace) remove(ctx context.Context, t calls.Task) (nothing, error) {
	if err := mustBe(id.MatchString, t.ProjectID, t.ID); err != nil {
		return nothing{}, err
	}
	err := errors.Join(os.RemoveAll(w.worktree(t)), os.RemoveAll(w.meeting(t)))
	if _, missing := os.Stat(w.repo(t.ProjectID)); missing != nil {
		return nothing{}, err
	}
	unlock, locked := w.lock(ctx, t.ProjectID)
	if locked != nil {
		return nothing{}, errors.Join(err, locked)
	}
	defer unlock()
	repo := w.git(w.repo(t.ProjectID))
	_, err2 := repo.Run(ctx, "worktree", "prune")
	for _, ref := range []string{calls.PushedTo(t.ID), calls.TakenFrom(t.ID), "refs/beckon/both/" + t.ID, "refs/heads/" + t.Branch} {
		_, err3 := repo.Run(ctx, "update-ref", "-d", ref)
		err2 = errors.Join(err2, err3)
	}
	return nothing{}, errors.Join(err, err2)
}

// runs ends the agents that a Beckon left there, which knows nothing of them any more.
func (w Workspace) runs(ctx context.Context, o calls.Owner) (calls.Ended, error) {
	if err := mustBe(id.MatchString, o.Prefix); err != nil {
		return calls.Ended{}, err
	}
	names, err := shim.EndOthers(ctx, o.Prefix, o.Runs)
	return calls.Ended{Runs: append([]string{}, names...)}, err
}
