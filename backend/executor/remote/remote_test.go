package remote

import (
	"context"
	"io"
	"testing"
	"time"

	"beckon/backend/executor/shim"
	"beckon/tests/timeout"
)

// TestAnAgentWithoutALinkIsGivenUpWhenBeckonQuits: its machine may be away for days.
func TestAnAgentWithoutALinkIsGivenUpWhenBeckonQuits(t *testing.T) {
	t.Parallel()
	quit, left, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	away := func(ctx context.Context) (io.ReadWriteCloser, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	child := Start(away, "run", shim.Job{}, shim.Life{Over: func() { close(over) }, OnLink: func(bool) {}, Quit: quit, Left: left})
	read := make(chan error, 1)
	go func() { _, err := io.ReadAll(child.Stdout); read <- err }()
	close(quit)
	select {
	case <-over:
		t.Fatal("it was given up while Beckon still waits")
	case <-time.After(20 * time.Millisecond):
	}
	close(left)
	select {
	case <-over:
	case <-time.After(timeout.For(5 * time.Second)):
		t.Fatal("it is waited for")
	}
	if status := child.Wait(); status.Signal != noLink {
		t.Errorf("it ended by %+v", status)
	}
	if err := <-read; err != nil {
		t.Errorf("its output ends with %v", err)
	}
}
