package cli

import (
	"context"
	"time"
)

// Stop ends the agent by a ladder, and returns when it and all that it
// started are gone: interrupt the turn and close stdin, so that the result
// is still said and the session stays whole; then SIGINT; then SIGKILL. Each
// rung but the last has Options.Grace. When ctx ends first the last rung is
// taken at once, and its error returned. SIGTERM is no rung: the CLI dies of
// it as of SIGKILL (section 11).
func (p *Process) Stop(ctx context.Context) error {
	go p.sayGoodbye(ctx)
	if p.leaves(ctx) {
		return nil
	}
	if ctx.Err() == nil && p.child.Interrupt() == nil && p.leaves(ctx) {
		return nil
	}
	_ = p.child.Kill() // it fails only where all is done
	<-p.exited
	return ctx.Err()
}

func (p *Process) sayGoodbye(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.grace/2)
	defer cancel()
	_ = p.Interrupt(ctx) // unheard, the turn is finished instead
	p.CloseInput()
}

// leaves waits for the end of the process, one rung long.
func (p *Process) leaves(ctx context.Context) bool {
	rung := time.NewTimer(p.grace)
	defer rung.Stop()
	select {
	case <-p.exited:
		return true
	case <-rung.C:
		return false
	case <-ctx.Done():
		return false
	}
}
