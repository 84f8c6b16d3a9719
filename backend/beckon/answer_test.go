package beckon

import (
	"slices"
	"testing"
)

func TestTheAgentReadsLabelsAndIDsAndNeverANumber(t *testing.T) {
	t.Parallel()
	database := QuestionItem{Text: "Which database?", Options: []Option{{Label: "SQLite"}, {Label: "Postgres", ID: "pg"}}}
	parts := QuestionItem{Text: "Which parts?", Multiple: true, Options: []Option{{ID: "p", Label: "Planner"}, {Label: "Executor, fast"}}}
	free := QuestionItem{Text: "Which name?"}
	ask := func(items []QuestionItem, answers ...ItemAnswer) Question {
		return Question{Kind: Ask, Items: items, Answer: &Answer{Items: answers}}
	}
	for _, c := range []struct {
		q    Question
		want string
	}{
		{Question{Kind: Ask, Items: []QuestionItem{free}}, ""},
		{ask([]QuestionItem{database}, ItemAnswer{Labels: []string{"SQLite"}}), `"Which database?" → "SQLite"`},
		{ask([]QuestionItem{database}, ItemAnswer{Labels: []string{"Postgres"}}), `"Which database?" → "Postgres" (id: pg)`},
		{ask([]QuestionItem{database}, ItemAnswer{Other: "DuckDB"}), `"Which database?" → in the user's own words: "DuckDB"`},
		{ask([]QuestionItem{free}, ItemAnswer{Other: "beckon"}), `"Which name?" → "beckon"`},
		{
			ask([]QuestionItem{parts, database}, ItemAnswer{Labels: []string{"Executor, fast", "Planner"}, Other: "tests"}, ItemAnswer{Labels: []string{"SQLite"}}),
			"\"Which parts?\" → \"Executor, fast\", \"Planner\" (id: p), in the user's own words: \"tests\"\n\"Which database?\" → \"SQLite\"",
		},
		{Question{Kind: Permission, Answer: &Answer{Verdict: AllowOnce}}, "allowed"},
		{Question{Kind: Permission, Answer: &Answer{Verdict: AllowAlways}}, "allowed always"},
		{Question{Kind: Permission, Answer: &Answer{Verdict: Deny, Text: "use make"}}, "denied: use make"},
	} {
		if got := c.q.AnswerText(); got != c.want {
			t.Errorf("the agent reads\n%s\nwant\n%s", got, c.want)
		}
	}
	if got := parts.IDs(ItemAnswer{Labels: []string{"Executor, fast", "Planner"}}); !slices.Equal(got, []string{"p"}) {
		t.Errorf("ids %q, want p alone", got)
	}
}
