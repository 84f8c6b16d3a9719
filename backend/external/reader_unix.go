//go:build !windows

package external

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lookEvery is how often it is looked whether the parent is still there, which
// the system does not say by itself.
const lookEvery = time.Second

// watchReader calls gone once nobody can read what is written to f any more, or
// the parent is gone: the session that called the hook was killed. stop ends
// the watching.
func watchReader(f *os.File, gone func()) (stop func()) {
	end, ends, err := os.Pipe()
	if err != nil {
		return func() {} // the hook then ends with Beckon, or with its answer
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer end.Close()
		if readerLeft(f, end) {
			gone()
		}
	}()
	return func() {
		ends.Close()
		<-done
	}
}

// readerLeft returns true once f's reader or the parent is gone, and false at the
// end of end.
func readerLeft(f, end *os.File) bool {
	parent := os.Getppid()
	fds := []unix.PollFd{{Fd: int32(f.Fd())}, {Fd: int32(end.Fd())}} //nolint:gosec // descriptors are small
	for {
		n, err := unix.Poll(fds, int(lookEvery.Milliseconds()))
		switch {
		case err == nil && n > 0 && fds[1].Revents != 0:
			return false
		case err == nil && n > 0 && fds[0].Revents != 0, os.Getppid() != parent:
			return true
		}
	}
}
