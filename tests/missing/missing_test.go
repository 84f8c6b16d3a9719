package missing

import (
	"errors"
	"strings"
	"testing"
)

// TestNoRunOfCIPassesWithoutItsTests: what is skipped on a developer's machine fails there.
func TestNoRunOfCIPassesWithoutItsTests(t *testing.T) {
	for _, c := range []struct {
		ci, word string
		code     int
		failed   bool
	}{
		{"", "SKIPPED, LOUDLY: the tests", 0, false},
		{"true", "FAILED: the tests", 1, true},
	} {
		t.Setenv("CI", c.ci)
		var said strings.Builder
		if code := stage(&said, "the tests", errors.New("no tmux")); code != c.code || !strings.Contains(said.String(), c.word) || !strings.Contains(said.String(), "no tmux") {
			t.Errorf("CI=%q: exit %d, %q", c.ci, code, said.String())
		}
		tb := &ended{TB: t}
		if Test(tb, "no tmux"); tb.failed != c.failed || !c.failed && !tb.skipped {
			t.Errorf("CI=%q: %+v", c.ci, tb)
		}
	}
}

// ended notes how a test would have ended, and goes on.
type ended struct {
	testing.TB
	failed, skipped bool
}

func (e *ended) Fatal(...any) { e.failed = true }
func (e *ended) Skip(...any)  { e.skipped = true }
