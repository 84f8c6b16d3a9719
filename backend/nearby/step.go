package nearby

import (
	"context"
	"errors"
	"syscall"
	"time"
)

// nonBlocking has a pipe that took a folder's place fail instead of wait.
const nonBlocking = syscall.O_NONBLOCK

// errHung is a step that did not end in time, as on a disk of another machine
// that is gone. Nothing can end such a call; it is left behind, and few are.
var errHung = errors.New("it does not answer")

// within returns what f returns, or errHung.
func within[T any](ctx context.Context, limit time.Duration, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	late := time.NewTimer(limit)
	defer late.Stop()
	var none T
	select {
	case r := <-done:
		return r.value, r.err
	case <-late.C:
		return none, errHung
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
