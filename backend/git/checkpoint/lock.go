package checkpoint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"beckon/backend/beckon/reason"
	"beckon/backend/git/command"
)

// lockMark is what git's lock of an index has while Beckon keeps git from it.
const lockMark = "beckon: a decision is taken back\n"

// lock is git's lock of a worktree's index, by its path. Git itself works on a copy meanwhile, and leaves
// no lock where it is ended.
type lock string

func lockIn(gitDir string) lock { return lock(filepath.Join(gitDir, "index.lock")) }

// check refuses where somebody has the lock.
func (l lock) check() error {
	if _, err := os.Lstat(string(l)); !errors.Is(err, fs.ErrNotExist) {
		return command.Refuse(reason.Of(reason.RewindLocked, "file", string(l)))
	}
	return nil
}

// take takes the lock, and refuses where somebody has it.
func (l lock) take() error {
	f, err := os.OpenFile(string(l), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // as git's own
	if errors.Is(err, fs.ErrExist) {
		return command.Refuse(reason.Of(reason.RewindLocked, "file", string(l)))
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(lockMark)
	return errors.Join(err, f.Close())
}

func (l lock) free() error { return os.Remove(string(l)) }

// left removes a lock that a Beckon, or its git, left when it died.
func (l lock) left(m Mover) error {
	info, err := os.Lstat(string(l))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	ours := false
	if info.Mode().IsRegular() && info.Size() == int64(len(lockMark)) {
		text, err := os.ReadFile(string(l))
		if err != nil {
			return err
		}
		ours = string(text) == lockMark
	}
	if !ours && !info.ModTime().Before(m.Since) {
		return nil
	}
	return l.free()
}

// install makes an index that of the worktree, with its time, by which git sees what was written
// since, and frees the lock.
func (l lock) install(index string) error {
	info, err := os.Stat(index)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(index)
	if err == nil {
		err = os.WriteFile(string(l), text, 0o644) //nolint:gosec // as git's own
	}
	if err == nil {
		err = os.Chtimes(string(l), info.ModTime(), info.ModTime())
	}
	if err == nil {
		err = os.Rename(string(l), filepath.Join(filepath.Dir(string(l)), "index"))
	}
	return err
}
