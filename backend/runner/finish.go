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
func (run *agentRun) finish(err error) {
	exit := run.reap()
	run.view.DropText() // an agent that was killed in mid-sentence does not end it
	row := run.endOf(exit, err)
	run.insist("settle its questions", row, func(ctx context.Context) error {
		return run.closeQuestions(ctx, row.Outcome, cmp.Or(row.Reason, reason.Of(reason.DidNotWait)))
	})
	run.cancel(row.Reason.Err())
	run.revoke()
	run.asks.Wait()
	row.Session, row.Model, row.Mode = run.snapshot().Session, run.snapshot().Model, run.snapshot().Mode
	if run.configDir != "" {
		logged("remove the run's configuration", os.RemoveAll(run.configDir), "run", run.row.ID)
	}
	if was, now := run.task.Branch, run.r.Cards.Follow(context.WithoutCancel(run.ctx), run.task, run.project).Branch; was != "" && now != was {
		logged("note that the branch was renamed", run.record(transcript.NoticeLine("branch_renamed", was+" → "+now)), "run", run.row.ID)
	}
	run.insist("write the transcript", row, func(context.Context) error { return unlessFull("write the transcript", run.view.Flush(), row.ID) })
	logged("close the transcript", run.view.Close(), "run", run.row.ID)
	run.out.SettleTaken(run.endedByItself(exit))
	run.insist("settle what was not taken", row, func(ctx context.Context) error {
		return unlessFull("settle what was not taken", run.r.queues.SettleSent(ctx, row), row.ID)
	})
	run.insist("record the end of a run", row, func(ctx context.Context) error { return run.r.recordEnd(ctx, row) })
	work := run.saveWork(row)
	work.Setback, work.Resets = run.setbackOf(row)
	run.insist("settle the task", row, func(ctx context.Context) error { return run.r.Cards.Settle(ctx, run.task.ID, row, work) })
	run.noteEnded(row)
}

func (run *agentRun) noteEnded(row beckon.Run) {
	run.note(func() {
		run.facts = beckon.Facts{Exited: true}
		run.row.Outcome, run.row.Reason, run.row.Detail = row.Outcome, row.Reason, row.Detail
		run.row.Spent, run.row.Ended = row.Spent, row.Ended
	})
}

// endOf is the run as it is recorded, and publishes that it is being saved.
// What is published so, is kept: until its row is written, which a full disk or
// a busy database may delay, a Beckon that dies finds the end there.
func (run *agentRun) endOf(exit agent.Exit, err error) beckon.Run {
	outcome, why := run.outcomeOf(exit, err)
	if outcome == beckon.Failed && exit.NoSession {
		why = reason.Of(reason.SessionUnknown).Because(why)
	}
	row := ended(run.publish(), outcome, why.Because(run.lostBackground()))
	row.Detail = detail(outcome, exit)
	run.keepEnd(row)
	run.note(func() {
		run.facts = beckon.Facts{Saving: true}
		run.row.Activity, run.row.Quiet = beckon.Activity{}, 0
		if run.row.Kind == beckon.ChatRun {
			run.takeNextModel() // which the chat goes on with; a task has it by then
		}
		run.row.NextModel = ""
	})
	return row
}

// ended returns a run as one that ended now.
func ended(run beckon.Run, outcome beckon.Outcome, why *reason.Reason) beckon.Run {
	run.Activity, run.Quiet = beckon.Activity{}, 0
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
func (run *agentRun) reap() agent.Exit {
	p := run.process()
	if p == nil {
		return agent.Exit{}
	}
	return p.Wait()
}

// outcomeOf judges how the run ended: by what the user wanted, then by the
// last result, never by its subtype, then by how the process went.
func (run *agentRun) outcomeOf(exit agent.Exit, err error) (beckon.Outcome, *reason.Reason) {
	run.mu.Lock()
	defer run.mu.Unlock()
	switch {
	case run.outcome != "":
		return run.outcome, run.why
	case err != nil:
		return beckon.Failed, beckon.ReasonOf(err)
	case run.turn.limited:
		return beckon.Limited, cmp.Or(run.turn.reason, reason.Of(reason.PlanLimit))
	case run.turn.question != "":
		return beckon.Parked, reason.Of(reason.DidNotWait)
	case run.turn.ended && run.turn.interrupted:
		return beckon.Stopped, reason.Of(reason.TurnInterrupted)
	case run.turn.ended && run.turn.failed:
		return beckon.Failed, cmp.Or(run.turn.reason, reason.Of(reason.NoWord))
	case run.turn.ended && exit.Code == 0 && exit.Signal == "":
		return beckon.Succeeded, nil
	default:
		return beckon.Failed, exit.Reason
	}
}

// endedByItself reports whether claude was not killed, nor failed within a
// turn: it has written down what it took.
func (run *agentRun) endedByItself(exit agent.Exit) bool {
	run.mu.Lock()
	defer run.mu.Unlock()
	return exit.Signal == "" && (exit.Code == 0 || run.rested)
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
