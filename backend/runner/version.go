package runner

import (
	"context"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
)

// Usable returns why claude cannot be used, if so. It waits while claude has
// not said its version.
func (r *Runner) Usable(ctx context.Context) error {
	o, err := r.Claude()
	if err != nil {
		return err
	}
	_, err = r.versions.Of(r.ctx, o, false).Wait(ctx)
	return err
}

// askedVersion reports whether Usable returns at once. Where it does not, the
// queue is woken as soon as it will: a claude that hangs holds no look up.
func (r *Runner) askedVersion() bool {
	o, err := r.Claude()
	if err != nil {
		return true
	}
	v := r.versions.Of(r.ctx, o, false)
	if v.Known() {
		return true
	}
	go func() {
		if _, err := v.Wait(r.ctx); !errors.Is(err, context.Canceled) {
			r.Wake()
		}
	}()
	return false
}

// About completes what the program knows of itself by the claude that it finds,
// looking again each time.
func (r *Runner) About(ctx context.Context, a beckon.About) beckon.About {
	a.ClaudeTrouble, a.ClaudeOldest = beckon.ClaudeMissing, cli.OldestVersion
	o, err := r.Claude()
	if err != nil {
		return a
	}
	a.ClaudePath = o.Path
	a.ClaudeVersion, err = r.versions.Of(r.ctx, o, true).Wait(ctx)
	switch {
	case errors.Is(err, cli.ErrTooOld):
		a.ClaudeTrouble = beckon.ClaudeOld
	case err != nil:
		a.ClaudeTrouble = beckon.ClaudeSilent
	default:
		a.ClaudeTrouble = ""
	}
	return a
}
