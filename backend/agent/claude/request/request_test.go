package request

import (
	"encoding/json"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// TestAToolThatAsksBecomesItsQuestion: an ask and a plan are no permissions,
// unless nobody can read them.
func TestAToolThatAsksBecomesItsQuestion(t *testing.T) {
	t.Parallel()
	const ask = `{"questions":[{"question":"Which?","header":"DB","multiSelect":true,"options":[{"label":"A","description":"a"}]}]}`
	for name, c := range map[string]struct {
		req  claude.Request
		kind beckon.QuestionKind
		has  string
	}{
		"ask": {claude.Request{ToolName: claude.AskTool, Input: json.RawMessage(ask)}, beckon.Ask, "Which?"},
		"unreadable ask": {
			claude.Request{ToolName: claude.AskTool, Input: json.RawMessage(`{"questions":7}`)},
			beckon.Permission, `{"questions":7}`,
		},
		"plan": {
			claude.Request{ToolName: claude.PlanTool, Input: json.RawMessage(`{"plan":"1. Guess"}`)},
			beckon.Plan, "1. Guess",
		},
		"unreadable plan": {
			claude.Request{ToolName: claude.PlanTool, Input: json.RawMessage(`{"plan":7}`)},
			beckon.Permission, `{"plan":7}`,
		},
		"permission": {
			claude.Request{ToolName: "Bash", Input: json.RawMessage(`{"command":"make"}`)},
			beckon.Permission, "make",
		},
		"elicitation": {
			claude.Request{
				Subtype: claude.Elicitation, Server: "forms", Message: json.RawMessage(`"Who?"`),
				Schema: json.RawMessage(`{"type":"object"}`),
			},
			beckon.Elicitation, "forms",
		},
	} {
		q := Question(c.req)
		shown, err := json.Marshal(q)
		if err != nil || q.Kind != c.kind || !strings.Contains(strings.ReplaceAll(string(shown), `\`, ""), c.has) {
			t.Errorf("%s: kind %s, %s; want %s with %s, %v", name, q.Kind, shown, c.kind, c.has, err)
		}
		if q.Items == nil {
			t.Errorf("%s: the page gets null for its items", name)
		}
	}
}

// TestWhatTheUserDecidedIsWhatClaudeGets: nothing but an answer that allows
// lets a tool run.
func TestWhatTheUserDecidedIsWhatClaudeGets(t *testing.T) {
	t.Parallel()
	bash := claude.Request{ToolName: "Bash", Input: json.RawMessage(`{"command":"make"}`), Suggestions: []json.RawMessage{
		json.RawMessage(`{"type":"addRules","behavior":"allow","rules":[{"toolName":"Bash"}],"destination":"localSettings"}`),
	}}
	plan := claude.Request{ToolName: claude.PlanTool, Input: json.RawMessage(`{"plan":"1. Guess"}`)}
	answer := func(kind beckon.QuestionKind, a beckon.Answer) beckon.Question {
		return beckon.Question{Kind: kind, Settlement: beckon.Answered, Answer: &a}
	}
	for name, c := range map[string]struct {
		req  claude.Request
		q    beckon.Question
		want string
	}{
		"allowed": {
			bash, answer(beckon.Permission, beckon.Answer{Verdict: beckon.AllowOnce}),
			`{"UpdatedInput":{"command":"make"},"UpdatedPermissions":null}`,
		},
		"always": {
			bash, answer(beckon.Permission, beckon.Answer{Verdict: beckon.AllowAlways}),
			`{"UpdatedInput":{"command":"make"},"UpdatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"session"}]}`,
		},
		"denied": {
			bash, answer(beckon.Permission, beckon.Answer{Verdict: beckon.Deny, Text: "No."}),
			`{"Message":"No.","Interrupt":false}`,
		},
		"expired": {bash, beckon.Question{
			Kind: beckon.Permission, Settlement: beckon.Expired,
			Reason: reason.Said("Nobody was there."),
		}, `{"Message":"Nobody was there.","Interrupt":false}`},
		"plan": {
			plan, answer(beckon.Plan, beckon.Answer{Verdict: beckon.AllowOnce, Plan: "1. Measure"}),
			`{"UpdatedInput":{"plan":"1. Measure"},"UpdatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`,
		},
	} {
		d, err := Decide(c.req, c.q, beckon.ModeAcceptEdits)
		got, _ := json.Marshal(d)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, c.want)
		}
	}
	if d, err := Decide(bash, beckon.Question{Settlement: beckon.Withdrawn}, ""); err == nil {
		t.Errorf("a question that was withdrawn decides %v", d)
	}
}
