package merge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/diff"
	"beckon/backend/git/workdir"
)

// Do takes the branch into the base in that way, with that message where the way
// makes a commit of its own, and returns what the base is then. Where anything is
// in the way by now, nothing changes and the error wraps ErrConflict.
func (p Plan) Do(ctx context.Context, way reviewing.MergeWay, message string) (commit string, err error) {
	r, err := p.Prepare(ctx, way, message)
	if err != nil {
		return "", err
	}
	return r.To, p.Land(ctx, r)
}

// Prepare makes what the base is to be, as Do does, and moves nothing: no ref points at it yet.
func (p Plan) Prepare(ctx context.Context, way reviewing.MergeWay, message string) (r Record, err error) {
	if p.Refusal != nil {
		return r, command.Refuse(p.Refusal)
	}
	if err := workdir.BringModules(ctx, p.repo, p.w.Dir, p.base, p.tip); err != nil {
		return r, err
	}
	commit, err := p.commit(ctx, way, message)
	return Record{From: p.base, To: commit, Tip: p.tip}, err
}

// Land moves the base to what was prepared, and the project's folder along, as long as both
// branches are what they were then. Where anything is in the way by now, nothing changes and
// the error wraps ErrConflict.
func (p Plan) Land(ctx context.Context, r Record) error {
	if p.base != r.From || p.tip != r.Tip {
		return command.Conflict("%s changed while merging, try again", p.w.Base)
	}
	if p.Refusal != nil {
		return command.Refuse(p.Refusal)
	}
	if err := r.keep(ctx, p.repo, recordRef); err != nil {
		return fmt.Errorf("note what %s was before the merge: %w", p.w.Base, err)
	}
	return p.move(ctx, r.To)
}

// move moves the base to a commit that grew from it, and the folder along.
func (p Plan) move(ctx context.Context, commit string) error {
	if p.moves {
		return p.advance(ctx, commit)
	}
	if _, err := p.repo.Run(ctx, "update-ref", "-m", "beckon: merge "+p.w.Branch, "refs/heads/"+p.w.Base,
		commit, p.base); err != nil {
		return command.Conflict("%s changed while merging, try again: %w", p.w.Base, err)
	}
	return nil
}

// commit makes what the base is to be.
func (p Plan) commit(ctx context.Context, way reviewing.MergeWay, message string) (string, error) {
	switch way {
	case reviewing.MergeCommit:
		return workdir.CommitTree(ctx, p.repo, p.tree, message, p.base, p.tip)
	case reviewing.Squash:
		return workdir.CommitTree(ctx, p.repo, p.tree, message, p.base)
	case reviewing.Rebase:
		return p.replay(ctx)
	}
	return "", beckon.Invalid("%q is no way to merge", way)
}

// advance moves the base and the project's folder on to the merge. Being a
// fast-forward, git checks everything before it writes the first file.
func (p Plan) advance(ctx context.Context, commit string) error {
	err := p.moveFolder(ctx, commit, moving{
		changed: p.says.changed,
		half:    "the merge stopped half way",
		failed:  "git could not write the files, so nothing was merged",
	}, "merge", "--ff-only", "--quiet", "--no-autostash", "--no-overwrite-ignore", commit)
	if err != nil && !errors.Is(err, beckon.ErrConflict) {
		err = command.Conflict("%w", err)
	}
	return err
}

// moving is what is said where the project's folder cannot be moved.
type moving struct {
	changed string // somebody was at work in it
	half    string // what could not be put back is named behind it
	failed  string // all is as it was
}

// moveFolder has git move the project's folder, and the base with it, to a commit.
// When writing fails on the way, as with a full disk, the files are put back.
func (p Plan) moveFolder(ctx context.Context, to string, say moving, args ...string) error {
	_, err := p.repo.Run(ctx, args...)
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	now, headErr := p.repo.Line(ctx, "rev-parse", "HEAD")
	switch {
	case headErr == nil && now == to:
		return nil // only git's last word was lost
	case headErr == nil && (now != p.base || refused(err)):
		return command.Conflict("%s: %w", say.changed, err)
	}
	if undoErr := p.putBack(ctx); undoErr != nil {
		return command.Conflict("%s, and some files of %s could not be put back: %w: %w", say.half, p.repo.Dir, err, undoErr)
	}
	return fmt.Errorf("%s: %w", say.failed, err)
}

// refused reports whether git gave up before it wrote a file: a person was
// at work in the folder since it was looked at, and what they made is theirs.
func refused(err error) bool {
	for _, words := range []string{"Aborting", "not uptodate", "index.lock"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

// putBack undoes what a failed move wrote. The folder was clean and the
// added files were not there, so nobody else's work is touched; the index is
// written last, so it still has the files as they were.
func (p Plan) putBack(ctx context.Context) error {
	added, _, err := diff.Names(ctx, p.repo, p.base, p.tree)
	if err != nil {
		return err
	}
	for _, name := range added {
		if err := os.Remove(filepath.Join(p.repo.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	entries, err := workdir.Changes(ctx, p.repo)
	if err != nil {
		return err
	}
	c := p.repo
	for _, e := range entries {
		if !e.Untracked {
			c.Input += e.Path + "\x00"
		}
	}
	if c.Input == "" {
		return nil
	}
	_, err = c.Run(ctx, "checkout-index", "--force", "-z", "--stdin")
	return err
}
