package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/shim"
	"beckon/backend/plain"
)

// Host is a machine whose only worker is all of it.
type Host struct {
	On  Worker
	End func() // ends its links
}

// theHelper is who speaks of a host as a whole.
const theHelper = "Beckon's helper there"

// Worker returns the host.
func (h Host) Worker(string) Worker { return h.On }

// forgetful is a worker that can look again for Beckon's helper.
type forgetful interface{ Forget() }

// quiet is a worker that git reaches through a shell, which may say something of its own.
type quiet interface {
	Quiet(ctx context.Context) error
}

// Inspect implements Machine. It takes nothing for granted of what was found there before.
func (h Host) Inspect(ctx context.Context) (found executing.Found, err error) {
	if at, is := h.On.(forgetful); is {
		at.Forget()
	}
	if err = Call(ctx, h.On, theHelper, calls.Look, nil, &found); err == nil {
		err = fit(found)
	}
	if at, is := h.On.(quiet); is && err == nil {
		err = at.Quiet(ctx)
	}
	return found, err
}

// fit returns why no agent could run where that was found, if so.
func fit(found executing.Found) error {
	switch {
	case found.Claude == "":
		return reason.Of(reason.ClaudeThere).Err(beckon.ErrUnavailable)
	case found.Git == "":
		return reason.Of(reason.GitThere).Err(beckon.ErrUnavailable)
	}
	return nil
}

// Left implements Machine.
func (h Host) Left(ctx context.Context, of calls.Scope) (left executing.Left, err error) {
	err = Call(ctx, h.On, theHelper, calls.Left, of, &left)
	return left, err
}

// Clear implements Machine.
func (h Host) Clear(ctx context.Context, of calls.Scope) error {
	return Call(ctx, h.On, theHelper, calls.Clear, of, &struct{}{})
}

// Close implements Machine.
func (h Host) Close() { h.End() }

// Call has the helper of a worker do something, on an executor of that name. What it says
// is another machine's.
func Call(ctx context.Context, w Worker, name, call string, params, into any) error {
	err := shim.Call(ctx, w.Dial, call, params, into)
	var failed shim.FailedCall
	if errors.As(err, &failed) {
		return fmt.Errorf("%s says: %w", name, shim.FailedCall(Shown(string(failed))))
	}
	return err
}

// Shown returns what another machine said as it may be shown.
func Shown(text string) string { return plain.Line(text, 300) }

// Last returns the last line of what was said elsewhere, as it may be shown.
func Last(said string) string {
	said = strings.TrimSpace(said)
	return Shown(said[strings.LastIndexByte(said, '\n')+1:])
}

// IsFull reports whether what was said is that a disk is full.
func IsFull(said string) bool {
	return Says(said, "No space left on device", "Disk quota exceeded")
}

// Full is why a machine cannot be used whose disk is.
func Full(name string) error {
	return reason.Of(reason.HostFull, "host", name).Err(beckon.ErrUnavailable)
}

// Says reports whether something that was said has one of these words.
func Says(said string, words ...string) bool {
	return slices.ContainsFunc(words, func(one string) bool { return strings.Contains(said, one) })
}
