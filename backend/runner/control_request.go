package runner

import (
	"context"
	"encoding/json"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/question"
)

// hearRequest carries a request of claude's to the desk, in a goroutine of its
// own: whoever reads the stream never waits for a person.
func (l *live) hearRequest(raw []byte) {
	m, err := claude.DecodeMessage(raw)
	if err != nil || m.Request == nil {
		logged("read a control request", err, "run", l.run.ID)
		return
	}
	req := *m.Request
	if req.Subtype != claude.CanUseTool && req.Subtype != claude.Elicitation {
		logged("refuse a control request", l.proc.RefuseControl(req.ID, "Beckon does not know "+req.Subtype), "run", l.run.ID)
		return
	}
	ctx, cancel := context.WithCancelCause(l.ctx)
	l.mu.Lock()
	l.waiting[req.ID] = cancel
	l.mu.Unlock()
	l.asks.Go(func() {
		defer cancel(nil)
		l.permit(ctx, req)
		l.mu.Lock()
		delete(l.waiting, req.ID)
		l.mu.Unlock()
	})
}

// hearCancel ends the wait of a request that claude took back.
func (l *live) hearCancel(raw []byte) {
	m, err := claude.DecodeMessage(raw)
	logged("read a cancelled request", err, "run", l.run.ID)
	l.mu.Lock()
	defer l.mu.Unlock()
	if cancel := l.waiting[m.RequestID]; cancel != nil {
		cancel(errors.New("Claude does not wait for it any more."))
	}
}

// permit asks the user what claude wants to know, and tells it the answer.
func (l *live) permit(ctx context.Context, req claude.Request) {
	if l.takeGrant(req) {
		logged("allow what was allowed", l.proc.Decide(req.ID, claude.Allow{UpdatedInput: req.Input}), "run", l.run.ID)
		return
	}
	q, err := l.r.Desk.Ask(ctx, l.questionOf(req))
	switch {
	case err == nil && ctx.Err() != nil && q.Settlement == beckon.Answered:
		l.r.Carry(q, true) // claude took the request back in that very moment
	case err == nil:
		l.tellAnswer(ctx, req, q)
	case ctx.Err() == nil && !errors.Is(err, question.ErrGone): // the desk failed, not the asker
		if !errors.Is(err, question.ErrFlood) { // of which the desk tells once
			logged("ask", err, "run", l.run.ID)
		}
		q.Settlement, q.Reason = beckon.Expired, "Beckon could not show the question: "+err.Error()
		logged("refuse", l.reply(req, q), "run", l.run.ID)
	}
}

// tellAnswer hands claude what settled its request.
func (l *live) tellAnswer(ctx context.Context, req claude.Request, q beckon.Question) {
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
func (l *live) reply(req claude.Request, q beckon.Question) error {
	if req.Subtype == claude.Elicitation {
		action, content := elicited(q)
		return l.proc.Elicit(req.ID, action, content)
	}
	d, err := l.decision(req, q)
	if err != nil {
		d = deny("Beckon could not pass the answer on: " + err.Error())
	}
	return l.proc.Decide(req.ID, d)
}

// elicited returns an elicitation's answer as the protocol has it.
func elicited(q beckon.Question) (action string, content map[string]any) {
	switch {
	case q.Settlement != beckon.Answered || q.Answer.Verdict == beckon.Skip:
		return "cancel", nil
	case q.Answer.Verdict == beckon.Deny:
		return "decline", nil
	}
	content = map[string]any{}
	if q.Answer.Content != "" && json.Unmarshal([]byte(q.Answer.Content), &content) != nil {
		return "cancel", nil // the desk took it for an object, so it is one
	}
	return "accept", content
}

// questionOf returns the question that a request puts.
func (l *live) questionOf(req claude.Request) beckon.Question {
	q := beckon.Question{
		TaskID: l.task.ID, RunID: l.run.ID, ToolUseID: req.ToolUseID, Agent: l.agentOf(req.AgentID),
		Items: []beckon.QuestionItem{}, Policy: l.policy(), WaitMs: l.task.WaitMs,
	}
	if req.Subtype == claude.Elicitation {
		q.Kind, q.Form, q.Origin = beckon.Elicitation, string(req.Schema), req.Server
		_ = json.Unmarshal(req.Message, &q.Message) // one that is no text is not shown
		return q
	}
	switch req.ToolName {
	case claude.AskTool:
		ask, err := claude.DecodeAsk(req.Input)
		if err != nil {
			break // shown as a permission, with what it holds
		}
		q.Kind, q.Items = beckon.Ask, itemsOf(ask)
		return q
	case claude.PlanTool:
		plan, err := claude.DecodePlan(req.Input)
		if err != nil {
			break
		}
		q.Kind, q.Plan = beckon.Plan, plan.Plan
		return q
	}
	q.Kind, q.Permission = beckon.Permission, wishOf(req)
	return q
}

func itemsOf(ask claude.AskInput) []beckon.QuestionItem {
	items := make([]beckon.QuestionItem, 0, len(ask.Questions))
	for _, item := range ask.Questions {
		items = append(items, itemOf(item))
	}
	return items
}

func itemOf(item claude.AskQuestion) beckon.QuestionItem {
	options := make([]beckon.Option, 0, len(item.Options))
	for _, o := range item.Options {
		options = append(options, beckon.Option{Label: o.Label, Description: o.Description, Preview: o.Preview})
	}
	return beckon.QuestionItem{Header: item.Header, Text: item.Question, Options: options, Multiple: item.MultiSelect}
}
