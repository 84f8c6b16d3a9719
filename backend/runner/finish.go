package runner

import (
	"cmp"
	"context"
	"os"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store"
	"beckon/backend/transcript"
)

// finish settles all that the run leaves behind: its questions, its transcript,
// its row, its work, its card. err is why it could not begin or be read, if so.
// The run counts as ended once all of that is written, however long a full
// disk or a slow git takes.
func (l *agentRun) finish(err error) {
	exit := l.reap()
	l.view.DropText() // an agent that was killed in mid-sentence does not end it
	run := l.endOf(exit, err)
	l.insist("settle its questions", run, func(ctx context.Context) error {
		return l.closeQuestions(ctx, run.Outcome, cmp.Or(run.Reason, reason.Of(reason.DidNotWait)))
	})
	l.cancel(run.Reason.Err())
	l.revoke()
	l.asks.Wait()
	run.Session, run.Model, run.Mode = l.snapshot().Session, l.snapshot().Model, l.snapshot().Mode
	if l.configDir != "" {
		logged("remove the run's configuration", os.RemoveAll(l.configDir), "run", l.run.ID)
	}
	if was, now := l.task.Branch, l.r.Cards.Follow(context.WithoutCancel(l.ctx), l.task, l.project).Branch; was != "" && now != was {
		logged("note that the branch was renamed", l.record(transcript.NoticeLine("branch_renamed", was+" → "+now)), "run", l.run.ID)
	}
	l.insist("write the transcript", run, func(context.Context) error { return unlessFull("write the transcript", l.view.Flush(), run.ID) })
	logged("close the transcript", l.view.Close(), "run", l.run.ID)
	l.out.SettleTaken(l.endedByItself(exit))
	l.insist("settle what was not taken", run, func(ctx context.Context) error {
		return unlessFull("settle what was not taken", l.r.queues.SettleSent(ctx, run), run.ID)
	})
	l.insist("record the end of a run", run, func(ctx context.Context) error { return l.r.recordEnd(ctx, run) })
	work := l.saveWork(run)
	work.Setback, work.Resets = l.setbackOf(run)
	l.insist("settle the task", run, func(ctx context.Context) error { return l.r.Cards.Settle(ctx, l.task.ID, run, work) })
	l.noteEnded(run)
}

func (l *agentRun) noteEnded(run beckon.Run) {
	l.note(func() {
		l.facts = beckon.Facts{Exited: true}
		l.run.Outcome, l.run.Reason, l.run.Detail = run.Outcome, run.Reason, run.Detail
		l.run.Spent, l.run.Ended = run.Spent, run.Ended
	})
}

// endOf is the run as it is recorded, and publishes that it is being saved.
// What is published so, is kept: until its row is written, which a full disk or
// a busy database may delay, a Beckon that dies finds the end there.
func (l *agentRun) endOf(exit agent.Exit, err error) beckon.Run {
	outcome, why := l.outcomeOf(exit, err)
	if outcome == beckon.Failed && exit.NoSession {
		why = reason.Of(reason.SessionUnknown).Because(why)
	}
	run := ended(l.publish(), outcome, why.Because(l.lostBackground()))
	run.Detail = detail(outcome, exit)
	l.keepEnd(run)
	l.note(func() {
		l.facts = beckon.Facts{Saving: true}
		l.run.Activity = beckon.Activity{}
		if l.run.Kind == beckon.ChatRun {
			l.takeNextModel() // which the chat goes on with; a task has it by then
		}
		l.run.NextModel = ""
	})
	return run
}

// ended returns a run as one that ended now.
func ended(run beckon.Run, outcome beckon.Outcome, why *reason.Reason) beckon.Run {
	run.Activity = beckon.Activity{}
	run.Outcome, run.Reason = outcome, why
	run.Phase, run.Ended = beckon.Ended, beckon.Now()
	run.Spent.WorkedMs = run.Ended - run.Started
	return run
}

// recordEnd writes the row of a run that is over.
func (r *Runner) recordEnd(ctx context.Context, run beckon.Run) error {
	_, err := r.Store.UpdateRun(ctx, run.ID, func(row *beckon.Run) error { *row = run; return nil })
	if err != nil {
		return err
	}
	logged("forget the end of a run", r.Store.ForgetEnd(run.ID), "run", run.ID)
	return nil
}

// reap waits until the process and all that it began are gone.
func (l *agentRun) reap() agent.Exit {
	p := l.process()
	if p == nil {
		return agent.Exit{}
	}
	return p.Wait()
}

// outcomeOf judges how the run ended: by what the user wanted, then by the
// last result, never by its subtype, then by how the process went.
func (l *agentRun) outcomeOf(exit agent.Exit, err error) (beckon.Outcome, *reason.Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.outcome != "":
		return l.outcome, l.why
	case err != nil:
		return beckon.Failed, beckon.ReasonOf(err)
	case l.turn.limited:
		return beckon.Limited, cmp.Or(l.turn.reason, reason.Of(reason.PlanLimit))
	case l.turn.ended && l.turn.interrupted:
		return beckon.Stopped, reason.Of(reason.TurnInterrupted)
	case l.turn.ended && l.turn.failed:
		return beckon.Failed, cmp.Or(l.turn.reason, reason.Of(reason.NoWord))
	case l.turn.ended && exit.Code == 0 && exit.Signal == "":
		return beckon.Succeeded, nil
	default:
		return beckon.Failed, exit.Reason
	}
}

// endedByItself reports whether claude was not killed, nor failed within a
// turn: it has written down what it took.
func (l *agentRun) endedByItself(exit agent.Exit) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return exit.Signal == "" && (exit.Code == 0 || l.rested)
}

// detail is what the error report shows of stderr.
func detail(outcome beckon.Outcome, exit agent.Exit) string {
	if outcome == beckon.Succeeded || outcome == beckon.Stopped || outcome == beckon.Parked {
		return ""
	}
	return exit.Stderr
}

// unlessFull returns an error that room on the disk ends, and logs another: a
// transcript that cannot be read does not hold up the end of its run.
func unlessFull(what string, err error, runID string) error {
	if store.IsFull(err) {
		return err
	}
	logged(what, err, "run", runID)
	return nil
}
