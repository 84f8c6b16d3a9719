package background

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestARequestThatClaudeTookBackEndsAloneAndSaysWhy: the other cards stay.
func TestARequestThatClaudeTookBackEndsAloneAndSaysWhy(t *testing.T) {
	t.Parallel()
	var open Requests
	first, done := open.Open(t.Context(), "1")
	second, doneToo := open.Open(t.Context(), "2")
	taken := errors.New("taken back")
	open.Cancel("1", taken)
	open.Cancel("no such", taken)
	if context.Cause(first) != taken || second.Err() != nil { //nolint:errorlint // The very same.
		t.Errorf("the first ends with %v, the second with %v", context.Cause(first), second.Err())
	}
	if ids := slices.Sorted(slices.Values(open.IDs())); !slices.Equal(ids, []string{"1", "2"}) {
		t.Errorf("%q wait until they are done", ids)
	}
	done()
	doneToo()
	if ids := open.IDs(); len(ids) != 0 {
		t.Errorf("%q wait for nobody", ids)
	}
}

func TestTheEndOfARunEndsItsRequestsWithItsReason(t *testing.T) {
	t.Parallel()
	run, end := context.WithCancelCause(t.Context())
	var open Requests
	ctx, done := open.Open(run, "1")
	defer done()
	stopped := errors.New("You stopped it.")
	if end(stopped); context.Cause(ctx) != stopped { //nolint:errorlint // The very same.
		t.Errorf("it ends with %v", context.Cause(ctx))
	}
}
