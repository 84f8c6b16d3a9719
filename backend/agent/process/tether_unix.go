//go:build linux || darwin

package process

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Tether is a locked file that the supervisors of a program have open until nothing is left
// of their children. By it a program learns that those of one that died are gone: they see
// its death at once, but on a busy machine at once may take seconds, in which a child goes on.
type Tether struct{ file *os.File }

// NewTether opens the file at path, and makes it where there is none.
func NewTether(path string) (*Tether, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return &Tether{file}, nil
}

// Acquire takes the tether once all that had it are gone. Children that are started with it
// have it too.
func (t *Tether) Acquire(ctx context.Context) error {
	for {
		err := unix.Flock(int(t.file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		select {
		case <-time.After(takeAgain):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

const takeAgain = 5 * time.Millisecond

// Close lets go of it; supervisors that have it keep it.
func (t *Tether) Close() error { return t.file.Close() }

// held returns what a supervisor is to have open.
func (t *Tether) held() []*os.File {
	if t == nil {
		return nil
	}
	return []*os.File{t.file}
}
