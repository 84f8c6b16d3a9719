package demo

import (
	"context"
	"io"
	"testing"
	"time"

	"beckon/tests/timeout"
)

func TestADemoEndsWithTheBeckonThatStartedIt(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	ctx := UntilClosed(t.Context(), r)
	if err := ctx.Err(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	select {
	case <-ctx.Done():
	case <-time.After(timeout.For(10 * time.Second)):
		t.Fatal("the demo outlives its standard input")
	}
	if context.Cause(ctx).Error() == "" {
		t.Error("nobody says why it ended")
	}
}
