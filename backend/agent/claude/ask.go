package claude

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// AskInput is the input of AskUserQuestion: one to four questions (section 7).
type AskInput struct {
	Questions []AskQuestion `json:"questions"`

	raw map[string]json.RawMessage // as received, for the way back
}

// AskQuestion is one of its questions.
type AskQuestion struct {
	Question    string      `json:"question"`
	Header      string      `json:"header"`
	MultiSelect bool        `json:"multiSelect"`
	Options     []AskOption `json:"options"`
}

// AskOption is a suggested answer; Preview is markdown.
type AskOption struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Preview     string `json:"preview,omitempty"`
}

// DecodeAsk decodes Request.Input of AskUserQuestion.
func DecodeAsk(input json.RawMessage) (AskInput, error) {
	var ask AskInput
	if err := json.Unmarshal(input, &ask.raw); err != nil {
		return AskInput{}, fmt.Errorf("input of %s: %w", AskTool, err)
	}
	if err := json.Unmarshal(ask.raw["questions"], &ask.Questions); err != nil {
		return AskInput{}, fmt.Errorf("questions of %s: %w", AskTool, err)
	}
	return ask, nil
}

// AskAnswer answers one question: labels of options, words of the user's own,
// or both.
type AskAnswer struct {
	Labels []string
	Other  string
	Notes  string // what the user remarked on the choice
}

// Answered returns the input that carries the answers back, for
// Allow.UpdatedInput. Answers are in the questions' order; a missing or
// empty one leaves its question unanswered.
//
// The CLI wants one string per question, keyed by the question's text, and
// does not check it against the labels: several choices are joined by ", "
// as its own dialog does.
func (a AskInput) Answered(answers []AskAnswer) json.RawMessage {
	type annotation struct {
		Preview string `json:"preview,omitempty"`
		Notes   string `json:"notes,omitempty"`
	}
	texts, annotations := map[string]string{}, map[string]annotation{}
	for i, q := range a.Questions[:min(len(a.Questions), len(answers))] {
		given := answers[i]
		if text := given.text(); text != "" {
			texts[q.Question] = text
		}
		if note := (annotation{q.preview(given.Labels), given.Notes}); note != (annotation{}) {
			annotations[q.Question] = note
		}
	}
	input := map[string]any{}
	for k, v := range maps.All(a.raw) {
		input[k] = v
	}
	input["questions"] = a.questions()
	input["answers"] = texts
	if len(annotations) > 0 {
		input["annotations"] = annotations
	}
	raw, _ := json.Marshal(input) // nothing in it can fail
	return raw
}

// questions are the questions as they were received, where they were.
func (a AskInput) questions() any {
	if raw, ok := a.raw["questions"]; ok {
		return raw
	}
	return a.Questions
}

func (a AskAnswer) text() string {
	parts := append([]string{}, a.Labels...)
	if a.Other != "" {
		parts = append(parts, a.Other)
	}
	return strings.Join(parts, ", ")
}

// preview is that of the one option that was chosen.
func (q AskQuestion) preview(labels []string) string {
	for _, o := range q.Options {
		if len(labels) == 1 && o.Label == labels[0] {
			return o.Preview
		}
	}
	return ""
}

// PlanInput is the input of ExitPlanMode.
type PlanInput struct {
	Plan string `json:"plan"` // markdown
}

// EditPlan returns the input of ExitPlanMode for an Allow, with the plan as the
// user edited it. An empty plan is one that was not edited: it is left out,
// since the CLI says "edited by user" of any that is sent back.
func EditPlan(input json.RawMessage, plan string) (json.RawMessage, error) {
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(input, &raw); err != nil {
		return nil, fmt.Errorf("input of %s: %w", PlanTool, err)
	}
	delete(raw, "plan")
	if plan != "" {
		raw["plan"], _ = json.Marshal(plan) // a string
	}
	return json.Marshal(raw)
}

// DecodePlan decodes Request.Input of ExitPlanMode.
func DecodePlan(input json.RawMessage) (PlanInput, error) {
	var plan PlanInput
	if err := json.Unmarshal(input, &plan); err != nil {
		return PlanInput{}, fmt.Errorf("input of %s: %w", PlanTool, err)
	}
	return plan, nil
}
