//go:build unix

package datadir

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks f or returns errHeld. flock belongs to the open file, not to
// the process as fcntl's locks do, so it holds against a second Open in the
// same process too.
func tryLock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		default:
			return err
		}
	}
}

func release(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
