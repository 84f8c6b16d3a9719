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
func (run *agentRun) beginTurn() {
	run.facts.TurnOpen, run.rested = true, false
	run.silence.Break()
	run.jobs.Busy()
	run.dropQuestion()
	run.facts.Background = false
	if run.row.Activity.Verb == beckon.Background {
		run.row.Activity = beckon.Activity{}
	}
}

// rest notes that a turn is over. The run works on while a message is on its
// way or about to be. The caller holds mu.
func (run *agentRun) rest() {
	run.takeNextModel()
	run.jobs.Rest()
	run.row.Quiet = 0
	run.rested = !run.out.Sending()
	run.facts.TurnOpen = !run.rested || run.out.Queued() > 0 && run.turn.goesOn()
}

// goesOn reports whether the next message may follow. Behind a failure, such as
// a spent quota, the whole queue would only fail too.
func (t turn) goesOn() bool { return !t.failed || t.interrupted }

// goOn begins what follows a turn: the first message of the queue, in a turn
// of its own, or the end of a task run whose last turn was not cut short.
func (run *agentRun) goOn() {
	ctx, cancel := run.shutdown()
	defer cancel()
	var last turn
	run.out.Next(ctx, func() (over, goesOn bool) {
		last, over = run.lastTurn()
		return over, last.goesOn() && (!over || run.affords(ctx, last))
	}, func(err error) { run.endAfter(last, err) })
}

// affords reports whether another turn may begin. Where none may, and something waits for one,
// the run ends here, to be resumed. What the last turn took is in its row by then.
func (run *agentRun) affords(ctx context.Context, last turn) bool {
	run.keepTurn()
	why := run.r.Afford(ctx, run.task.ID)
	if why == nil {
		return true
	}
	_, waits, err := run.r.Store.NextMessage(ctx, run.task.ID)
	left, _ := run.jobs.Left()
	if left || last.asks != "" || waits || err != nil || run.kind() == beckon.ChatRun {
		run.end(beckon.Parked, why)
	}
	return false
}

// GoOn has all runs that rest, and the queue, look whether something follows by now.
func (r *Runner) GoOn() {
	r.mu.Lock()
	for _, run := range r.live {
		run.asks.Go(run.goOn)
	}
	r.mu.Unlock()
	r.Wake()
}

// endAfter ends a task run whose last turn nothing follows, unless the agent
// left something in the background, or its queue could not be read.
func (run *agentRun) endAfter(last turn, err error) {
	if run.kind() != beckon.TaskRun || last.interrupted || err != nil {
		run.note(func() { run.facts.TurnOpen = run.out.Sending() || !run.rested })
		return
	}
	if last.asks != "" {
		run.asks.Go(func() { run.askInWords(last.asks) })
		return
	}
	// A turn that claude began by itself while the end was written may ask.
	if !run.waitsForBackground() && run.keepLast() {
		run.proc.CloseInput()
	}
}

// lastTurn returns how the last turn ended, and whether nothing followed it
// and the run is not to end.
func (run *agentRun) lastTurn() (turn, bool) {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.turn, run.rested && run.outcome == ""
}

// cutTurn ends the open turn for a message, and reports whether claude heard.
func (run *agentRun) cutTurn(ctx context.Context, why *reason.Reason) bool {
	ctx, cancel := context.WithTimeout(ctx, interruptIn)
	defer cancel()
	err := run.interrupt(ctx, why)
	logged("interrupt for a message", err, "run", run.row.ID)
	return err == nil
}

// interrupt ends the open turn, and with it what it asked. A turn that goes on
// all the same is not left to wait for answers that nobody can give.
func (run *agentRun) interrupt(ctx context.Context, why *reason.Reason) error {
	asked := run.requests.IDs()
	if err := run.r.Desk.WithdrawAll(ctx, run.row.ID, why); err != nil {
		return err
	}
	err := run.process().Interrupt(ctx)
	if err == nil {
		return nil
	}
	for _, request := range asked {
		logged("refuse", run.process().Refuse(request, why.String()), "run", run.row.ID)
	}
	return err
}
