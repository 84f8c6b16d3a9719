// Package datadir keeps what lies beside the database in the data folder: the
// lock that gives the folder to one Beckon, the images of messages, and the
// ends of runs that a full disk kept out of the database. It knows no SQL.
package datadir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// ErrInUse is a data folder that another Beckon has. Errors that wrap it say
// what the user can do.
var ErrInUse = errors.New("in use by another Beckon")

// errHeld is what tryLock returns when another holds the lock.
var errHeld = errors.New("held")

// Lock takes the data folder for this process until Unlock, at the latest by
// the process's death. No agent inherits it: files that os opens are closed on
// exec. The file itself stays, for removing it would let two processes hold
// locks on two files of one name.
func Lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "beckon.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	err = tryLock(f)
	if err == nil {
		err = noteHolder(f)
	}
	if err == nil {
		return f, nil
	}
	defer f.Close()
	if errors.Is(err, errHeld) {
		return nil, fmt.Errorf("the data folder %s is %w%s: use that one or quit it first, or choose another folder with --data",
			dir, ErrInUse, holder(f))
	}
	return nil, fmt.Errorf("lock the data folder %s: %w", dir, err)
}

// Unlock gives the data folder back. Closing the file is not enough: a child
// that is being started has it open too until its exec, and with it the lock.
func Unlock(f *os.File) error { return errors.Join(release(f), f.Close()) }

// noteHolder writes who we are for those who are refused.
func noteHolder(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	return err
}

// holder names the process that f says has the lock, if it says so.
func holder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 20))
	if err != nil {
		return ""
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (process %d)", pid)
}
