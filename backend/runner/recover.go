package runner

import (
	"context"
	"errors"

	"beckon/backend/beckon"
)

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

func (r *Runner) endLost(ctx context.Context, runID string) error {
	const reason = "Beckon or the machine stopped while it ran. Its work and session are kept."
	if err := r.Desk.Strand(ctx, runID, reason); err != nil {
		return err
	}
	_, err := r.Store.UpdateRun(ctx, runID, func(run *beckon.Run) error {
		run.Phase, run.Outcome, run.Reason, run.Ended = beckon.Ended, beckon.Lost, reason, beckon.Now()
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
	return r.settleTask(ctx, t, p, last)
}
