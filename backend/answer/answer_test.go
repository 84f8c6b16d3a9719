package answer

import (
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

func TestTheAgentReadsLabelsAndIDsAndNeverANumber(t *testing.T) {
	t.Parallel()
	database := beckon.QuestionItem{Text: "Which database?", Options: []beckon.Option{{Label: "SQLite"}, {Label: "Postgres", ID: "pg"}}}
	parts := beckon.QuestionItem{Text: "Which parts?", Multiple: true, Options: []beckon.Option{{ID: "p", Label: "Planner"}, {Label: "Executor, fast"}}}
	free := beckon.QuestionItem{Text: "Which name?"}
	ask := func(items []beckon.QuestionItem, answers ...beckon.ItemAnswer) beckon.Question {
		return beckon.Question{Kind: beckon.Ask, Items: items, Answer: &beckon.Answer{Items: answers}}
	}
	for _, c := range []struct {
		q    beckon.Question
		want string
	}{
		{beckon.Question{Kind: beckon.Ask, Items: []beckon.QuestionItem{free}}, ""},
		{ask([]beckon.QuestionItem{database}, beckon.ItemAnswer{Labels: []string{"SQLite"}}), `"Which database?" → "SQLite"`},
		{ask([]beckon.QuestionItem{database}, beckon.ItemAnswer{Labels: []string{"Postgres"}}), `"Which database?" → "Postgres" (id: pg)`},
		{ask([]beckon.QuestionItem{database}, beckon.ItemAnswer{Other: "DuckDB"}), `"Which database?" → in the user's own words: "DuckDB"`},
		{ask([]beckon.QuestionItem{free}, beckon.ItemAnswer{Other: "beckon"}), `"Which name?" → "beckon"`},
		{
			ask([]beckon.QuestionItem{parts, database}, beckon.ItemAnswer{Labels: []string{"Executor, fast", "Planner"}, Other: "tests"}, beckon.ItemAnswer{Labels: []string{"SQLite"}}),
			"\"Which parts?\" → \"Executor, fast\", \"Planner\" (id: p), in the user's own words: \"tests\"\n\"Which database?\" → \"SQLite\"",
		},
		{beckon.Question{Kind: beckon.Permission, Answer: &beckon.Answer{Verdict: beckon.AllowOnce}}, "allowed"},
		{beckon.Question{Kind: beckon.Permission, Answer: &beckon.Answer{Verdict: beckon.AllowAlways}}, "allowed always"},
		{beckon.Question{Kind: beckon.Permission, Answer: &beckon.Answer{Verdict: beckon.Deny, Text: "use make"}}, "denied: use make"},
	} {
		if got := Text(c.q); got != c.want {
			t.Errorf("the agent reads\n%s\nwant\n%s", got, c.want)
		}
	}
	if got := IDs(parts, beckon.ItemAnswer{Labels: []string{"Executor, fast", "Planner"}}); !slices.Equal(got, []string{"p"}) {
		t.Errorf("ids %q, want p alone", got)
	}
}

// TestAnAnswerIsRecordedInTheOrderOfItsOptions, however it was given.
func TestAnAnswerIsRecordedInTheOrderOfItsOptions(t *testing.T) {
	t.Parallel()
	item := beckon.QuestionItem{Options: []beckon.Option{{Label: "Auth"}, {Label: "Search, full"}, {Label: "Export"}}}
	for want, a := range map[string]beckon.ItemAnswer{
		"":                                    {},
		"Export":                              {Labels: []string{"Export"}},
		"Auth, Search, full, Export":          {Labels: []string{"Export", "Auth", "Search, full"}},
		"Auth, Unknown":                       {Labels: []string{"Unknown", "Auth"}},
		"one\ntwo\nthree":                     {Other: " one\r\ntwo\rthree\n"},
		"Auth, and one more that is not here": {Labels: []string{"Auth"}, Other: "and one more that is not here"},
	} {
		if got := Recorded(item, a); got != want {
			t.Errorf("%+v is %q, want %q", a, got, want)
		}
	}
}

func TestAnAgentReadsWhatAnotherAsked(t *testing.T) {
	t.Parallel()
	ask := beckon.Question{Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: "Which tone?", Options: []beckon.Option{{Label: "Red"}}}}}
	answered, assumed := ask, ask
	answered.Answer = &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Red"}, Note: "dark"}}}
	assumed.Assumption = "Blue"
	unasked := assumed
	unasked.Reason = reason.Of(reason.NotAsked)
	for want, q := range map[string]beckon.Question{
		"An agent asked: Which tone?\nThe user answered: \"Which tone?\" → \"Red\", with the note: \"dark\"": answered,
		"An agent asked: Which tone?\nThere was no answer. The agent assumed: Blue":                          assumed,
		"An agent decided without asking: Which tone?\nAn agent took: Blue":                                  unasked,
		"An agent asked: Which tone?\nThere was no answer.":                                                  ask,
		"An agent proposed a plan:\nDig\nThe user answered: Deeper":                                          {Kind: beckon.Plan, Plan: "Dig", Answer: &beckon.Answer{Verdict: beckon.Deny, Text: "Deeper"}},
	} {
		if got := HandedOver(q); got != want {
			t.Errorf("it reads %q, want %q", got, want)
		}
	}
}

// TestALongDecisionDoesNotPushItsAnswerOut: an agent decided without asking, at great length.
func TestALongDecisionDoesNotPushItsAnswerOut(t *testing.T) {
	long := strings.Repeat("because ", 2000)
	q := beckon.Question{
		Kind: beckon.Ask, Reason: reason.Of(reason.NotAsked), Items: []beckon.QuestionItem{{Text: long}}, Assumption: long,
		Answer: &beckon.Answer{Items: []beckon.ItemAnswer{{Other: "Use the planner."}}},
	}
	for _, said := range []string{Late(q, false), HandedOver(q)} {
		if len(said) > 7000 || !strings.Contains(said, "Use the planner.") {
			t.Errorf("%d bytes, at their end %q", len(said), said[len(said)-100:])
		}
	}
	all := make([]beckon.Question, 60)
	for i := range all {
		all[i] = q
	}
	if told := AllHandedOver(all); len(told) == 0 || len(told) > 50 || len(strings.Join(told, "")) > 96<<10 {
		t.Errorf("%d are handed over", len(told))
	}
}
