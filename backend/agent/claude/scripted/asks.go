package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/agent/claude"
)

// gated returns a call that the host must allow first; do is then told what
// the host said.
func (t *turn) gated(name string, input any, extra []any, do func(ctx context.Context, d decision) outcome) (call, error) {
	raw := json.RawMessage(encode(input))
	return call{name, raw, func(ctx context.Context, id string) outcome {
		if !t.prompts {
			return failure("No such tool available: " + name)
		}
		fields := append([]any{"tool_name", name, "display_name", name, "input", raw}, extra...)
		d, err := t.canUseTool(ctx, append(fields, "tool_use_id", id)...)
		switch {
		case errors.Is(err, errRefused):
			return failure("Tool permission request failed: " + err.Error())
		case err != nil:
			return rejected()
		case d.Behavior == "deny":
			return t.denied(name, id, raw, d)
		}
		return do(ctx, d)
	}}, nil
}

func (t *turn) denied(name, id string, input json.RawMessage, d decision) outcome {
	t.setAnswer("deny")
	t.mu.Lock()
	t.denials = append(t.denials, object{"tool_name", name, "tool_use_id", id, "tool_input", input})
	t.mu.Unlock()
	if d.Interrupt {
		return rejected()
	}
	return failure(d.Message)
}

// askCall is AskUserQuestion.
func askCall(t *turn, s step) (call, error) {
	text, err := t.argument(s.args)
	if err != nil {
		return call{}, err
	}
	input, err := questions(text)
	if err != nil {
		return call{}, err
	}
	return t.gated(claude.AskTool, input, nil, func(_ context.Context, d decision) outcome { return t.answered(d.Input) })
}

// questions reads JSON, or "Text? | option | option".
func questions(text string) (json.RawMessage, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		if !json.Valid([]byte(text)) {
			return nil, fmt.Errorf("no JSON: %s", text)
		}
		return json.RawMessage(text), nil
	}
	parts := strings.Split(text, "|")
	q := claude.AskQuestion{Question: strings.TrimSpace(parts[0]), Header: "Question", Options: []claude.AskOption{}}
	for _, label := range parts[1:] {
		q.Options = append(q.Options, claude.AskOption{Label: strings.TrimSpace(label), Description: strings.TrimSpace(label)})
	}
	return encode(claude.AskInput{Questions: []claude.AskQuestion{q}}), nil
}

// answered tells the agent what was answered, in the CLI's words.
func (t *turn) answered(updated json.RawMessage) outcome {
	var in struct {
		Questions   []claude.AskQuestion `json:"questions"`
		Answers     map[string]string    `json:"answers"`
		Annotations map[string]struct {
			Preview string `json:"preview"`
			Notes   string `json:"notes"`
		} `json:"annotations"`
		Response string `json:"response"`
	}
	if err := json.Unmarshal(updated, &in); err != nil || in.Questions == nil {
		return failure("The permission handler returned updatedInput that failed schema validation")
	}
	var said, given []string
	for _, q := range in.Questions {
		answer, ok := in.Answers[q.Question]
		note := in.Annotations[q.Question]
		if !ok && note.Notes == "" {
			continue
		}
		part := fmt.Sprintf("%q=%q", q.Question, answer)
		if !ok {
			part = fmt.Sprintf("%q=(no option selected)", q.Question)
		}
		if note.Preview != "" {
			part += " selected preview:\n" + note.Preview
		}
		if note.Notes != "" {
			part += " notes: " + note.Notes
		}
		said, given = append(said, part), append(given, answer)
	}
	t.setAnswer(strings.Join(given, "; "))
	text := "The user did not answer the questions."
	switch {
	case in.Response != "":
		t.setAnswer(in.Response)
		text = "The user responded: " + in.Response
	case len(said) > 0:
		text = "Your questions have been answered: " + strings.Join(said, ", ") + ". You can now continue with these answers in mind."
	}
	return outcome{content: text, detail: object{"questions", in.Questions, "answers", in.Answers}}
}

// permitCall is any tool's call that needs to be allowed.
func permitCall(t *turn, s step) (call, error) {
	args, err := t.operands(s.args, 2)
	if err != nil {
		return call{}, err
	}
	var input struct {
		Command     string `json:"command"`
		Description string `json:"description"`
		Path        string `json:"file_path"`
	}
	if err := json.Unmarshal([]byte(args[1]), &input); err != nil {
		return call{}, err
	}
	extra := []any{}
	if input.Description != "" {
		extra = append(extra, "description", input.Description)
	}
	rule := claude.Rule{Tool: args[0], Content: input.Command}
	extra = append(extra, "permission_suggestions", []claude.Permission{
		{Type: "addRules", Rules: []claude.Rule{rule}, Behavior: "allow", Destination: "localSettings"},
		{Type: "setMode", Mode: "acceptEdits", Destination: "session"},
	})
	if input.Path != "" {
		extra = append(extra, "blocked_path", absolute(input.Path))
	}
	return t.gated(args[0], json.RawMessage(args[1]), extra, func(ctx context.Context, d decision) outcome {
		done := t.use(ctx, args[0], d.Input)
		t.setAnswer("allow")
		t.apply(d)
		return done
	})
}

// apply changes the permission mode where the host says so.
func (t *turn) apply(d decision) {
	for _, p := range d.Permissions {
		if p.Type == "setMode" {
			t.changeMode(p.Mode)
		}
	}
}

// planCall is ExitPlanMode.
func planCall(t *turn, s step) (call, error) {
	plan, err := t.argument(s.args)
	if err != nil {
		return call{}, err
	}
	return t.gated(claude.PlanTool, claude.PlanInput{Plan: plan}, nil, func(_ context.Context, d decision) outcome {
		var in claude.PlanInput
		if err := json.Unmarshal(d.Input, &in); err != nil {
			return failure(err.Error())
		}
		heading, edited := "## Approved Plan (edited by user):\n", in.Plan != ""
		if !edited {
			heading, in.Plan = "## Approved Plan:\n", plan
		}
		t.setAnswer(in.Plan)
		t.changeMode("default")
		t.apply(d)
		return outcome{
			content: "User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n" +
				heading + in.Plan,
			detail: object{"plan", in.Plan, "isAgent", false, "planWasEdited", edited},
		}
	})
}
