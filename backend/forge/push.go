package forge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/mask"
	"beckon/backend/plain"
)

// This file pushes a task's branch to where the repository came from, with the
// user's own git and whatever that signs in with. Nothing on the server is replaced
// but what Beckon pushed there itself, and only where the caller says so.

// pushIn is how long git may take to push.
const pushIn = 5 * time.Minute

// mostSaid is how many bytes of what a server says are shown.
const mostSaid = 600

// RemoteRepo is a repository of a trusted project, in the project's folder.
type RemoteRepo struct{ git command.Git }

// RemoteOf returns the repository in dir. Its own configuration says how it pushes, which
// may run programs: only a trusted one is pushed.
func RemoteOf(dir string) RemoteRepo {
	return RemoteRepo{command.Git{Dir: dir, Trusted: true}}
}

// RemoteBranch is one to be pushed.
type RemoteBranch struct {
	Remote, Name string
	Commit       string // that it is to point at there
	// Ours is the commit that Beckon pushed there before, if it did, and Replace
	// whether the push may replace it although the branch has it no longer.
	Ours    string
	Replace bool
}

// Remote returns the name of the remote that work on base goes to, and its address:
// the one that base follows, else origin, else the only one.
func (r RemoteRepo) Remote(ctx context.Context, base string) (name string, at Address, err error) {
	list, err := r.git.Line(ctx, "remote")
	if err != nil {
		return "", at, err
	}
	names := strings.Fields(list)
	follows, err := r.git.Quiet(ctx, "config", "--get", "branch."+base+".remote")
	if err != nil {
		return "", at, err
	}
	switch {
	case slices.Contains(names, follows):
		name = follows
	case slices.Contains(names, "origin"):
		name = "origin"
	case len(names) == 1:
		name = names[0]
	case len(names) == 0:
		return "", at, problem.New(problem.NoRemote, fmt.Errorf("the repository has no remote to push to: add one with git remote add origin ADDRESS: %w", beckon.ErrConflict))
	default:
		err := fmt.Errorf("the repository has several remotes, and %s follows none: git branch --set-upstream-to says which is meant: %w", base, beckon.ErrConflict)
		return "", at, problem.New(problem.ManyRemotes, err, "base", base)
	}
	url, err := r.git.Line(ctx, "remote", "get-url", "--push", "--", name)
	if err != nil {
		return "", at, err
	}
	return name, parse(url), nil
}

// Tip returns the commit of a branch, empty where there is none.
func (r RemoteRepo) Tip(ctx context.Context, branch string) (string, error) {
	return r.git.Branch(ctx, branch)
}

// Rewritten reports whether a branch lacks a commit that was pushed before.
func (r RemoteRepo) Rewritten(ctx context.Context, pushed, tip string) (bool, error) {
	if pushed == "" {
		return false, nil
	}
	_, err := r.git.Run(ctx, "merge-base", "--is-ancestor", pushed, tip)
	if command.ExitCode(err) > 0 { // 1: it does not, 128: nobody has the commit any more
		return true, nil
	}
	return false, err
}

// Push has the remote's branch of that name point at the commit. What is there and
// not in the commit stays, and the error wraps ErrConflict.
func (r RemoteRepo) Push(ctx context.Context, b RemoteBranch) error {
	ctx, cancel := context.WithTimeout(ctx, pushIn)
	defer cancel()
	if err := r.pushLFS(ctx, b); err != nil {
		said := remoteSaid(err.Error())
		return problem.New(problem.PushFailed, fmt.Errorf("the files in LFS were not pushed: %s: %w", said, beckon.ErrUnavailable), "remote", b.Remote, "detail", said)
	}
	ref := "refs/heads/" + b.Name
	args := []string{"push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed"}
	if b.Replace && b.Ours != "" {
		args = append(args, "--force-with-lease="+ref+":"+b.Ours)
	}
	out, err := r.git.Run(ctx, append(args, "--", b.Remote, b.Commit+":"+ref)...)
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("git push took longer than %s, so it was ended: %w", pushIn, beckon.ErrUnavailable)
		return problem.New(problem.PushFailed, err, "remote", b.Remote, "detail", "git push took too long")
	}
	if rejection(out) != "" && r.serverHas(ctx, b) {
		return nil
	}
	return refused(b, out, err)
}

// serverHas reports whether the server has the commit by now: the push of a Beckon that was
// killed may go on, and meet this one.
func (r RemoteRepo) serverHas(ctx context.Context, b RemoteBranch) bool {
	line, err := r.git.Line(ctx, "ls-remote", "--", b.Remote, "refs/heads/"+b.Name)
	commit, _, _ := strings.Cut(line, "\t")
	return err == nil && commit == b.Commit
}

// rejection returns why the server did not take the ref, as git push --porcelain says it.
func rejection(out string) (reason string) {
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, "!\t"); ok {
			_, reason, _ = strings.Cut(strings.TrimSpace(rest), "\t")
		}
	}
	return reason
}

// pushLFS brings the files that git-lfs keeps to the server, which its hook would do:
// no hook runs here.
func (r RemoteRepo) pushLFS(ctx context.Context, b RemoteBranch) error {
	_, err := r.git.Run(ctx, "grep", "--quiet", "-e", "filter=lfs", b.Commit, "--", ".gitattributes")
	if command.ExitCode(err) == 1 {
		return nil
	}
	if err == nil {
		_, err = r.git.Run(ctx, "lfs", "push", b.Remote, b.Commit)
	}
	return err
}

// refused says why a push was not taken, by what git printed.
func refused(b RemoteBranch, out string, err error) error {
	reason := rejection(out)
	switch {
	case strings.Contains(reason, "stale info"), strings.Contains(reason, "non-fast-forward"), strings.Contains(reason, "fetch first"):
		err := fmt.Errorf("%s has commits on %s that are not in the branch here, so nothing was pushed: bring them in, or delete that branch on the server: %w", b.Remote, b.Name, beckon.ErrConflict)
		return problem.New(problem.PushRejected, err, "remote", b.Remote, "branch", b.Name)
	}
	said := remoteSaid(err.Error())
	if reason != "" {
		said = remoteSaid(reason + "\n" + err.Error())
	}
	return problem.New(problem.PushFailed, fmt.Errorf("%s did not take the branch: %s: %w", b.Remote, said, beckon.ErrUnavailable), "remote", b.Remote, "detail", said)
}

// remoteSaid is what a server or a program said, fit to be shown: on one line, without
// secrets, and not too long.
func remoteSaid(text string) string { return plain.Line(mask.Text(text), mostSaid) }
