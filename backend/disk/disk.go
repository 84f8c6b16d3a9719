// Package disk replaces files as a whole: a reader, even after the power
// failed, finds the old text or the new one. It follows no link and
// leaves nothing behind that more than the user may read, unless it is asked to.
// It also tells whose a file is.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes text to a file of its own and gives it the path's name, for
// the user's eyes only.
func Replace(path string, text []byte) error {
	const private = 0o600
	return ReplaceAs(path, text, private)
}

// ReplaceAs is Replace for a file that others may read, or programs run, as its
// mode says.
func ReplaceAs(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
