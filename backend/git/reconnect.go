package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// Reconnect makes the folder of w a worktree of the repository again, where git has dropped
// its record of it, as git worktree prune does while the folder is elsewhere, or where the
// file .git is gone from the folder. No file of the work changes: what the branch has not is
// uncommitted then. Of a folder that was removed, and made again by somebody who wrote in it,
// the files that are missing come back as git had them. A folder that is a repository of its
// own stays as it is.
func (r *Repo) Reconnect(ctx context.Context, w Worktree) error {
	if !cutOff(w.Dir) && !halfFilled(w.Dir) {
		return nil
	}
	defer r.alone(w)()
	r.mu.Lock()
	defer r.mu.Unlock()
	if cutOff(w.Dir) {
		if os.Remove(w.Dir) == nil { // it had nothing in it
			return nil
		}
		if err := r.connect(ctx, w); err != nil {
			return err
		}
	}
	return r.refill(ctx, w)
}

// connect makes the folder of w a worktree again, begun to be filled.
func (r *Repo) connect(ctx context.Context, w Worktree) error {
	common, err := r.at().CommonDir(ctx)
	if err != nil {
		return err
	}
	own, err := look.Record(common, w.Dir)
	switch {
	case err != nil:
		return err
	case own == "":
		return r.newRecord(ctx, w)
	}
	if err := os.WriteFile(filepath.Join(own, againFile), []byte(begun), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.Dir, ".git"), []byte("gitdir: "+filepath.ToSlash(own)+"\n"), 0o600)
}

// againFile is in git's own folder of a worktree that was connected again, and says how far
// its files are back. Each state is written before what it names, so that a death in between
// is made good by the next call.
const (
	againFile = "beckon-made-again"
	begun     = "begun"   // it is to be found out whether files are missing
	filling   = "filling" // they are, and come back
	filled    = "filled"  // they are back; MadeAgain was not asked since
)

// again returns the path of againFile for a worktree, and its state, "" for none.
func again(dir string) (file, state string) {
	own, linked, err := look.OwnFolder(dir)
	if err != nil || !linked {
		return "", ""
	}
	file = filepath.Join(own, againFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return file, ""
	}
	return file, string(text)
}

// halfFilled reports whether files may be missing from a folder that was made again: their
// deletion must not be committed.
func halfFilled(dir string) bool {
	_, state := again(dir)
	return state == begun || state == filling
}

// refill brings back the files that are missing from a folder which was made again: more than
// half of what git tracks there is.
func (r *Repo) refill(ctx context.Context, w Worktree) error {
	file, state := again(w.Dir)
	c := r.in(w.Dir)
	tracked, err := c.List(ctx, "ls-files", "-t", "-z")
	if err != nil {
		return err
	}
	var missing []string
	for _, entry := range tracked {
		name, wanted := strings.CutPrefix(entry, "H ") // a sparse checkout does without others
		if _, err := os.Lstat(filepath.Join(w.Dir, filepath.FromSlash(name))); wanted && errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, name)
		}
	}
	if state == begun && len(missing)*2 <= len(tracked) {
		return os.Remove(file)
	}
	if err := os.WriteFile(file, []byte(filling), 0o600); err != nil {
		return err
	}
	if len(missing) > 0 {
		c.Input = strings.Join(missing, "\x00") + "\x00"
		if _, err := c.Run(ctx, "checkout-index", "--quiet", "-z", "--stdin"); err != nil {
			return err
		}
	}
	return os.WriteFile(file, []byte(filled), 0o600)
}

// MadeAgain reports, once, whether the folder of w was made again since it was last asked:
// what no commit had by then is gone.
func (r *Repo) MadeAgain(w Worktree) bool {
	file, state := again(w.Dir)
	return state == filled && os.Remove(file) == nil
}

// cutOff reports whether a folder is there that leads to no repository, or to what a repository
// keeps of another folder.
func cutOff(dir string) bool {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return false
	}
	own, linked, err := look.OwnFolder(dir)
	if err != nil {
		return !look.Exists(dir, ".git")
	}
	if !linked || !look.Exists(own, ".") {
		return linked
	}
	of, err := look.DotGit(own)
	return err == nil && look.Exists(of, ".") && !look.Same(of, filepath.Join(dir, ".git"))
}

// newRecord has git make a record for a worktree in an empty folder beside that of w, and
// gives it to that. Killed in between, it begins again.
func (r *Repo) newRecord(ctx context.Context, w Worktree) error {
	dir := filepath.Join(filepath.Dir(w.Dir), "reconnect", filepath.Base(w.Dir))
	if err := errors.Join(r.unregister(ctx, Worktree{Dir: dir}, true), os.RemoveAll(dir)); err != nil {
		return err
	}
	tip, err := r.at().Branch(ctx, w.Branch)
	if err != nil {
		return err
	}
	args := []string{"worktree", "add", "--quiet", "--no-checkout", "--", dir, w.Branch}
	if tip == "" {
		args = []string{"worktree", "add", "--quiet", "--no-checkout", "--detach", "--", dir, w.BaseCommit}
	}
	_, err = r.at().Run(ctx, args...)
	if err == nil {
		err = r.isolateAgain(ctx, Worktree{Dir: dir})
	}
	if err == nil {
		err = workdir.BringKeys(dir)
	}
	if err == nil {
		_, err = r.in(dir).Run(ctx, "read-tree", "HEAD")
	}
	own := ""
	if err == nil {
		own, _, err = look.OwnFolder(dir)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(own, againFile), []byte(begun), 0o600)
	}
	if err == nil {
		err = r.giveRecord(ctx, dir, w.Dir)
	}
	if err != nil {
		err = fmt.Errorf("reconnect %s: %w", w.Dir, errors.Join(err, r.unregister(ctx, Worktree{Dir: dir}, true)))
	}
	err = errors.Join(err, os.RemoveAll(dir))
	_ = os.Remove(filepath.Dir(dir)) // unless another is in it
	return err
}

// giveRecord makes git's record of the worktree in one folder that of another.
func (r *Repo) giveRecord(ctx context.Context, from, to string) error {
	own, err := r.in(from).GitDir(ctx)
	if err != nil {
		return err
	}
	dotGit := filepath.Join(to, ".git")
	if err := os.WriteFile(filepath.Join(own, "gitdir"), []byte(filepath.ToSlash(dotGit)+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(filepath.Join(from, ".git"), dotGit)
}
