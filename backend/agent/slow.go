package agent

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Slow returns err, and where a deadline passed says in words what did not
// happen in time.
func Slow(err error, what string, within time.Duration) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return timeoutError{fmt.Sprintf("%s within %s; try again, and see whether the agent works in a terminal", what, within)}
}

// timeoutError is a deadline that passed, in words for the user.
type timeoutError struct{ words string }

func (e timeoutError) Error() string { return e.words }
func (e timeoutError) Unwrap() error { return context.DeadlineExceeded }
