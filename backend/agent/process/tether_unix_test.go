//go:build linux || darwin

package process_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"beckon/backend/agent/process"
)

// TestATetherIsHeldUntilNothingIsLeftOfTheChildren, and no child has it.
func TestATetherIsHeldUntilNothingIsLeftOfTheChildren(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "agents.lock")
	take := func(patience time.Duration) (*process.Tether, error) {
		tether, err := process.NewTether(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = tether.Close() })
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		return tether, tether.Acquire(ctx)
	}
	start := func(tether *process.Tether, script string) *process.Child {
		child, err := process.Start(t.Context(), process.Spec{Path: "sh", Args: []string{"-c", script}, Tether: tether})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = child.Kill() })
		return child
	}
	first, err := take(10 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if status := start(first, "test ! -e /dev/fd/5 && test ! -e /dev/fd/3").Wait(); status.Code != 0 {
		t.Errorf("the child has the tether, too: %+v", status)
	}
	child := start(first, "sleep 60 & wait")
	if err := first.Close(); err != nil { // as the death of its program does
		t.Fatal(err)
	}
	if _, err := take(100 * time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("it was taken while a child was alive: %v", err)
	}
	if err := child.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()
	if _, err := take(10 * time.Second); err != nil {
		t.Errorf("it is held by nobody, and cannot be taken: %v", err)
	}
}
