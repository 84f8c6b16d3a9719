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
func (l *agentRun) handleRequest(req agent.Request) {
	ctx, done := l.requests.open(l.ctx, req.ID)
	if !l.asks.Go(func() {
		defer done()
		l.answerRequest(ctx, req)
	}) {
		done()
	}
}

// handleToolMessage has Beckon's tools answer what the agent says to them.
func (l *agentRun) handleToolMessage(m agent.ToolMessage) {
	answer := l.tools.Receive(l.ctx, m.Message)
	l.asks.Go(func() {
		err := answer(func(reply json.RawMessage) error { return l.proc.AnswerTool(m.RequestID, reply) })
		if !errors.Is(err, agent.ErrEnded) { // of whom the outbox knows what it is owed
			logged("answer a tool's call", err, "run", l.run.ID)
		}
	})
}

// answerRequest asks the user what claude wants to know, and tells it the answer.
func (l *agentRun) answerRequest(ctx context.Context, req agent.Request) {
	if l.out.TakeGrant(req.Question.Permission) {
		logged("allow what was allowed", l.proc.Allow(req), "run", l.run.ID)
		return
	}
	q, err := l.r.Desk.Ask(ctx, l.questionOf(req))
	switch {
	case err == nil && ctx.Err() != nil && q.Settlement == beckon.Answered:
		l.r.DeliverAnswer(q, true) // claude took the request back in that very moment
	case err == nil:
		l.passAnswer(ctx, req, q)
	case ctx.Err() == nil && !errors.Is(err, question.ErrGone): // the desk failed, not the asker
		if !errors.Is(err, question.ErrFlood) { // of which the desk tells once
			logged("ask", err, "run", l.run.ID)
		}
		q.Settlement, q.Reason = beckon.Expired, reason.Of(reason.NotShown).Because(beckon.ReasonOf(err))
		logged("refuse", l.reply(req, q), "run", l.run.ID)
	}
}

// passAnswer hands claude what settled its request.
func (l *agentRun) passAnswer(ctx context.Context, req agent.Request, q beckon.Question) {
	ctx = context.WithoutCancel(ctx)
	l.r.allowAlways(ctx, q)
	if err := l.reply(req, q); err != nil {
		logged("pass an answer on", err, "run", l.run.ID, "question", q.ID)
		return
	}
	if q.Settlement == beckon.Answered && q.Proof == "" {
		logged("note a delivery", l.r.Desk.Delivered(ctx, q.ID), "question", q.ID)
	}
}

// reply writes the answer to a request.
func (l *agentRun) reply(req agent.Request, q beckon.Question) error {
	return l.proc.Reply(req, q, l.modeAfterPlan(q.Answer))
}

// questionOf returns the question that a request puts.
func (l *agentRun) questionOf(req agent.Request) beckon.Question {
	q := req.Question
	q.TaskID, q.RunID, q.Agent = l.task.ID, l.run.ID, l.agentOf(req.AgentID)
	q.Policy, q.WaitMs = l.policy(), l.task.WaitMs
	return q
}

// modeAfterPlan is what an approved plan is carried out in where the user does
// not say: without a mode the CLI would ask about each edit.
func (l *agentRun) modeAfterPlan(a *beckon.Answer) beckon.PermissionMode {
	switch {
	case a != nil && a.Mode != "":
		return a.Mode
	case l.task.Mode == beckon.ModeAuto:
		return beckon.ModeAuto
	}
	return beckon.ModeAcceptEdits
}
