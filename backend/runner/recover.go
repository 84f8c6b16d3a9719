package runner

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/runner/outbox"
	"beckon/backend/store"
	"beckon/backend/transcript"
)

// recoverLost ends the runs that were alive when Beckon died, and orphans
// their questions. Then the cards are settled that are left in Running. It
// returns the lost runs.
func (r *Runner) recoverLost(ctx context.Context) (lost []beckon.Run, err error) {
	runs, err := r.Store.LiveRuns(ctx)
	if err != nil {
		return nil, err
	}
	troubles := make([]*reason.Reason, len(runs))
	err = store.EachTogether(ctx, len(runs), 32, func(ctx context.Context, i int) (err error) {
		troubles[i], err = r.settleLost(ctx, runs[i])
		return err
	})
	if err == nil { // else they are alive at the next start, which tries again
		err = store.EachTogether(ctx, len(runs), 32, func(ctx context.Context, i int) error { return r.endLost(ctx, runs[i].ID) })
	}
	if err != nil {
		return nil, err
	}
	logged("forget the ends of runs", r.Store.ForgetEnds()) // a death may have left some behind their rows
	if err := r.Cards.SettleLeft(ctx); err != nil {
		return nil, err
	}
	for i, trouble := range troubles {
		if trouble == nil {
			continue
		}
		if _, err := r.Cards.Update(ctx, runs[i].TaskID, func(t *beckon.Task) error { t.Trouble = trouble; return nil }); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// settleLost settles what was handed to the agent of a lost run. A transcript
// that cannot be read is put aside, so that it keeps nobody from starting
// Beckon; the card is to say so.
func (r *Runner) settleLost(ctx context.Context, run beckon.Run) (trouble *reason.Reason, err error) {
	if err = r.queues.SettleSent(ctx, run); !errors.Is(err, outbox.ErrUnreadable) {
		return nil, err
	}
	logged("read the transcript of a lost run", err, "run", run.ID)
	aside, err := transcript.SetAside(r.transcriptDir(), run.ID)
	if err != nil {
		return nil, err
	}
	trouble = reason.Of(reason.Unreadable, "run", strconv.Itoa(run.Number), "file", aside)
	return trouble, r.queues.SettleSent(ctx, run)
}

// bringLost resumes the tasks whose runs died with Beckon before they heard an
// answer; one may have succeeded, and its answers not be settled yet. What
// earlier runs left is removed by then, since it would go with theirs.
func (r *Runner) bringLost(ctx context.Context, runs []beckon.Run) error {
	for _, run := range runs {
		run, err := r.Store.Run(ctx, run.ID)
		if err != nil {
			return err
		}
		if slices.Contains([]beckon.Outcome{beckon.Lost, beckon.Failed, beckon.Succeeded}, run.Outcome) {
			r.background(func(ctx context.Context) { r.bring(ctx, run) })
		}
	}
	return nil
}

// endLost ends a run that the database takes for alive: as it did end, where
// that was kept before its row could be written.
func (r *Runner) endLost(ctx context.Context, runID string) error {
	if run, kept := r.Store.KeptEnd(runID); kept {
		return errors.Join(r.Desk.Orphan(ctx, runID, cmp.Or(run.Reason, reason.Of(reason.DidNotWait))), r.recordEnd(ctx, run))
	}
	why := reason.Of(reason.MachineStopped)
	if err := r.Desk.Orphan(ctx, runID, why); err != nil {
		return err
	}
	_, err := r.Store.UpdateRun(ctx, runID, func(run *beckon.Run) error {
		run.Phase, run.Outcome, run.Reason, run.Ended = beckon.Ended, beckon.Lost, why, beckon.Now()
		if run.Activity.Verb == beckon.Background {
			run.Reason = why.Because(endedWithIt(run.Activity.Target))
		}
		return nil
	})
	return err
}
