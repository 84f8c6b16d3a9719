package question

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestAnswersThatDoNotFitAreRefusedAndLoseNothing(t *testing.T) {
	t.Parallel()
	options := []beckon.Option{{Label: "A"}, {Label: "B"}}
	ask := func(items ...beckon.QuestionItem) beckon.Question {
		return beckon.Question{Kind: beckon.Ask, Items: items}
	}
	single := ask(beckon.QuestionItem{Text: "?", Options: options})
	multi := ask(beckon.QuestionItem{Text: "?", Options: options, Multiple: true})
	free := ask(beckon.QuestionItem{Text: "?"})
	wish := beckon.Question{Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Tool: "Bash"}}
	ruled := beckon.Question{Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Tool: "Bash", Always: "git log"}}
	plan := beckon.Question{Kind: beckon.Plan, Plan: "1."}
	other := func(s string) beckon.Answer { return beckon.Answer{Items: []beckon.ItemAnswer{{Other: s}}} }
	verdict := func(v beckon.Verdict) beckon.Answer { return beckon.Answer{Verdict: v} }
	both := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"A"}, Other: "c"}}}
	long := strings.Repeat("x", beckon.MaxAnswerText+1)

	for name, c := range map[string]struct {
		q    beckon.Question
		a    beckon.Answer
		want string // in the error; empty: accepted
	}{
		"one label":              {single, say("A"), ""},
		"other words":            {single, other("C"), ""},
		"two labels of one":      {single, say("A", "B"), "only one answer"},
		"label and words of one": {single, both, "only one answer"},
		"two labels of many":     {multi, say("A", "B"), ""},
		"labels and words":       {multi, both, ""},
		"one label twice":        {multi, say("A", "A"), "chosen twice"},
		"unknown label":          {single, say("C"), `"C" is not one of the options`},
		"nothing":                {single, say(), "nothing is chosen"},
		"only spaces":            {single, other(" \n"), "nothing is chosen"},
		"too few items":          {ask(single.Items[0], multi.Items[0]), say("A"), "1 of 2 questions"},
		"too many items":         {single, beckon.Answer{Items: make([]beckon.ItemAnswer, 2)}, "2 of 1 questions"},
		"a verdict on an ask":    {single, beckon.Answer{Items: say("A").Items, Verdict: beckon.AllowOnce}, "not by a verdict"},
		"free text":              {free, other("as you like"), ""},
		"a label of none":        {free, say("A"), "not one of the options"},
		"endless words":          {free, other(long), "longer than 64 KB"},
		"allow":                  {wish, verdict(beckon.AllowOnce), ""},
		"deny with a reason":     {wish, beckon.Answer{Verdict: beckon.Deny, Text: "use make"}, ""},
		"endless reason":         {wish, beckon.Answer{Verdict: beckon.Deny, Text: long}, "longer than 64 KB"},
		"no verdict":             {wish, verdict(beckon.NoVerdict), "needs a verdict"},
		"unknown verdict":        {wish, verdict("sure"), "needs a verdict"},
		"always without a rule":  {wish, verdict(beckon.AllowAlways), "cannot be allowed always"},
		"always with one":        {ruled, verdict(beckon.AllowAlways), ""},
		"labels on a permission": {wish, say("A"), "by a verdict alone"},
		"plan approved":          {plan, verdict(beckon.AllowOnce), ""},
		"plan approved forever":  {plan, verdict(beckon.AllowAlways), "cannot be allowed always"},
		"changes to a plan":      {plan, beckon.Answer{Verdict: beckon.Deny, Text: "smaller"}, ""},
	} {
		err := Fits(c.q, c.a)
		if c.want == "" && err != nil {
			t.Errorf("%s: refused: %v", name, err)
		}
		if c.want != "" && (!errors.Is(err, beckon.ErrInvalid) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: err = %v, want invalid with %q", name, err, c.want)
		}
	}
}

func TestARefusedAnswerLeavesTheQuestionOpen(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	done := r.ask(t.Context(), r.which("Which?"))
	id := r.event(t).ID
	if err := r.Answer(t.Context(), id, say("Nobody")); !errors.Is(err, beckon.ErrInvalid) {
		t.Fatalf("err = %v, want invalid", err)
	}
	if q := r.row(t, id); q.Settlement != beckon.Open || q.Answer != nil {
		t.Errorf("the question is %s", q.Settlement)
	}
	if err := r.Answer(t.Context(), "unknown", say("Planner")); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("unknown question: err = %v, want not found", err)
	}
	must(t, r.Answer(t.Context(), id, say("Planner")))
	wait(t, done)
}

func TestQuestionsThatNobodyCouldAnswerAreRefused(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	item := beckon.QuestionItem{Text: "?"}
	for name, q := range map[string]beckon.Question{
		"no item":          {Kind: beckon.Ask},
		"five items":       {Kind: beckon.Ask, Items: []beckon.QuestionItem{item, item, item, item, item}},
		"no text":          {Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: " \u200b\n"}}},
		"no label":         {Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: "?", Options: []beckon.Option{{Label: "\u202e"}, {Label: "B"}}}}},
		"labels are alike": {Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: "?", Options: []beckon.Option{{Label: "Yes"}, {Label: "Yes"}}}}},
		"nothing to allow": {Kind: beckon.Permission},
		"no kind":          {},
	} {
		q.RunID, q.TaskID = r.run.ID, r.task.ID
		if _, err := r.Ask(t.Context(), q); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: err = %v, want invalid", name, err)
		}
	}
	if len(r.events) != 0 {
		t.Errorf("%d questions were shown", len(r.events))
	}
}

// TestLabelsThatWouldLookAlikeAreToldApart, since the agent means two things by
// them.
func TestLabelsThatWouldLookAlikeAreToldApart(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	q := cleanQuestion(beckon.Question{Items: []beckon.QuestionItem{{Text: "?", Options: []beckon.Option{
		{Label: "Yes"}, {Label: "Y\u200bes"}, {Label: "Yes (2)"}, {Label: long + "1"}, {Label: long + "2"}, {Label: long + "3"},
	}}}})
	cut := strings.Repeat("x", beckon.MaxOptionLabel-len("…"))
	want := []string{"Yes", "Yes (2)", "Yes (2) (2)", cut + "…", cut[len(" (2)"):] + "… (2)", cut[len(" (3)"):] + "… (3)"}
	for n, o := range q.Items[0].Options {
		if o.Label != want[n] {
			t.Errorf("option %d reads %q, want %q", n+1, o.Label, want[n])
		}
	}
	if err := checkItems(q.Items); err != nil {
		t.Error(err)
	}
}
