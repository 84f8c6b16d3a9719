package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"beckon/backend/beckon"
)

// settleIn is how long git may take for a task that an earlier Beckon left
// behind; Beckon starts only then.
const settleIn = time.Minute

// recoverLost ends the runs that were alive when Beckon died, and strands
// their questions. Then it settles every task that still stands in running:
// Beckon may have died just after a run, before its work was committed.
func (r *Runner) recoverLost(ctx context.Context) error {
	runs, err := r.Store.LiveRuns(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if err := errors.Join(r.settleSent(ctx, run), r.endLost(ctx, run.ID)); err != nil {
			return err
		}
	}
	tasks, err := r.Store.Tasks(ctx)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if t.Status != beckon.Running {
			continue
		}
		if err := r.settleLeft(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// endLost ends a run that the database takes for alive: as it did end, where
// that was kept because the disk was full.
func (r *Runner) endLost(ctx context.Context, runID string) error {
	if run, kept := r.Store.KeptEnd(runID); kept {
		return errors.Join(r.Desk.Strand(ctx, runID, or(run.Reason, "Its agent ended without waiting for the answer.")), r.recordEnd(ctx, run))
	}
	const reason = "Beckon or the machine stopped while it ran. Its work and session are kept."
	if err := r.Desk.Strand(ctx, runID, reason); err != nil {
		return err
	}
	_, err := r.Store.UpdateRun(ctx, runID, func(run *beckon.Run) error {
		run.Phase, run.Outcome, run.Reason, run.Ended = beckon.Ended, beckon.Lost, reason, beckon.Now()
		if run.Activity.Verb == beckon.Background {
			run.Reason += "\n" + endedWithIt + run.Activity.Target
		}
		return nil
	})
	return err
}

// settleLeft settles a task as the end of its last task run would have.
func (r *Runner) settleLeft(ctx context.Context, t beckon.Task) error {
	p, err := r.Store.Project(ctx, t.ProjectID)
	if err != nil {
		return err
	}
	runs, err := r.Store.Runs(ctx, t.ID)
	if err != nil {
		return err
	}
	last := beckon.Run{Kind: beckon.TaskRun, Outcome: beckon.Lost} // killed before there was a row
	for _, run := range runs {
		if run.Kind == beckon.TaskRun {
			last = run
		}
	}
	git, cancel := context.WithTimeoutCause(ctx, settleIn, fmt.Errorf("git did not finish within %s", settleIn))
	defer cancel()
	return r.settleTask(ctx, t.ID, last, r.saveWork(git, t, p, last))
}
