package store

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"beckon/backend/beckon"
	"beckon/backend/store/database"

	sqlite3 "modernc.org/sqlite/lib"
)

// roomNeeded is what must fit on the disk for it to count as not full.
const roomNeeded = 256 << 10

// noRoom is beckon.ErrDiskFull, with words for the user.
type noRoom struct {
	dir string
	err error
}

func (e *noRoom) Error() string {
	return fmt.Sprintf("the disk is full, so nothing was changed; make room on the disk of %s and try again",
		cmp.Or(e.dir, "the data folder"))
}

func (e *noRoom) Unwrap() []error { return []error{beckon.ErrDiskFull, e.err} }

// IsFull reports whether err says that a disk, or the user's share of it, has
// no room.
func IsFull(err error) bool {
	if runtime.GOOS == "windows" { // ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL, ERROR_DISK_QUOTA_EXCEEDED
		for _, code := range []syscall.Errno{39, 112, 1295} {
			if errors.Is(err, code) {
				return true
			}
		}
	}
	return errors.Is(err, beckon.ErrDiskFull) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// explainFull gives a write that found no room words for the user, and says so
// on Full. Other errors it returns as they are.
func (s *Store) explainFull(err error) error {
	switch database.Code(err) {
	case sqlite3.SQLITE_FULL:
	case sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_WRITE: // a spent quota is one, too
		if s.Room() == nil {
			return err
		}
	default:
		if !IsFull(err) {
			return err
		}
	}
	select {
	case s.full <- struct{}{}:
	default: // it is known
	}
	return &noRoom{s.dir, err}
}

// Full receives after a write found no room on the disk.
func (s *Store) Full() <-chan struct{} { return s.full }

// Room tries whether the data folder's disk takes a file, and returns what it
// says if not.
func (s *Store) Room() error {
	f, err := os.CreateTemp(s.dir, ".room-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, roomNeeded))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}
