package runner

import (
	"context"
	"errors"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/runner/outbox"
)

// Park ends the run of a question that nobody answered in time. Its card goes
// to review, as that of any run that ended before its work did, and so frees
// its slot; the question waits on, and its answer resumes the session.
func (r *Runner) Park(q beckon.Question) {
	if run := r.runOf(q.TaskID, q.RunID); run != nil {
		run.end(beckon.Parked, q.Reason)
	}
}

// DeliverAnswer brings an answer that nobody waits for to the agent: as a message
// where one lives that has the session, else by a run that resumes it, or,
// where resume is false, with the next run. Until claude has taken it the
// answer is recorded as not delivered, and every run begins with those.
func (r *Runner) DeliverAnswer(q beckon.Question, resume bool) {
	if q.TaskID != "" {
		r.background(func(ctx context.Context) {
			logged("deliver an answer", r.deliverAnswer(ctx, q, resume), "question", q.ID)
		})
	}
}

func (r *Runner) deliverAnswer(ctx context.Context, q beckon.Question, resume bool) error {
	r.allowAlways(ctx, q)
	row, err := r.Store.Run(ctx, q.RunID)
	if err != nil {
		return err
	}
	for {
		run := r.liveRun(q.TaskID)
		switch {
		case run == nil && resume:
			return r.resume(ctx, q.TaskID, row.Kind)
		case run == nil || run.kind() != row.Kind && !resume:
			return nil
		case run.kind() == row.Kind && run.out.Deliver(ctx, q.ID) == nil:
			return nil
		}
		select { // it is about to end, or of another kind, whose end is waited for
		case <-run.ended:
		case <-ctx.Done():
			return nil
		}
		if q, err = r.Store.Question(ctx, q.ID); err != nil || q.Delivered != 0 {
			return err
		}
	}
}

// resume begins the run that answers are waiting for. Where none can begin
// the card says so; the answers keep.
func (r *Runner) resume(ctx context.Context, taskID string, kind beckon.RunKind) error {
	err := r.startAgain(ctx, taskID, kind)
	if err == nil || errors.Is(err, errClosing) || r.liveRun(taskID) != nil {
		return nil // the run that somebody else began takes the answers along
	}
	trouble := reason.Of(reason.NotResumed).Because(beckon.ReasonOf(err))
	_, err = r.Cards.Update(ctx, taskID, func(t *beckon.Task) error { t.Trouble = trouble; return nil })
	return err
}

func (r *Runner) startAgain(ctx context.Context, taskID string, kind beckon.RunKind) error {
	if kind == beckon.ChatRun {
		_, err := r.StartInteractive(ctx, taskID)
		return err
	}
	t, err := r.Store.Task(ctx, taskID)
	if err != nil {
		return err
	}
	if err := t.Move(beckon.Running); err != nil {
		return err
	}
	_, err = r.begin(ctx, taskID, placement{})
	return err
}

// bringOwed resumes a task whose agent died before it heard an answer that its
// user had just given, as the answer to a question of a dead agent does. ended
// is closed when the task's place is free.
func (r *Runner) bringOwed(run beckon.Run, ended <-chan struct{}) {
	if run.Outcome != beckon.Failed && run.Outcome != beckon.Lost {
		return
	}
	r.background(func(ctx context.Context) {
		select {
		case <-ended:
			r.bring(ctx, run)
		case <-ctx.Done():
		}
	})
}

// bring settles the answers that a run's agent heard, and resumes its task
// where there are others. Those of earlier runs wait: else an agent that dies at
// once would be resumed forever.
func (r *Runner) bring(ctx context.Context, run beckon.Run) {
	list, err := r.queues.Owing(ctx, run.TaskID, run.Kind)
	logged("look for answers that were not heard", err, "run", run.ID)
	if slices.ContainsFunc(list, func(q outbox.Owed) bool { return q.RunID == run.ID }) {
		logged("resume for an answer", r.resume(ctx, run.TaskID, run.Kind), "run", run.ID)
	}
}
