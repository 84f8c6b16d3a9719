package runner

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestARequestThatClaudeTookBackEndsAloneAndSaysWhy: the other cards stay.
func TestARequestThatClaudeTookBackEndsAloneAndSaysWhy(t *testing.T) {
	t.Parallel()
	var open openRequests
	first, done := open.open(t.Context(), "1")
	second, doneToo := open.open(t.Context(), "2")
	taken := errors.New("taken back")
	open.cancel("1", taken)
	open.cancel("no such", taken)
	if context.Cause(first) != taken || second.Err() != nil { //nolint:errorlint // The very same.
		t.Errorf("the first ends with %v, the second with %v", context.Cause(first), second.Err())
	}
	if ids := slices.Sorted(slices.Values(open.ids())); !slices.Equal(ids, []string{"1", "2"}) {
		t.Errorf("%q wait until they are done", ids)
	}
	done()
	doneToo()
	if ids := open.ids(); len(ids) != 0 {
		t.Errorf("%q wait for nobody", ids)
	}
}

func TestTheEndOfARunEndsItsRequestsWithItsReason(t *testing.T) {
	t.Parallel()
	run, end := context.WithCancelCause(t.Context())
	var open openRequests
	ctx, done := open.open(run, "1")
	defer done()
	stopped := errors.New("You stopped it.")
	if end(stopped); context.Cause(ctx) != stopped { //nolint:errorlint // The very same.
		t.Errorf("it ends with %v", context.Cause(ctx))
	}
}
