package cli

import (
	"context"
	"time"
)

// Stop ends the agent by a ladder, and returns when it and all that it started are gone:
// SIGINT, on which the CLI ends its turn, says the result and exits, whatever it has open;
// then SIGKILL, after Options.Grace, or at once when ctx ends, whose error is returned
// then. Its stdin stays open until it is gone: an agent whose stdin closes over an open
// question goes on without the answer (section 6). SIGTERM is no rung: the CLI dies of it
// as of SIGKILL (section 11).
func (p *Process) Stop(ctx context.Context) error {
	if ctx.Err() == nil && p.told(ctx) && p.leaves(ctx) {
		return nil
	}
	_ = p.child.Kill() // it fails only where all is done
	<-p.exited
	return ctx.Err()
}

// told tells the agent to end its turn and to exit, and reports whether it heard.
func (p *Process) told(ctx context.Context) bool {
	if p.child.Interrupt() == nil {
		return true
	}
	// Windows has no SIGINT.
	ctx, cancel := context.WithTimeout(ctx, p.grace/2)
	defer cancel()
	if p.Interrupt(ctx) != nil {
		return false
	}
	p.CloseInput()
	return true
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
