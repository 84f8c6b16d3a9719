package request

import (
	"testing"

	"beckon/backend/answer"
	"beckon/backend/beckon"
)

func TestAFormThatNobodyFilledInIsCancelledAndNeverAccepted(t *testing.T) {
	for _, c := range []struct {
		q    beckon.Question
		want string
	}{
		{beckon.Question{Settlement: beckon.Expired}, "cancel"},
		{beckon.Question{Settlement: beckon.Orphaned}, "cancel"},
		{beckon.Question{Settlement: beckon.Answered, Answer: &beckon.Answer{Verdict: beckon.Skip}}, "cancel"},
		{beckon.Question{Settlement: beckon.Answered, Answer: &beckon.Answer{Verdict: beckon.Deny}}, "decline"},
		{beckon.Question{Settlement: beckon.Answered, Answer: &beckon.Answer{Verdict: beckon.AllowOnce}}, "accept"},
	} {
		if got, _ := Elicited(c.q); got != c.want {
			t.Errorf("%+v: %s, want %s", c.q, got, c.want)
		}
	}
}

func TestAnAgentReadsItsOldQuestionWithTheAnswer(t *testing.T) {
	permission := &beckon.PermissionRequest{Tool: "Bash", Command: "make test"}
	for _, c := range []struct {
		q    beckon.Question
		want string
	}{
		{
			beckon.Question{
				Kind: beckon.Permission, Permission: permission,
				Answer: &beckon.Answer{Verdict: beckon.Deny, Text: "Too slow."},
			},
			"You wanted to use Bash: make test\n\nThe user answers now:\ndenied: Too slow.",
		},
		{
			beckon.Question{Kind: beckon.Plan, Plan: "1. Guess", Answer: &beckon.Answer{Verdict: beckon.AllowOnce}},
			"You proposed a plan:\n1. Guess\n\nThe user answers now:\nThe plan is approved. Carry it out.",
		},
		{
			beckon.Question{
				Kind: beckon.Plan, Plan: "1. Guess",
				Answer: &beckon.Answer{Verdict: beckon.AllowOnce, Plan: "1. Measure"},
			},
			"You proposed a plan:\n1. Guess\n\nThe user answers now:\nThe plan is approved as the user edited it:\n1. Measure",
		},
		{
			beckon.Question{Kind: beckon.Plan, Plan: "1. Guess", Answer: &beckon.Answer{Verdict: beckon.Deny, Text: "Measure."}},
			"You proposed a plan:\n1. Guess\n\nThe user answers now:\nMeasure.",
		},
		{
			beckon.Question{
				Kind: beckon.Elicitation, Origin: "forms", Message: "Who?",
				Answer: &beckon.Answer{Verdict: beckon.AllowOnce, Content: `{"name":"Ada"}`},
			},
			"forms asked: Who?\n\nThe user answers now:\n{\"name\":\"Ada\"}",
		},
		{
			beckon.Question{
				Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: "Which?"}},
				Answer: &beckon.Answer{Verdict: beckon.Skip},
			},
			"You asked: Which?\n\nThe user answers now:\nThe user chose not to answer this. Proceed as you judge best, and say what you assume.",
		},
	} {
		if got := answer.Late(c.q, false); got != c.want {
			t.Errorf("the agent reads\n%s\nwant\n%s", got, c.want)
		}
	}
}
