package question

import (
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

func TestExpiryIsTheSentenceThatAgentsKnow(t *testing.T) {
	t.Parallel()
	for ms, want := range map[int64]string{
		beckon.DefaultWaitMs: "No response received within 3 minutes — proceed using your best judgment.",
		10_000:               "No response received within 10 seconds — proceed using your best judgment.",
		60_000:               "No response received within 1 minute — proceed using your best judgment.",
		90_000:               "No response received within 90 seconds — proceed using your best judgment.",
		3_600_000:            "No response received within 1 hour — proceed using your best judgment.",
		7_200_000:            "No response received within 2 hours — proceed using your best judgment.",
		86_400_000:           "No response received within 24 hours — proceed using your best judgment.",
		1:                    "No response received within 1 millisecond — proceed using your best judgment.",
	} {
		if got := expiry(beckon.Question{Kind: beckon.Ask, WaitMs: ms}).String(); got != want {
			t.Errorf("%d ms: %q, want %q", ms, got, want)
		}
	}
}

func TestTheLoserIsToldHowTheQuestionStands(t *testing.T) {
	t.Parallel()
	ask := beckon.Question{Kind: beckon.Ask, Items: []beckon.QuestionItem{{Multiple: true}, {}}, Settlement: beckon.Answered}
	ask.Answer = &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"A", "B"}, Other: "and C"}, {Labels: []string{"D"}}}}
	for want, q := range map[string]beckon.Question{
		"answered already: A, B, and C, D":                ask,
		"answered already: denied: use make":              {Kind: beckon.Permission, Settlement: beckon.Answered, Answer: &beckon.Answer{Verdict: beckon.Deny, Text: "use make"}},
		"answered on Pixel 9 already: denied":             {Kind: beckon.Permission, Settlement: beckon.Answered, Answer: &beckon.Answer{Verdict: beckon.Deny, By: beckon.ByPhone, ByName: "Pixel 9"}},
		"answered over Telegram by @mira already: denied": {Kind: beckon.Permission, Settlement: beckon.Answered, Answer: &beckon.Answer{Verdict: beckon.Deny, By: beckon.ByTelegram, ByName: "@mira"}},
		"answered in the tray already: denied":            {Kind: beckon.Permission, Settlement: beckon.Answered, Answer: &beckon.Answer{Verdict: beckon.Deny, By: beckon.ByTray}},
		"withdrawn already: the run has ended":            {Settlement: beckon.Withdrawn, Reason: reason.Said("the run has ended")},
	} {
		if got := settledWords(q); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}
