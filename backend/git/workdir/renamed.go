package workdir

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// Renamed returns the branch that the worktree of w is on in place of its own, which is gone:
// its own under another name, or one that was made in this worktree. It is empty where
// there is none, and where the branch is the base or was made elsewhere: that one is somebody
// else's, so a task must not commit to it, and not take it away.
func Renamed(ctx context.Context, repo command.Git, w Worktree) (string, error) {
	if tip, err := repo.Branch(ctx, w.Branch); err != nil || tip != "" {
		return "", err
	}
	state, err := Status(ctx, repo, w)
	if err != nil || state.Condition != Gone || state.Folder != Switched {
		return "", err
	}
	known, err := Registered(ctx, repo, w.Dir)
	if err != nil || known == nil || known.Branch == "" || known.Branch == w.Base {
		return "", err
	}
	// The folder itself says the same: the record may be that of another folder's.
	c := repo.In(w.Dir)
	on, err := c.Quiet(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil || on != "refs/heads/"+known.Branch {
		return "", err
	}
	if commit, err := repo.Branch(ctx, known.Branch); err != nil || commit == "" {
		return "", err
	}
	notes, err := reflog(ctx, c, on)
	if err != nil || len(notes) == 0 {
		return "", err
	}
	before := "Branch: renamed refs/heads/" + w.Branch + " to "
	if slices.ContainsFunc(notes, func(n note) bool { return strings.HasPrefix(n.says, before) }) {
		return known.Branch, nil
	}
	here, err := reflog(ctx, c, "HEAD")
	made := notes[len(notes)-1]
	if err == nil && slices.ContainsFunc(here, func(n note) bool { return n.makes(known.Branch, made) }) {
		return known.Branch, nil
	}
	return "", err
}

// note is an entry of a reflog.
type note struct{ commit, at, says string }

// makes reports whether git wrote an entry of HEAD when it made and checked out the
// branch, whose first entry is made: one command has one time for both.
func (n note) makes(branch string, made note) bool {
	return n.commit == made.commit && n.at == made.at &&
		strings.HasPrefix(n.says, "checkout: moving from ") && strings.HasSuffix(n.says, " to "+branch)
}

// reflog lists what git noted of a ref, the newest first; nothing where it notes nothing.
func reflog(ctx context.Context, c command.Git, ref string) (notes []note, err error) {
	lines, err := c.List(ctx, "log", "-z", "--walk-reflogs", "--no-show-signature", "--date=unix",
		"--format=%H %gd %gs", ref, "--")
	if command.ExitCode(err) > 0 {
		return nil, nil
	}
	for _, line := range lines {
		commit, rest, _ := strings.Cut(line, " ")
		at, says, _ := strings.Cut(rest, "} ")
		notes = append(notes, note{commit, at[strings.LastIndex(at, "{")+1:], says})
	}
	return notes, err
}

// lastCommit returns where git last noted the worktree in dir to be, also when its branch or
// its folder is gone; empty where git has no record of it, or no such commit any more.
func lastCommit(ctx context.Context, repo command.Git, dir string) (string, error) {
	common, err := repo.CommonDir(ctx)
	if err != nil {
		return "", err
	}
	own, err := look.Record(common, dir)
	if err != nil || own == "" {
		return "", err
	}
	text, err := look.ReadMetadata(filepath.Join(own, "logs", "HEAD"))
	if err != nil {
		return "", nil //nolint:nilerr // git notes nothing, or more than is read
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	fields := strings.Fields(lines[len(lines)-1]) // what it was, what it became, and by whom
	for _, name := range slices.Backward(fields[:min(len(fields), 2)]) {
		if strings.Trim(name, "0") == "" {
			continue
		}
		if commit, err := repo.Quiet(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}"); err != nil || commit != "" {
			return commit, err
		}
	}
	return "", nil
}
