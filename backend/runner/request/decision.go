package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

func deny(message string) claude.Decision { return claude.Deny{Message: message} }

// decision turns a settled question into what claude is told.
func (l *live) decision(req claude.Request, q beckon.Question) (claude.Decision, error) {
	switch {
	case q.Settlement == beckon.Expired:
		return deny(q.Reason), nil
	case q.Settlement != beckon.Answered:
		return nil, fmt.Errorf("the question was %s", q.Settlement)
	case q.Answer.Verdict == beckon.Skip:
		return deny(denialWords(q)), nil
	case q.Kind == beckon.Ask:
		return answered(req, q)
	case q.Answer.Verdict == beckon.Deny:
		return deny(denialWords(q)), nil
	case q.Kind == beckon.Plan:
		return l.approved(req, *q.Answer)
	case q.Answer.Verdict == beckon.AllowAlways:
		return claude.Allow{UpdatedInput: req.Input, UpdatedPermissions: inSession(req.Suggestions)}, nil
	default:
		return claude.Allow{UpdatedInput: req.Input}, nil
	}
}

// denialWords is what an agent reads whose call the user denied or passed over.
func denialWords(q beckon.Question) string {
	if q.Answer.Verdict == beckon.Skip {
		return q.AnswerText()
	}
	return or(q.Answer.Text, "The user does not allow this. Find another way, or ask what to do.")
}

// approved lets a plan be carried out, as the user edited it.
func (l *live) approved(req claude.Request, a beckon.Answer) (claude.Decision, error) {
	input, err := claude.EditPlan(req.Input, a.Plan)
	if err != nil {
		return nil, err
	}
	mode := claude.SetMode(string(l.modeAfterPlan(a)))
	return claude.Allow{UpdatedInput: input, UpdatedPermissions: []json.RawMessage{mode}}, nil
}

// modeAfterPlan is what an approved plan is carried out in where the user does
// not say: without a mode the CLI would ask about each edit.
func (l *live) modeAfterPlan(a beckon.Answer) beckon.PermissionMode {
	if a.Mode == "" && l.task.Mode == beckon.ModeAuto {
		return beckon.ModeAuto
	}
	return or(a.Mode, beckon.ModeAcceptEdits)
}

// answered tells claude the answers to an AskUserQuestion.
func answered(req claude.Request, q beckon.Question) (claude.Decision, error) {
	ask, err := claude.DecodeAsk(req.Input)
	if err != nil {
		return nil, err
	}
	asked := q.AsAsked(itemsOf(ask)).Answer.Items
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

// allowAlways gives the project the rules of a permission that the user
// allowed for all its runs: they begin with them.
func (r *Runner) allowAlways(ctx context.Context, q beckon.Question) {
	if q.Answer == nil || !q.Answer.Project || q.Permission == nil {
		return
	}
	t, err := r.Store.Task(ctx, q.TaskID)
	if err == nil {
		err = r.allowInProject(ctx, t.ProjectID, q.Permission.Lasting)
	}
	logged("allow for the project", err, "question", q.ID)
}

func (r *Runner) allowInProject(ctx context.Context, projectID string, rules []string) error {
	p, err := r.Store.UpdateProject(ctx, projectID, func(p *beckon.Project) error {
		p.Allowed = soundRules(p.Allowed)
		for _, rule := range rules {
			if !slices.Contains(p.Allowed, rule) {
				p.Allowed = append(p.Allowed, rule)
			}
		}
		return checkAllowed(p.Allowed)
	})
	if err == nil {
		r.publishProject(ctx, p)
	}
	return err
}
