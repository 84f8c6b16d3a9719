package runner

import (
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/question"
)

// askInWords asks the user what the run's last turn ended with. The run waits for the answer,
// which begins the next turn of the same session, as that of a question whose agent is gone
// does; so the agent gets it once, also where it or Beckon dies meanwhile.
func (run *agentRun) askInWords(words string) {
	run.mu.Lock()
	if run.turn.asks != words || run.turn.question != "" || !run.rested || run.outcome != "" {
		run.mu.Unlock()
		return
	}
	id := beckon.NewID()
	run.turn.question = id
	unheard := run.unheard
	run.mu.Unlock()

	q := beckon.Question{ID: id, Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: words, Options: []beckon.Option{}}}}
	q.TaskID, q.RunID, q.Policy, q.WaitMs = run.task.ID, run.row.ID, run.policy(), run.task.WaitMs
	if unheard && q.Policy == beckon.Proceed {
		q.Policy = beckon.Park // an agent that only asks would go on like that for ever
	}
	q, err := run.r.Desk.Ask(run.ctx, q)
	switch {
	case err == nil && q.Settlement == beckon.Answered:
		run.r.DeliverAnswer(q, true)
	case err == nil:
		run.goOnUnheard(q)
	default:
		run.leaveUnasked(id, err)
	}
}

// goOnUnheard tells the agent that nobody answered.
func (run *agentRun) goOnUnheard(q beckon.Question) {
	run.mu.Lock()
	run.unheard = true
	run.mu.Unlock()
	ctx, cancel := run.shutdown()
	defer cancel()
	if err := run.out.Tell(ctx, q.Reason.String()); err != nil {
		run.leaveUnasked(q.ID, err)
	}
}

// leaveUnasked ends the wait for a question that nobody answers any more: the run ends as one
// whose turn asked nothing, unless it ends already, or another turn has begun.
func (run *agentRun) leaveUnasked(id string, err error) {
	run.mu.Lock()
	waits := run.turn.question == id && run.ctx.Err() == nil && run.outcome == ""
	if waits {
		run.turn.asks, run.turn.question = "", ""
	}
	run.mu.Unlock()
	if !waits {
		return
	}
	if !errors.Is(err, question.ErrGone) && !errors.Is(err, question.ErrFlood) {
		logged("ask what a turn ended with", err, "run", run.row.ID)
	}
	run.goOn()
}

// dropQuestion withdraws the question with which the last turn ended, since another begins.
// One that was answered stays so. The caller holds mu.
func (run *agentRun) dropQuestion() {
	id := run.turn.question
	if id == "" {
		return
	}
	run.turn.asks, run.turn.question = "", ""
	run.asks.Go(func() {
		ctx, cancel := run.shutdown()
		defer cancel()
		if err := run.r.Desk.Withdraw(ctx, id, reason.Of(reason.AskedNoMore)); !errors.Is(err, beckon.ErrConflict) {
			logged("withdraw a question", err, "run", run.row.ID)
		}
	})
}
