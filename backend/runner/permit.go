package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/claude"
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
	if req.Subtype != claude.CanUseTool {
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

// hearCancel withdraws the question of a request that claude took back.
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
	q := l.questionOf(req)
	q, err := l.r.Desk.Ask(ctx, q)
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, beckon.ErrConflict) { // the desk failed, not the asker
			logged("ask", err, "run", l.run.ID)
			logged("refuse", l.proc.Decide(req.ID, deny("Beckon could not show the question: "+err.Error())), "run", l.run.ID)
		}
		return
	}
	d, err := decision(req, q)
	if err != nil {
		d = deny("Beckon could not pass the answer on: " + err.Error())
	}
	if err := l.proc.Decide(req.ID, d); err != nil {
		logged("pass an answer on", err, "run", l.run.ID, "question", q.ID)
		return
	}
	if q.Settlement == beckon.Answered {
		logged("note a delivery", l.r.Desk.Delivered(context.WithoutCancel(ctx), q.ID), "question", q.ID)
	}
}

// questionOf returns the question that a request puts.
func (l *live) questionOf(req claude.Request) beckon.Question {
	q := beckon.Question{
		TaskID: l.task.ID, RunID: l.run.ID, ToolUseID: req.ToolUseID, Agent: req.AgentID,
		Items: []beckon.QuestionItem{}, Policy: l.policy(), WaitMs: l.task.WaitMs,
	}
	switch req.ToolName {
	case claude.AskTool:
		ask, err := claude.DecodeAsk(req.Input)
		if err != nil {
			break // shown as a permission, with what it holds
		}
		q.Kind = beckon.Ask
		for _, item := range ask.Questions {
			q.Items = append(q.Items, itemOf(item))
		}
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

func itemOf(item claude.AskQuestion) beckon.QuestionItem {
	options := make([]beckon.Option, 0, len(item.Options))
	for _, o := range item.Options {
		options = append(options, beckon.Option{Label: o.Label, Description: o.Description, Preview: o.Preview})
	}
	return beckon.QuestionItem{Header: item.Header, Text: item.Question, Options: options, Multiple: item.MultiSelect}
}

func deny(message string) claude.Decision { return claude.Deny{Message: message} }

// decision turns a settled question into what claude is told.
func decision(req claude.Request, q beckon.Question) (claude.Decision, error) {
	switch {
	case q.Settlement == beckon.Expired:
		return deny(q.Reason), nil
	case q.Settlement != beckon.Answered:
		return nil, fmt.Errorf("the question was %s", q.Settlement)
	case q.Kind == beckon.Ask:
		return answered(req, q)
	case q.Answer.Verdict == beckon.Deny:
		return deny(or(q.Answer.Text, "The user does not allow this. Find another way, or ask what to do.")), nil
	case q.Kind == beckon.Plan:
		return claude.Allow{UpdatedInput: req.Input, UpdatedPermissions: []json.RawMessage{toAcceptEdits}}, nil
	case q.Answer.Verdict == beckon.AllowAlways:
		return claude.Allow{UpdatedInput: req.Input, UpdatedPermissions: inSession(req.Suggestions)}, nil
	default:
		return claude.Allow{UpdatedInput: req.Input}, nil
	}
}

// toAcceptEdits is the mode that an approved plan is carried out in: without
// it the CLI would ask about each edit.
var toAcceptEdits = claude.SetMode(string(beckon.ModeAcceptEdits))

// answered tells claude the answers to an AskUserQuestion.
func answered(req claude.Request, q beckon.Question) (claude.Decision, error) {
	ask, err := claude.DecodeAsk(req.Input)
	if err != nil {
		return nil, err
	}
	answers := make([]claude.AskAnswer, 0, len(q.Answer.Items))
	for _, a := range q.Answer.Items {
		answers = append(answers, claude.AskAnswer{Labels: a.Labels, Other: a.Other})
	}
	return claude.Allow{UpdatedInput: ask.Answered(answers)}, nil
}

// inSession keeps what is always allowed to this session: a rule written into
// the worktree would be void while the CLI does not trust the folder, and
// would end up in the commit.
func inSession(suggestions []json.RawMessage) []json.RawMessage {
	kept := make([]json.RawMessage, 0, len(suggestions))
	for _, raw := range suggestions {
		if p, err := claude.DecodePermission(raw); err == nil {
			kept = append(kept, p.InSession())
		}
	}
	return kept
}
