package runner

import (
	"context"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// interruptIn is how long claude may take to end its turn for a message: it
// takes milliseconds, or does not hear.
const interruptIn = 3 * time.Second

// beginTurn notes that a turn is open. The caller holds mu.
func (l *agentRun) beginTurn() {
	l.facts.TurnOpen, l.rested = true, false
	l.jobs.Busy()
	l.facts.Background = false
	if l.run.Activity.Verb == beckon.Background {
		l.run.Activity = beckon.Activity{}
	}
}

// rest notes that a turn is over. The run works on while a message is on its
// way or about to be. The caller holds mu.
func (l *agentRun) rest() {
	l.takeNextModel()
	l.jobs.Rest()
	l.rested = !l.out.Sending()
	l.facts.TurnOpen = !l.rested || l.out.Queued() > 0 && l.turn.goesOn()
}

// goesOn reports whether the next message may follow. Behind a failure, such as
// a spent quota, the whole queue would only fail too.
func (t turn) goesOn() bool { return !t.failed || t.interrupted }

// goOn begins what follows a turn: the first message of the queue, in a turn
// of its own, or the end of a task run whose last turn was not cut short.
func (l *agentRun) goOn() {
	ctx, cancel := l.shutdown()
	defer cancel()
	var last turn
	l.out.Next(ctx, func() (over, goesOn bool) {
		last, over = l.lastTurn()
		return over, last.goesOn()
	}, func(err error) { l.endAfter(last, err) })
}

// endAfter ends a task run whose last turn nothing follows, unless the agent
// left something in the background, or its queue could not be read.
func (l *agentRun) endAfter(last turn, err error) {
	if l.kind() != beckon.TaskRun || last.interrupted || err != nil {
		l.note(func() { l.facts.TurnOpen = l.out.Sending() || !l.rested })
		return
	}
	// A turn that claude began by itself while the end was written may ask.
	if !l.waitsForBackground() && l.keepLast() {
		l.proc.CloseInput()
	}
}

// lastTurn returns how the last turn ended, and whether nothing followed it
// and the run is not to end.
func (l *agentRun) lastTurn() (turn, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.turn, l.rested && l.outcome == ""
}

// cutTurn ends the open turn for a message, and reports whether claude heard.
func (l *agentRun) cutTurn(ctx context.Context, why *reason.Reason) bool {
	ctx, cancel := context.WithTimeout(ctx, interruptIn)
	defer cancel()
	err := l.interrupt(ctx, why)
	logged("interrupt for a message", err, "run", l.run.ID)
	return err == nil
}

// interrupt ends the open turn, and with it what it asked. A turn that goes on
// all the same is not left to wait for answers that nobody can give.
func (l *agentRun) interrupt(ctx context.Context, why *reason.Reason) error {
	asked := l.requests.ids()
	if err := l.r.Desk.WithdrawAll(ctx, l.run.ID, why); err != nil {
		return err
	}
	err := l.process().Interrupt(ctx)
	if err == nil {
		return nil
	}
	for _, request := range asked {
		logged("refuse", l.process().Refuse(request, why.String()), "run", l.run.ID)
	}
	return err
}
