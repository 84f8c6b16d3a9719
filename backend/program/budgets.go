package program

import (
	"context"
	"errors"
	"log/slog"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
	"beckon/backend/budget"
	"beckon/backend/language"
)

// budgeting joins the budgets to what they need.
func (p *program) budgeting() budget.Config {
	return budget.Config{
		Store: p.store, Desk: p.questions, Publish: p.publish, Resume: p.resumeRaised,
		GoOn: func() { p.runner.GoOn() },
		Language: func() string {
			s, err := p.store.Settings.Load(context.Background())
			if err != nil {
				slog.Error("read the language", "err", err)
			}
			return language.Choose(s.Language)
		},
	}
}

// deliverAnswer brings an answer that nobody waits for to who asked.
func (p *program) deliverAnswer(q beckon.Question, resume bool) {
	if !p.budgets.Answered(q) {
		p.runner.DeliverAnswer(q, resume)
	}
}

// onQuota keeps what an agent says of its plan's quota.
func (p *program) onQuota(run beckon.Run, q agent.QuotaIs) {
	p.budgets.SetQuota(context.Background(), spending.Window{
		Agent: run.Agent, Executor: run.Executor, Kind: q.Window, Percent: q.Percent, Resets: q.Resets, Refused: q.Refused,
	})
}

// resumeRaised has a task go on whose budget was raised. Where it cannot, its card says why.
func (p *program) resumeRaised(taskID, runID string) {
	ctx := context.Background()
	err := p.resumeTask(ctx, taskID, runID)
	if err == nil || errors.Is(err, beckon.ErrConflict) || errors.Is(err, beckon.ErrNotFound) {
		return // somebody else began it, or took it away
	}
	why := reason.Of(reason.NotResumed).Because(beckon.ReasonOf(err))
	if _, err := p.board.Update(ctx, taskID, func(t *beckon.Task) error { t.Trouble = why; return nil }); err != nil {
		slog.Error("say why a task does not go on", "err", err, "task", taskID)
	}
}

func (p *program) resumeTask(ctx context.Context, taskID, runID string) error {
	if err := p.runner.AwaitEnd(ctx, taskID); err != nil {
		return err
	}
	t, err := p.store.Task(ctx, taskID)
	if err != nil {
		return err
	}
	runs, err := p.store.Runs(ctx, taskID)
	if err != nil || len(runs) == 0 || runs[len(runs)-1].ID != runID { // it went on since
		return err
	}
	run := runs[len(runs)-1]
	_, waits, err := p.store.NextMessage(ctx, t.ID)
	switch {
	case err != nil || t.Status == beckon.Queued: // the queue begins it
		return err
	case run.Outcome == beckon.Succeeded && !waits: // its last turn left nothing to go on with
		return nil
	case run.Kind == beckon.ChatRun:
		_, err = p.runner.StartInteractive(ctx, t.ID)
	default:
		_, err = p.runner.Start(ctx, t.ID, 0)
	}
	return err
}
