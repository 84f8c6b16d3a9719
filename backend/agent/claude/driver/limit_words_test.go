package driver

import (
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

func TestALimitIsKnownByItsWordsAlone(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2025, 10, 4, 14, 0, 0, 0, berlin)
	at := func(month time.Month, day, hour, minute int) int64 {
		return time.Date(2025, month, day, hour, minute, 0, 0, berlin).UnixMilli()
	}
	for text, want := range map[string]agent.QuotaIs{
		"You've hit your session limit · resets 3:45pm (Europe/Berlin)":  {Window: "five_hour", Resets: at(10, 4, 15, 45)},
		"You've hit your limit · resets 1am":                             {Resets: at(10, 5, 1, 0)},
		"5-hour limit reached ∙ resets 12am":                             {Window: "five_hour", Resets: at(10, 5, 0, 0)},
		"Weekly limit reached ∙ resets Oct 6, 1pm\n/upgrade to increase": {Window: "seven_day", Resets: at(10, 6, 13, 0)},
		"Opus weekly limit reached ∙ resets Oct 6 at 22:30":              {Window: "seven_day_opus", Resets: at(10, 6, 22, 30)},
		"Claude AI usage limit reached|1759708800":                       {Resets: 1759708800000},
		"Five-hour limit reached · resets 3pm":                           {Window: "five_hour", Resets: at(10, 4, 15, 0)},
		"Rate limit reached":                                             {},
		"You have reached your weekly limit.":                            {Window: "seven_day"},
		"You've hit your session limit · resets 45:99pm":                 {Window: "five_hour"},
		"You've hit your session limit · resets 3pm (America/New_York)":  {Window: "five_hour", Resets: at(10, 4, 21, 0)},
	} {
		window, resets, says := saysLimit(text, now)
		if !says || window != want.Window || resets != want.Resets {
			t.Errorf("%q is %q until %s, %t", text, window, time.UnixMilli(resets).In(berlin), says)
		}
	}
	for _, text := range []string{
		"", "I raised the rate limit.", "The limit reached by the parser is 5; resets 3pm is what it prints.", "Done. You've hit your session limit",
		"Set the limit to 5.", "unlimited", "Context limit reached · /compact or /clear to continue", "Limit reached.",
		"Output token limit reached.", "Context window limit reached · /compact",
	} {
		if _, _, says := saysLimit(text, now); says {
			t.Errorf("%q is taken for a limit", text)
		}
	}
}

// TestATurnThatEndsInALimitsWordsIsLimited, whether it says that it failed or not; a model that
// speaks of limits is not.
func TestATurnThatEndsInALimitsWordsIsLimited(t *testing.T) {
	t.Parallel()
	const words = "Claude AI usage limit reached|1759708800"
	none := map[string]int64{}
	quota := agent.QuotaIs{Percent: -1, Resets: 1759708800000, Refused: true}
	limited := agent.TurnEnded{Failed: true, Limited: true, Said: words, Setback: beckon.PlanLimit, Resets: 1759708800000, Windows: none}
	expect(t, "failed", read(`{"type":"result","is_error":true,"result":"`+words+`"}`), quota, limited)
	expect(t, "went well", read(`{"type":"result","is_error":false,"result":"`+words+`","usage":{"output_tokens":0}}`), quota, limited)
	unknown := agent.TurnEnded{Failed: true, Limited: true, Said: "Usage limit reached", Setback: beckon.Overload, Windows: none}
	expect(t, "neither window nor end", read(`{"type":"result","is_error":true,"result":"Usage limit reached"}`), unknown)
	expect(t, "the model's own", read(`{"type":"result","is_error":false,"result":"`+words+`","usage":{"output_tokens":9}}`),
		agent.TurnEnded{Said: words, Windows: none})
}
