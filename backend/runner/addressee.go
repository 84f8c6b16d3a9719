package runner

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/runner/outbox"
)

// addressee is a live run as its outbox sees it.
type addressee struct{ run *agentRun }

func (a addressee) Session() outbox.Session      { return a.run.process() }
func (a addressee) Record(lines ...[]byte) error { return a.run.record(lines...) }
func (a addressee) BeginTurn()                   { a.run.note(a.run.beginTurn) }
func (a addressee) Prompt() string               { return a.run.opening() }

func (a addressee) Go(f func(ctx context.Context)) bool {
	return a.run.asks.Go(func() { f(a.run.ctx) })
}

func (a addressee) CutTurn(ctx context.Context, why *reason.Reason) bool {
	return a.run.cutTurn(ctx, why)
}

func (a addressee) ModeAfterPlan(answer *beckon.Answer) beckon.PermissionMode {
	return a.run.modeAfterPlan(answer)
}

func (a addressee) State() outbox.State {
	a.run.mu.Lock()
	defer a.run.mu.Unlock()
	return outbox.State{
		Session: a.run.row.Session, Open: a.run.facts.TurnOpen, Rested: a.run.rested, Ending: a.run.outcome != "",
	}
}
