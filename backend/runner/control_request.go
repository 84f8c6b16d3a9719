package runner

import (
	"context"
	"encoding/json"
	"errors"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/question"
)

// handleRequest carries a request of the agent's to the desk, in a goroutine of its
// own: the reader of the stream never waits for a person.
func (run *agentRun) handleRequest(req agent.Request) {
	ctx, done := run.requests.Open(run.ctx, req.ID)
	if !run.asks.Go(func() {
		defer done()
		run.answerRequest(ctx, req)
	}) {
		done()
	}
}

// handleToolMessage has Beckon's tools answer what the agent says to them.
func (run *agentRun) handleToolMessage(m agent.ToolMessage) {
	answer := run.tools.Receive(run.ctx, m.Message)
	run.asks.Go(func() {
		err := answer(func(reply json.RawMessage) error { return run.proc.AnswerTool(m.RequestID, reply) })
		if !errors.Is(err, agent.ErrEnded) { // of whom the outbox knows what it is owed
			logged("answer a tool's call", err, "run", run.row.ID)
		}
	})
}

// answerRequest asks the user what claude wants to know, and tells it the answer.
func (run *agentRun) answerRequest(ctx context.Context, req agent.Request) {
	if run.out.TakeGrant(req.Question.Permission) {
		logged("allow what was allowed", run.proc.Allow(req), "run", run.row.ID)
		return
	}
	q, err := run.r.Desk.Ask(ctx, run.questionOf(req))
	switch {
	case err == nil && ctx.Err() != nil && q.Settlement == beckon.Answered:
		run.r.DeliverAnswer(q, true) // claude took the request back in that very moment
	case err == nil:
		run.passAnswer(ctx, req, q)
	case ctx.Err() == nil && !errors.Is(err, question.ErrGone): // the desk failed, not the asker
		if !errors.Is(err, question.ErrFlood) { // of which the desk tells once
			logged("ask", err, "run", run.row.ID)
		}
		q.Settlement, q.Reason = beckon.Expired, reason.Of(reason.NotShown).Because(beckon.ReasonOf(err))
		logged("refuse", run.reply(req, q), "run", run.row.ID)
	}
}

// passAnswer hands claude what settled its request.
func (run *agentRun) passAnswer(ctx context.Context, req agent.Request, q beckon.Question) {
	ctx = context.WithoutCancel(ctx)
	run.r.allowAlways(ctx, q)
	if err := run.reply(req, q); err != nil {
		logged("pass an answer on", err, "run", run.row.ID, "question", q.ID)
		return
	}
	if q.Settlement == beckon.Answered && q.Proof == "" {
		logged("note a delivery", run.r.Desk.Delivered(ctx, q.ID), "question", q.ID)
	}
}

// reply writes the answer to a request.
func (run *agentRun) reply(req agent.Request, q beckon.Question) error {
	return run.proc.Reply(req, q, run.modeAfterPlan(q.Answer))
}

// questionOf returns the question that a request puts.
func (run *agentRun) questionOf(req agent.Request) beckon.Question {
	q := req.Question
	q.TaskID, q.RunID, q.Agent = run.task.ID, run.row.ID, run.agentOf(req.AgentID)
	q.Policy, q.WaitMs = run.policy(), run.task.WaitMs
	return q
}

// modeAfterPlan is what an approved plan is carried out in where the user does
// not say: without a mode the CLI would ask about each edit.
func (run *agentRun) modeAfterPlan(a *beckon.Answer) beckon.PermissionMode {
	switch {
	case a != nil && a.Mode != "":
		return a.Mode
	case run.task.Mode == beckon.ModeAuto:
		return beckon.ModeAuto
	}
	return beckon.ModeAcceptEdits
}
