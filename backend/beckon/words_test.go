package beckon

import (
	"errors"
	"fmt"
	"testing"
)

// TestTheUserReadsNoWordsOfPrograms at the end of what went wrong.
func TestTheUserReadsNoWordsOfPrograms(t *testing.T) {
	t.Parallel()
	inner := fmt.Errorf("claude was not found there: %w", ErrUnavailable)
	for want, err := range map[string]error{
		"claude was not found there":       inner,
		"farm: claude was not found there": fmt.Errorf("farm: %w: %w", inner, ErrUnavailable),
		"look at farm: the host is away":   fmt.Errorf("look at farm: the host is away: %w: %w", ErrNotFound, ErrConflict),
		"git says: unavailable":            errors.New("git says: unavailable"), // its own word
		"write it: the disk is full":       fmt.Errorf("write it: %w", ErrDiskFull),
		"unavailable":                      ErrUnavailable,
	} {
		if got := Words(err); got != want {
			t.Errorf("%q is said as %q, want %q", err, got, want)
		}
	}
}
