package runner

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/runner/outbox"
)

// addressee is a live run as its outbox sees it.
type addressee struct{ l *agentRun }

func (a addressee) Session() outbox.Session      { return a.l.process() }
func (a addressee) Record(lines ...[]byte) error { return a.l.record(lines...) }
func (a addressee) BeginTurn()                   { a.l.note(a.l.beginTurn) }
func (a addressee) Prompt() string               { return a.l.opening() }

func (a addressee) Go(f func(ctx context.Context)) bool {
	return a.l.asks.Go(func() { f(a.l.ctx) })
}

func (a addressee) CutTurn(ctx context.Context, why *reason.Reason) bool {
	return a.l.cutTurn(ctx, why)
}

func (a addressee) ModeAfterPlan(answer *beckon.Answer) beckon.PermissionMode {
	return a.l.modeAfterPlan(answer)
}

func (a addressee) State() outbox.State {
	a.l.mu.Lock()
	defer a.l.mu.Unlock()
	return outbox.State{
		Session: a.l.run.Session, Open: a.l.facts.TurnOpen, Rested: a.l.rested, Ending: a.l.outcome != "",
	}
}
