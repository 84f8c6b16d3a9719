package spare

import (
	"context"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
)

// This file keeps what was discarded for 30 days, as a private ref of the
// repository and as a bundle outside it, and lets go of it by days that it saw and
// not by the clock alone. It moves no branch and touches no folder of a task.

// KeptFor is how long what was discarded can be brought back.
const KeptFor = 30 * 24 * time.Hour

// The refs are named by the branch and the Unix time in seconds. No push or fetch
// takes these along unless it mirrors.
const (
	discarded = "refs/beckon/discarded/"
	// unreached keep what only a folder's own records knew: commits that were amended
	// or left on no branch, and what was staged and then changed.
	unreached = "refs/beckon/unreached/"
)

// Trash is what is kept of one repository. The caller keeps two changes of it from
// meeting.
type Trash struct {
	Git command.Git
	// Bundles is the folder of the bundles; empty: there are none.
	Bundles string
}

// TrashKept is a branch that was discarded and can be brought back.
type TrashKept struct {
	Ref    string
	Branch string
	Commit string
	At     int64 // Unix milliseconds
	Until  int64 // before which Prune does not let go of it, Unix milliseconds
}

// Save keeps a commit as what was discarded of a branch, and returns the ref. The
// bundle has what the commit since lacks; that it could not be written is no reason
// to keep a full disk full, for the ref keeps the same.
func (t Trash) Save(ctx context.Context, branch, commit, since string) (string, error) {
	ref, err := t.save(ctx, discarded+branch, commit)
	if err != nil {
		return "", err
	}
	if err := t.writeBundle(ctx, ref, since); err != nil {
		slog.Error("write the bundle of what is discarded", "err", err, "ref", ref)
	}
	return ref, nil
}

// SaveUnreached keeps a commit that reaches what a worktree alone knows of.
func (t Trash) SaveUnreached(ctx context.Context, branch, commit string) error {
	_, err := t.save(ctx, unreached+branch, commit)
	return err
}

// save points a private ref at the commit. Its second is later than that of each other of the
// name: the latest is what was kept last.
func (t Trash) save(ctx context.Context, name, commit string) (string, error) {
	refs, err := t.Git.Line(ctx, "for-each-ref", "--format=%(refname)", name+"/")
	if err != nil {
		return "", err
	}
	second := time.Now().Unix()
	for ref := range strings.FieldsSeq(refs) {
		// A branch may be named like the folder of others.
		if had, err := strconv.ParseInt(strings.TrimPrefix(ref, name+"/"), 10, 64); err == nil {
			second = max(second, had+1)
		}
	}
	ref := name + "/" + strconv.FormatInt(second, 10)
	_, err = t.Git.Run(ctx, "update-ref", ref, commit, "")
	return ref, err
}

// List lists what was discarded and is still kept as a ref.
func (t Trash) List(ctx context.Context) ([]TrashKept, error) { return t.list(ctx, discarded) }

func (t Trash) list(ctx context.Context, prefixes ...string) ([]TrashKept, error) {
	out, err := t.Git.Line(ctx, append([]string{"for-each-ref", "--format=%(objectname) %(refname)"}, prefixes...)...)
	if err != nil {
		return nil, err
	}
	list := []TrashKept{}
	for line := range strings.Lines(out) {
		commit, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, prefix := range prefixes {
			if k, ok := parse(prefix, ref); ok {
				k.Commit = commit
				list = append(list, k)
			}
		}
	}
	return list, nil
}

// parse reads the name of a ref; false where it is none of ours.
func parse(prefix, ref string) (TrashKept, bool) {
	name, ours := strings.CutPrefix(ref, prefix)
	branch, second := path.Split(name)
	at, err := strconv.ParseInt(second, 10, 64)
	if !ours || err != nil || branch == "" {
		return TrashKept{}, false
	}
	return TrashKept{
		Ref: ref, Branch: strings.TrimSuffix(branch, "/"), At: at * 1000,
		Until: time.Unix(at, 0).Add(KeptFor).UnixMilli(),
	}, true
}

// Find returns what is kept under a ref. Where the repository has lost it, its bundle
// gives it back. The error wraps ErrNotFound where nothing is kept.
func (t Trash) Find(ctx context.Context, ref string) (TrashKept, error) {
	list, err := t.List(ctx)
	if err != nil {
		return TrashKept{}, err
	}
	for _, k := range list {
		if k.Ref == ref {
			return k, nil
		}
	}
	k, ok := parse(discarded, ref)
	if !ok || !t.bundled(ref) {
		return TrashKept{}, fmt.Errorf("nothing is kept under %s any more: %w", ref, beckon.ErrNotFound)
	}
	k.Commit, err = t.readBundle(ctx, ref)
	return k, err
}

// Lost returns those of the refs under which nothing is kept any more, neither in the
// repository nor as a bundle.
func (t Trash) Lost(ctx context.Context, refs []string) ([]string, error) {
	list, err := t.List(ctx)
	if err != nil {
		return nil, err
	}
	var lost []string
	for _, ref := range refs {
		if !t.bundled(ref) && !slices.ContainsFunc(list, func(k TrashKept) bool { return k.Ref == ref }) {
			lost = append(lost, ref)
		}
	}
	return lost, nil
}

// Restored returns the branch that was made of what is kept, if it was: the one
// that has its name, or its name with a number.
func (t Trash) Restored(ctx context.Context, k TrashKept) (string, error) {
	names, err := t.Git.Line(ctx, "for-each-ref", "--points-at", k.Commit, "--format=%(refname:lstrip=2)", "refs/heads/")
	if err != nil {
		return "", err
	}
	for name := range strings.FieldsSeq(names) {
		number, ok := strings.CutPrefix(name, k.Branch+"-")
		if _, err := strconv.Atoi(number); name == k.Branch || ok && err == nil {
			return name, nil
		}
	}
	return "", nil
}

// Drop lets go of what is kept under a ref.
func (t Trash) Drop(ctx context.Context, ref string) error {
	if !strings.HasPrefix(ref, discarded) {
		return fmt.Errorf("%s keeps nothing: %w", ref, beckon.ErrInvalid)
	}
	if _, err := t.Git.Run(ctx, "update-ref", "-d", ref); err != nil {
		return err
	}
	return t.removeBundle(ref)
}
