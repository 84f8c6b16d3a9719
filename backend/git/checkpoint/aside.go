package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"beckon/backend/beckon/reason"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// This file takes files out of the way before others come into their place. A file is moved
// first and compared then: what somebody wrote in the meantime is noticed, and comes back.

// asideDir is the folder of a worktree in which they are meanwhile; git ignores it. Below
// asideFiles they have their paths, and asideChecked is there once each was compared.
const (
	asideDir     = ".beckon-rewind"
	asideFiles   = asideDir + "/files"
	asideChecked = asideDir + "/checked"
	mostKept     = 1000
)

// aside is what is out of the way in a worktree.
type aside struct{ root *os.Root }

// print says what a file is: its kind, whether it can be run, and a sum of its bytes. Empty: there is none,
// but perhaps a folder.
func (a aside) print(name string) (string, error) {
	name = filepath.FromSlash(name)
	info, err := a.root.Lstat(name)
	if err != nil {
		if _, is := errors.AsType[*fs.PathError](err); is && !errors.Is(err, fs.ErrPermission) {
			return "", nil
		}
		return "", err
	}
	switch {
	case info.IsDir(): // other files are in the way, if any
		return "", nil
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := a.root.Readlink(name)
		return "link " + to, err
	case !info.Mode().IsRegular():
		return info.Mode().Type().String(), nil
	}
	f, err := a.root.Open(name)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return (info.Mode() & 0o111).String() + hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

// prints are those of several files.
func (a aside) prints(names []string) (map[string]string, error) {
	all := make(map[string]string, len(names))
	for _, name := range names {
		is, err := a.print(name)
		if err != nil {
			return nil, err
		}
		all[name] = is
	}
	return all, nil
}

// take takes the files out of the way that have a print, and then looks whether they, and those
// that have none, are what they were. Where one is not, the error names it; back puts all back.
func (a aside) take(were map[string]string) error {
	err := writeBelow(a.root, asideDir+"/.gitignore", "*\n")
	if err == nil {
		err = a.root.MkdirAll(filepath.FromSlash(asideFiles), 0o700)
	}
	if err != nil {
		return err
	}
	var edited []string
	for name, print := range were {
		if print == "" {
			continue
		}
		to := asideFiles + "/" + name
		err := a.root.MkdirAll(filepath.FromSlash(path.Dir(to)), 0o700)
		if err == nil {
			err = a.root.Rename(filepath.FromSlash(name), filepath.FromSlash(to))
		}
		if errors.Is(err, fs.ErrNotExist) {
			edited = append(edited, name)
		} else if err != nil {
			return err
		}
	}
	for name, print := range were {
		at := name
		if print != "" {
			at = asideFiles + "/" + name
		}
		if is, err := a.print(at); err != nil {
			return err
		} else if is != print && !slices.Contains(edited, name) {
			edited = append(edited, name)
		}
	}
	if len(edited) > 0 {
		slices.Sort(edited)
		return command.Refuse(reason.Of(reason.RewindEdited, "files", workdir.Some(edited)))
	}
	return a.root.WriteFile(filepath.FromSlash(asideChecked), nil, 0o600)
}

// back puts what is out of the way where it was, and removes what is left. What has something in
// its place is dropped if it was compared, since git has it; else it stays in a folder of its own,
// which the error names.
func (a aside) back() error {
	if _, err := a.root.Lstat(asideDir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	checked, err := a.print(asideChecked)
	if err != nil {
		return err
	}
	left := false
	err = fs.WalkDir(a.root.FS(), asideFiles, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return err
		}
		name := at[len(asideFiles)+1:]
		if err := a.putBack(at, name); err != nil {
			left = true
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case left && checked == "":
		return a.keep()
	}
	return a.drop()
}

// putBack puts one file where it was, unless something is there.
func (a aside) putBack(at, name string) error {
	at, name = filepath.FromSlash(at), filepath.FromSlash(name)
	if err := a.root.MkdirAll(filepath.Dir(name), 0o755); err != nil { //nolint:gosec // folders of a worktree
		return err
	}
	if err := a.root.Link(at, name); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := a.root.Lstat(name); !errors.Is(err, fs.ErrNotExist) { // a file system without hard links
		return fs.ErrExist
	}
	return a.root.Rename(at, name)
}

// keep keeps what could not be put where it was.
func (a aside) keep() error {
	for n := 1; n <= mostKept; n++ {
		name := asideDir + "-" + strconv.Itoa(n)
		if _, err := a.root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			err := a.root.Rename(asideDir, name)
			return errors.Join(err, command.Refuse(reason.Of(reason.RewindAside, "dir", filepath.Join(a.root.Name(), name))))
		}
	}
	return fs.ErrExist
}

// drop removes what is out of the way, which git has.
func (a aside) drop() error {
	err := a.root.RemoveAll(filepath.FromSlash(asideFiles))
	if err == nil {
		err = a.root.RemoveAll(asideDir)
	}
	return err
}

// tidy removes the folders of files that are empty now, and those without files where one is to be written.
func (a aside) tidy(removed, written []string) {
	for _, name := range removed {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if a.root.Remove(filepath.FromSlash(dir)) != nil {
				break // it has something else
			}
		}
	}
	for _, name := range written {
		if info, err := a.root.Lstat(filepath.FromSlash(name)); err != nil || !info.IsDir() {
			continue
		}
		var dirs []string
		_ = fs.WalkDir(a.root.FS(), name, func(at string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				dirs = append(dirs, at)
			}
			return err
		})
		for _, dir := range slices.Backward(dirs) {
			_ = a.root.Remove(filepath.FromSlash(dir)) // one with a file stays, and git says so
		}
	}
}
