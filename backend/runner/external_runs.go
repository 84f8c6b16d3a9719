package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// BeginExternalRun gives a program outside Beckon a run to ask under, until end
// is called; session is Claude Code's own id of one, or empty. It has no task and no
// process of ours, so nothing can be resumed: what it leaves open is closed with it.
func (r *Runner) BeginExternalRun(ctx context.Context, session string) (runID string, end func(), err error) {
	run := beckon.Run{Kind: beckon.ExternalRun, Session: session}
	if err := r.Store.AddRun(ctx, &run); err != nil {
		return "", nil, fmt.Errorf("record an external run: %w", err)
	}
	return run.ID, func() {
		// Its request is over, and it is to be recorded all the same.
		record := func(ctx context.Context) error { return r.endExternalRun(ctx, run.ID, beckon.Succeeded, nil) }
		if err := r.disk.Once(record); err != nil {
			logged("record the end of an external run", err, "run", run.ID)
			r.background(func(context.Context) { r.disk.Insist("record the end of an external run", run.ID, record) })
		}
	}, nil
}

// whyLost is why a question of an external run was closed. A session elsewhere asks it
// in its terminal and is seen again; another program has its agent ask again.
func whyLost(run beckon.Run) *reason.Reason {
	if run.Session != "" {
		return reason.Of(reason.LostElsewhere)
	}
	return reason.Of(reason.LostOutside)
}

// endLostExternalRuns ends what programs outside had of an earlier Beckon that died.
func (r *Runner) endLostExternalRuns(ctx context.Context) error {
	runs, err := r.Store.LiveRuns(ctx)
	for _, run := range runs {
		if run.Kind == beckon.ExternalRun {
			err = errors.Join(err, r.endExternalRun(ctx, run.ID, beckon.Lost, whyLost(run)))
		}
	}
	return err
}

// endExternalRun ends an external run and closes what it still asks.
func (r *Runner) endExternalRun(ctx context.Context, id string, outcome beckon.Outcome, why *reason.Reason) error {
	waiting, err := r.Store.OpenQuestions(ctx)
	if err != nil {
		return err
	}
	for _, q := range waiting {
		if q.RunID != id {
			continue
		}
		if err := r.Desk.Withdraw(ctx, q.ID, cmp.Or(why, reason.Of(reason.ProgramGone))); err != nil && !errors.Is(err, beckon.ErrConflict) {
			return err
		}
	}
	_, err = r.Store.UpdateRun(ctx, id, func(run *beckon.Run) error {
		run.Outcome, run.Reason, run.Ended = outcome, why, beckon.Now()
		return nil
	})
	return err
}
