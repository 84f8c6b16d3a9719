package request

import (
	"encoding/json"
	"fmt"

	"beckon/backend/agent/claude"
	"beckon/backend/answer"
	"beckon/backend/beckon"
)

// Decide turns a settled question into the decision that claude gets. An
// approved plan is carried out in that mode.
func Decide(req claude.Request, q beckon.Question, afterPlan beckon.PermissionMode) (claude.Decision, error) {
	switch {
	case q.Settlement == beckon.Expired:
		return claude.Deny{Message: q.Reason.String()}, nil
	case q.Settlement != beckon.Answered:
		return nil, fmt.Errorf("the question was %s", q.Settlement)
	case q.Answer.Verdict == beckon.Skip:
		return claude.Deny{Message: answer.Denial(q)}, nil
	case q.Kind == beckon.Ask:
		return answered(req, q)
	case q.Answer.Verdict == beckon.Deny:
		return claude.Deny{Message: answer.Denial(q)}, nil
	case q.Kind == beckon.Plan:
		return approved(req, *q.Answer, afterPlan)
	case q.Answer.Verdict == beckon.AllowAlways:
		return claude.Allow{UpdatedInput: req.Input, UpdatedPermissions: inSession(offered(req.Suggestions))}, nil
	default:
		return claude.Allow{UpdatedInput: req.Input}, nil
	}
}

// approved lets a plan be carried out, as the user edited it.
func approved(req claude.Request, a beckon.Answer, mode beckon.PermissionMode) (claude.Decision, error) {
	input, err := claude.EditPlan(req.Input, a.Plan)
	if err != nil {
		return nil, err
	}
	return claude.Allow{UpdatedInput: input, UpdatedPermissions: []json.RawMessage{claude.SetMode(string(mode))}}, nil
}

// answered tells claude the answers to an AskUserQuestion.
func answered(req claude.Request, q beckon.Question) (claude.Decision, error) {
	ask, err := claude.DecodeAsk(req.Input)
	if err != nil {
		return nil, err
	}
	asked := answer.AsAsked(q, itemsOf(ask)).Answer.Items
	answers := make([]claude.AskAnswer, 0, len(asked))
	for _, a := range asked {
		answers = append(answers, claude.AskAnswer{Labels: a.Labels, Other: a.Other, Notes: a.Note})
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

// Elicited returns an elicitation's answer as the protocol has it.
func Elicited(q beckon.Question) (action string, content map[string]any) {
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
