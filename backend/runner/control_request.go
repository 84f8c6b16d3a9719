package runner

import (
	"context"
	"encoding/json"
	"errors"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/request"
	"beckon/backend/beckon"
	"beckon/backend/question"
)

// handleControlRequest carries a request of claude's to the desk, in a goroutine of its
// own: the reader of the stream never waits for a person.
func (l *agentRun) handleControlRequest(line *claude.Line) {
	m, err := line.Message()
	if err != nil || m.Request == nil {
		logged("read a control request", err, "run", l.run.ID)
		return
	}
	req := *m.Request
	if req.Subtype == claude.MCPMessage && req.ToolServer == toolServer {
		l.handleToolMessage(req)
		return
	}
	if req.Subtype != claude.CanUseTool && req.Subtype != claude.Elicitation {
		logged("refuse a control request", l.proc.RefuseControl(req.ID, "Beckon does not know "+req.Subtype), "run", l.run.ID)
		return
	}
	ctx, done := l.requests.open(l.ctx, req.ID)
	if !l.asks.Go(func() {
		defer done()
		l.answerRequest(ctx, req)
	}) {
		done()
	}
}

// handleToolMessage has Beckon's tools answer what claude says to them.
func (l *agentRun) handleToolMessage(req claude.Request) {
	answer := l.tools.Receive(l.ctx, req.Message)
	l.asks.Go(func() {
		err := answer(func(reply json.RawMessage) error { return l.proc.AnswerTool(req.ID, reply) })
		if !errors.Is(err, cli.ErrEnded) { // of whom the outbox knows what it is owed
			logged("answer a tool's call", err, "run", l.run.ID)
		}
	})
}

// handleCancelRequest ends the wait of a request that claude took back.
func (l *agentRun) handleCancelRequest(line *claude.Line) {
	m, err := line.Message()
	logged("read a cancelled request", err, "run", l.run.ID)
	l.requests.cancel(m.RequestID, errors.New("Claude does not wait for it any more."))
}

// answerRequest asks the user what claude wants to know, and tells it the answer.
func (l *agentRun) answerRequest(ctx context.Context, req claude.Request) {
	if l.out.TakeGrant(req) {
		logged("allow what was allowed", l.proc.Decide(req.ID, claude.Allow{UpdatedInput: req.Input}), "run", l.run.ID)
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
		q.Settlement, q.Reason = beckon.Expired, "Beckon could not show the question: "+beckon.Words(err)
		logged("refuse", l.reply(req, q), "run", l.run.ID)
	}
}

// passAnswer hands claude what settled its request.
func (l *agentRun) passAnswer(ctx context.Context, req claude.Request, q beckon.Question) {
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

// reply writes the answer to a request, in the form that its kind has.
func (l *agentRun) reply(req claude.Request, q beckon.Question) error {
	if req.Subtype == claude.Elicitation {
		action, content := request.Elicited(q)
		return l.proc.Elicit(req.ID, action, content)
	}
	d, err := request.Decide(req, q, l.modeAfterPlan(q.Answer))
	if err != nil {
		d = claude.Deny{Message: "Beckon could not pass the answer on: " + err.Error()}
	}
	return l.proc.Decide(req.ID, d)
}

// questionOf returns the question that a request puts.
func (l *agentRun) questionOf(req claude.Request) beckon.Question {
	q := request.Question(req)
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
