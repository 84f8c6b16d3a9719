package forge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
)

// fetchIn is how long git may take to fetch a branch.
const fetchIn = 5 * time.Minute

// fetched are the refs that keep what was fetched and is no branch of the remote: what
// servers keep of requests.
const fetched = "refs/beckon/fetched/"

// Fetch fetches a ref of a remote, such as refs/heads/topic or refs/pull/412/head, and
// returns its commit.
func (r RemoteRepo) Fetch(ctx context.Context, remote, ref string) (commit string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, fetchIn, fmt.Errorf("git fetch took longer than %s", fetchIn))
	defer cancel()
	to := fetched + strings.TrimPrefix(ref, "refs/")
	if branch, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		to = "refs/remotes/" + remote + "/" + branch
	}
	_, err = r.git.Run(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
		"--no-auto-maintenance", "--", remote, "+"+ref+":"+to)
	if err == nil {
		return r.git.Line(ctx, "rev-parse", "--verify", to+"^{commit}")
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = context.Cause(ctx)
	}
	said := remoteSaid(err.Error())
	return "", problem.New(problem.FetchFailed,
		fmt.Errorf("%s was not fetched from %s: %s: %w", ref, remote, said, beckon.ErrUnavailable), "ref", ref, "remote", remote, "detail", said)
}

// Bring fetches what a task starts from out of a remote, and returns its commit. The branch of
// a pull request is pushed back to it by Open.
func (f *Forge) Bring(ctx context.Context, t beckon.Task, p beckon.Project) (commit string, err error) {
	if err := p.CheckTrust(); err != nil {
		return "", err
	}
	from := t.Start
	repo := RemoteOf(p.Dir)
	commit, err = repo.Fetch(ctx, from.Remote, from.Ref)
	if err == nil && from.Base != "" {
		err = repo.bringBase(ctx, from.Remote, from.Base)
	}
	if err != nil || from.Kind != starting.Pull || from.Ref != "refs/heads/"+from.Branch {
		return commit, err
	}
	t.Branch = from.Branch
	x, err := f.target(ctx, t, p)
	if err != nil || x.Remote != from.Remote {
		return commit, err
	}
	x.Number, x.URL, x.State, x.Commit = from.Number, from.URL, reviewing.PullOpen, commit
	if err := f.putRequest(ctx, x.PullRequest); err != nil {
		return commit, err
	}
	f.askSoon()
	return commit, nil
}

// bringBase makes the branch that a request goes into, where only the remote has it.
func (r RemoteRepo) bringBase(ctx context.Context, remote, base string) error {
	tip, err := r.Tip(ctx, base)
	if err != nil || tip != "" {
		return err
	}
	commit, err := r.Fetch(ctx, remote, "refs/heads/"+base)
	if err != nil {
		return err
	}
	return r.git.NewBranch(ctx, base, commit, remote)
}
