//go:build linux || darwin

package keeper

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"beckon/backend/executor/shim"
	"beckon/tests/timeout"
)

// TestAJobWithoutAnAgentEnds, and leaves nothing: nobody came, or the scheduler said so.
func TestAJobWithoutAnAgentEnds(t *testing.T) {
	home(t)
	if err := keep(t.Context(), "run", shim.Here{}, time.Millisecond); !errors.Is(err, errAlone) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := keep(ctx, "run", shim.Here{}, time.Hour); err != nil {
		t.Error(err)
	}
	if left, err := shim.Running(""); len(left) > 0 || err != nil {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestAnAgentThatCannotStartSaysWhy to who brought it, and ends the job.
func TestAnAgentThatCannotStartSaysWhy(t *testing.T) {
	home(t)
	over := make(chan error, 1)
	missing := errors.New("claude was not found")
	go func() {
		over <- keep(t.Context(), "run", shim.Here{Find: func() (string, error) { return "", missing }}, time.Minute)
	}()
	if err := hand("run", shim.Job{}); !errors.Is(err, shim.ErrRefused) || !strings.Contains(err.Error(), missing.Error()) {
		t.Errorf("it hears %v", err)
	}
	select {
	case err := <-over:
		if !errors.Is(err, missing) {
			t.Error(err)
		}
	case <-time.After(timeout.For(time.Minute)):
		t.Error("the job goes on")
	}
}

// TestOtherWordsAreTheShims: this is one program to who calls it.
func TestOtherWordsAreTheShims(t *testing.T) {
	if err := Command([]string{"dance"}, strings.NewReader(""), discard{io.Discard}, shim.Here{}); err == nil || !strings.Contains(err.Error(), "dance") {
		t.Error(err)
	}
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// home has the test's shims in a folder of its own, which is the working directory: the
// keeper leaves it for the folder of its run.
func home(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Chdir(dir)
}
