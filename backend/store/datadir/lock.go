// Package datadir keeps what lies beside the database in the data folder: the
// lock that gives the folder to one Beckon, the images of messages, and the
// ends of runs that a full disk kept out of the database. It knows no SQL.
package datadir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// ErrInUse is a data folder that another Beckon has. Errors that wrap it say
// what the user can do.
var ErrInUse = errors.New("in use by another Beckon")

// Lock takes the data folder for this process until Unlock, at the latest by
// the process's death. No agent inherits it: files that os opens are closed on
// exec. The file itself stays, for removing it would let two processes hold
// locks on two files of one name.
func Lock(dir string) (*flock.Flock, error) {
	l := flock.New(filepath.Join(dir, "beckon.lock"), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ours, err := takeLock(l)
	if err == nil && ours {
		err = noteHolder(l.Path())
	}
	switch {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock the data folder %s: %w", dir, err), l.Close())
	case !ours:
		return nil, errors.Join(fmt.Errorf("the data folder %s is %w%s: use that one or quit it first, or choose another folder with --data",
			dir, ErrInUse, holder(l.Path())), l.Close())
	}
	return l, nil
}

// afterDeath is how long to wait for the lock of a process that is dead. A child that
// it was starting has the lock until its exec, which is a matter of milliseconds.
const afterDeath = 2 * time.Second

// takeLock takes the lock, and reports whether it could: at once, unless its holder died.
func takeLock(l *flock.Flock) (ours bool, err error) {
	ours, err = l.TryLock()
	if pid := holderPID(l.Path()); ours || err != nil || pid == 0 || lives(pid) {
		return ours, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), afterDeath)
	defer cancel()
	ours, err = l.TryLockContext(ctx, 5*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return ours, err
}

// Unlock gives the data folder back. Closing the file alone is not enough: a
// child that is being started has it open too until its exec, and with it the
// lock.
func Unlock(l *flock.Flock) error { return l.Unlock() }

// The holder is written behind the first byte, which is the one that is locked:
// what Windows locks others cannot read.
const (
	holderAt     = 1
	holderPrefix = "process "
)

// noteHolder writes who we are for those who are refused, up to a line feed:
// what an earlier holder left is behind that.
func noteHolder(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(holderPrefix+strconv.Itoa(os.Getpid())+"\n"), holderAt)
	return errors.Join(err, f.Close())
}

// holder names the process that has the lock, if the file says so.
func holder(path string) string {
	pid := holderPID(path)
	if pid == 0 {
		return ""
	}
	return " (" + holderPrefix + strconv.Itoa(pid) + ")"
}

// holderPID is the process that took the lock last; 0 where the file does not say so.
func holderPID(path string) int {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, holderAt, 40))
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	number, ok := strings.CutPrefix(line, holderPrefix)
	pid, err := strconv.Atoi(number)
	if !ok || err != nil || pid < 0 {
		return 0
	}
	return pid
}
