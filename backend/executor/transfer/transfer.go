// Package transfer takes the work of a task to another machine and brings it back: its
// worktree there and the one here become the same, by git over the link.
package transfer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/worker"
	"beckon/backend/git/command"
	"beckon/backend/git/mirror"
)

// Work is a task's work, here and on an executor. One call at a time may move it.
type Work struct {
	at      worker.Worker
	name    string // of the executor
	owner   string // there
	task    beckon.Task
	project beckon.Project
	repo    command.Git // here
	here    mirror.Worktree
	there   calls.Task
}

// fetched is the ref that keeps what came from elsewhere, also where it does not go into
// the worktree.
func fetched(taskID string) string { return "refs/beckon/elsewhere/" + taskID }

// errNoGit is why a folder without git has no run elsewhere.
var errNoGit = problem.New(problem.ExecutorGit, fmt.Errorf("only work in a git repository can go to another machine: %w", beckon.ErrConflict))

// Place is where work goes: a worker of an executor of that name. Owner is what marks there
// whose it is.
type Place struct {
	At    worker.Worker
	Name  string
	Owner string
}

// NewWork returns the work of a task in a place. It has a worktree here. The data folder is that
// of this Beckon.
func NewWork(to Place, t beckon.Task, p beckon.Project, dataDir string) (Work, error) {
	if t.Branch == "" {
		return Work{}, errNoGit
	}
	w := Work{at: to.At, name: to.Name, owner: to.Owner, task: t, project: p, repo: repoOf(p, dataDir)}
	w.here = mirror.Worktree{Git: w.repo.In(t.Worktree), Branch: t.Branch, Ref: "refs/beckon/both/" + t.ID}
	w.there = calls.Task{ProjectID: p.ID, ID: t.ID, Branch: t.Branch}
	return w, nil
}

// repoOf is the repository of a project, here.
func repoOf(p beckon.Project, dataDir string) command.Git {
	return command.Git{Dir: p.Dir, Trusted: p.Trusted, Owner: dataDir}
}

// Send makes the worktree there what it is here, and returns its folder. What an earlier
// agent left there comes home before.
func (w Work) Send(ctx context.Context) (dir string, err error) {
	repo, err := w.prepare(ctx)
	if err != nil {
		return "", err
	}
	if err := w.Bring(ctx); err != nil && !errors.Is(err, worker.ErrEmpty) {
		return "", err
	}
	if err := w.here.Isolate(ctx); err != nil {
		return "", err
	}
	have, err := w.here.Shared(ctx)
	if err != nil {
		return "", err
	}
	commit, err := w.here.TakeCommit(ctx)
	if err != nil {
		return "", err
	}
	if err := w.push(ctx, repo, commit); err != nil {
		return "", err
	}
	var made calls.Worktree
	if err := worker.Call(ctx, w.at, w.name, calls.Put, calls.Work{Task: w.there, Commit: commit, Have: have}, &made); err != nil {
		return "", err
	}
	return made.Dir, w.here.Agree(ctx, commit)
}

// pushes is how often a push is tried that met a worktree which another task was adding.
const pushes = 3

// push pushes a commit to the repository there. Git there looks at all worktrees first, and
// fails where one is half made, which it is for less than a millisecond.
func (w Work) push(ctx context.Context, repo, commit string) (err error) {
	way, git, err := w.over(ctx, repo)
	if err != nil {
		return err
	}
	defer way.Done()
	for range pushes {
		_, err = git.Run(ctx, "push", "--quiet", "--no-verify", "--recurse-submodules=no", "--force", way.Address, commit+":"+calls.PushedTo(w.task.ID))
		if err == nil || !strings.Contains(err.Error(), "failed to read worktrees/") {
			break
		}
	}
	if err != nil && worker.IsFull(err.Error()) {
		return worker.Full(w.name)
	}
	return err
}

// SetUp has the project's setup command run there, with more in its environment, unless it did.
func (w Work) SetUp(ctx context.Context, env []string) error {
	command := w.project.Scripts.Setup
	if command == "" {
		return nil
	}
	return worker.Call(ctx, w.at, w.name, calls.SetUp, calls.Setup{Task: w.there, Command: command, Env: append(env, "BECKON_TASK="+w.task.Key)}, &struct{}{})
}

// Project is the one that the task is of.
func (w Work) Project() beckon.Project { return w.project }

// prepare has the project's repository made there, and returns its folder.
func (w Work) prepare(ctx context.Context) (dir string, err error) {
	p := calls.Project{ID: w.project.ID, Owner: w.owner}
	if p.UserName, err = w.repo.Quiet(ctx, "config", "--get", "user.name"); err != nil {
		return "", err
	}
	if p.UserEmail, err = w.repo.Quiet(ctx, "config", "--get", "user.email"); err != nil {
		return "", err
	}
	var made calls.Prepared
	return made.Dir, errors.Join(worker.Call(ctx, w.at, w.name, calls.Prepare, p, &made))
}

// over returns how git reaches the repository in a folder there: by ssh alone, and with
// every object looked at.
func (w Work) over(ctx context.Context, dir string) (way worker.Git, git command.Git, err error) {
	if way, err = w.at.Git(ctx, dir); err != nil {
		return way, git, err
	}
	git = w.repo
	git.Config = []command.Setting{
		{Key: "core.sshCommand", Value: way.Command},
		{Key: "ssh.variant", Value: way.Variant},
		{Key: "protocol.allow", Value: "never"},
		{Key: "protocol.ssh.allow", Value: "always"},
		{Key: "fetch.fsckObjects", Value: "true"},
	}
	return way, git, nil
}

// Find has the worker answer again, if it is one that can be gone.
func (w Work) Find(ctx context.Context) error {
	if own, is := w.at.(worker.Own); is {
		return own.Find(ctx)
	}
	return nil
}

// Bring makes the worktree here what it is there. It is worker.ErrEmpty where there is
// none.
func (w Work) Bring(ctx context.Context) error {
	var taken calls.Taken
	if err := worker.Call(ctx, w.at, w.name, calls.Take, w.there, &taken); err != nil {
		return err
	}
	if taken.Commit == "" {
		return worker.ErrEmpty
	}
	if !command.IsCommit(taken.Commit) {
		return fmt.Errorf("%s names no commit: %s", w.name, worker.Shown(taken.Commit))
	}
	_, err := os.Lstat(w.task.Worktree)
	gone := errors.Is(err, os.ErrNotExist) // the task is over, and what comes late is kept all the same
	if gone {
		w.here.Git = w.repo
	}
	if have, err := w.here.Shared(ctx); err != nil || have == taken.Commit {
		return err
	}
	if err := w.fetch(ctx, taken.Repo); err != nil {
		return err
	}
	if gone {
		return nil
	}
	if has, err := w.here.Has(ctx, taken.Commit); err != nil || has {
		return err
	}
	if err := w.here.Isolate(ctx); err != nil {
		return err
	}
	err = w.here.PutCommit(ctx, taken.Commit)
	if way := (mirror.InTheWay{}); errors.As(err, &way) {
		files := way.Some()
		words := fmt.Errorf("files that git ignores here are in the way of what the agent did on %s (%s), so nothing was put over them. It is kept as %s: move them away, then take it in with git merge %s, in the worktree: %w",
			w.name, files, fetched(w.task.ID), fetched(w.task.ID), beckon.ErrConflict)
		return problem.New(problem.ExecutorInTheWay, words, "name", w.name, "files", files, "ref", fetched(w.task.ID))
	}
	if errors.Is(err, mirror.ErrChanged) {
		words := fmt.Errorf("files or commits here changed while the agent worked on %s, so what it did was not put over them. It is kept as %s: take it in with git merge %s, in the worktree: %w",
			w.name, fetched(w.task.ID), fetched(w.task.ID), beckon.ErrConflict)
		return problem.New(problem.ExecutorApart, words, "name", w.name, "ref", fetched(w.task.ID))
	}
	return err
}

// fetch fetches what was taken there.
func (w Work) fetch(ctx context.Context, repo string) error {
	way, git, err := w.over(ctx, repo)
	if err != nil {
		return err
	}
	defer way.Done()
	refs := "+" + calls.TakenFrom(w.task.ID) + ":" + fetched(w.task.ID)
	_, err = git.Run(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", way.Address, refs)
	return err
}

// Forget removes the worktree there, if all of it is here.
func (w Work) Forget(ctx context.Context) error {
	var taken calls.Taken
	if err := worker.Call(ctx, w.at, w.name, calls.Take, w.there, &taken); err != nil || taken.Commit == "" {
		return err
	}
	w.here.Git = w.repo // the worktree here may be gone by now
	if have, err := w.here.Shared(ctx); err != nil || have != taken.Commit {
		return err
	}
	return errors.Join(worker.Call(ctx, w.at, w.name, calls.Remove, w.there, &struct{}{}), w.here.Forget(ctx))
}
