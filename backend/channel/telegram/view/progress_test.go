package view

import (
	"strings"
	"testing"

	"beckon/backend/beckon"

	"github.com/google/go-cmp/cmp"
)

// does is a press, or words where verb is empty.
type does struct {
	verb         Verb
	item, option int
	words        string
}

// play carries presses and words out and returns what the last one did.
func play(q beckon.Question, p Progress, all []does) (Progress, Effect) {
	var e Effect
	for _, d := range all {
		if d.verb == "" {
			p, e = Type(q, p, d.words)
			continue
		}
		p, e = Press(q, p, Callback{d.verb, id, d.item, d.option})
	}
	return p, e
}

func items(all ...beckon.ItemAnswer) beckon.Answer { return beckon.Answer{Items: all} }

func verdict(v beckon.Verdict) beckon.Answer {
	return beckon.Answer{Items: []beckon.ItemAnswer{}, Verdict: v}
}

func chose(labels ...string) beckon.ItemAnswer { return beckon.ItemAnswer{Labels: labels} }

var (
	rm      = permission(beckon.PermissionRequest{Tool: "Bash", Command: "rm -rf x", Always: "Bash(rm -rf x)", Destructive: true})
	ls      = permission(beckon.PermissionRequest{Tool: "Bash", Command: "ls", Always: "Bash(ls)"})
	long    = permission(beckon.PermissionRequest{Tool: "Bash", Command: strings.Repeat("ls\n", 99)})
	planned = beckon.Question{Kind: beckon.Plan, TaskID: "t", Settlement: beckon.Open, Plan: "steps"}
	filled  = beckon.Question{Kind: beckon.Elicitation, Settlement: beckon.Open, Form: "{}"}
	bare    = beckon.Question{Kind: beckon.Elicitation, Settlement: beckon.Open, Message: "Go on?"}
	name    = beckon.Question{Kind: beckon.Ask, Settlement: beckon.Open, Items: []beckon.QuestionItem{{Text: "Name?"}}}
)

func TestPressesAndWordsMakeAnswers(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		q    beckon.Question
		does []does
		want beckon.Answer
	}{
		"two items":               {database, []does{{verb: Choose, option: 1}, {verb: Choose, item: 1}, {verb: Done, item: 1}}, items(chose("Postgres"), chose("Backups"))},
		"ticks off and on":        {database, []does{{verb: Choose}, {verb: Choose, item: 1}, {verb: Choose, item: 1, option: 1}, {verb: Choose, item: 1}, {verb: Done, item: 1}}, items(chose("SQLite"), chose("Metrics"))},
		"back and again":          {database, []does{{verb: Choose}, {verb: Back, item: 1}, {verb: Choose, option: 1}, {verb: Choose, item: 1}, {verb: Done, item: 1}}, items(chose("Postgres"), chose("Backups"))},
		"other words":             {name, []does{{verb: Other}, {words: " Ada\n"}}, items(beckon.ItemAnswer{Labels: []string{}, Other: "Ada"})},
		"a reply to the question": {name, []does{{words: "Ada"}}, items(beckon.ItemAnswer{Labels: []string{}, Other: "Ada"})},
		"ticks and other words":   {database, []does{{verb: Choose}, {verb: Choose, item: 1}, {verb: Other, item: 1}, {words: "logs"}, {verb: Done, item: 1}}, items(chose("SQLite"), beckon.ItemAnswer{Labels: []string{"Backups"}, Other: "logs"})},
		"a typed label":           {database, []does{{words: "postgres"}, {words: "METRICS"}, {words: "metrics"}, {verb: Done, item: 1}}, items(chose("Postgres"), chose("Metrics"))},
		"words asked for before":  {database, []does{{verb: Other}, {words: "a file"}, {verb: Choose, item: 1}, {verb: Done, item: 1}}, items(beckon.ItemAnswer{Labels: []string{}, Other: "a file"}, chose("Backups"))},
		"allow":                   {ls, []does{{verb: Allow}}, verdict(beckon.AllowOnce)},
		"allow always":            {ls, []does{{verb: AllowAlways}}, verdict(beckon.AllowAlways)},
		"deny":                    {rm, []does{{verb: Deny}}, verdict(beckon.Deny)},
		"a second press":          {rm, []does{{verb: Allow}, {verb: Really}}, verdict(beckon.AllowOnce)},
		"always, twice":           {rm, []does{{verb: AllowAlways}, {verb: Really}}, verdict(beckon.AllowAlways)},
		"thought better of":       {rm, []does{{verb: Allow}, {verb: Not}, {verb: AllowAlways}, {verb: Really}}, verdict(beckon.AllowAlways)},
		"what was not all shown":  {long, []does{{verb: Allow}, {verb: Really}}, verdict(beckon.AllowOnce)},
		"approve":                 {planned, []does{{verb: Approve}}, verdict(beckon.AllowOnce)},
		"accept edits":            {planned, []does{{verb: AcceptEdits}}, beckon.Answer{Items: []beckon.ItemAnswer{}, Verdict: beckon.AllowOnce, Mode: beckon.ModeAcceptEdits}},
		"change":                  {planned, []does{{verb: Change}, {words: "smaller steps"}}, beckon.Answer{Items: []beckon.ItemAnswer{}, Verdict: beckon.Deny, Text: "smaller steps"}},
		"decline a form":          {filled, []does{{verb: Deny}}, verdict(beckon.Deny)},
		"a form without fields":   {bare, []does{{verb: Allow}}, verdict(beckon.AllowOnce)},
	} {
		_, e := play(c.q, Progress{}, c.does)
		if diff := cmp.Diff(c.want, e.Answer); diff != "" || e.Do != GiveAnswer {
			t.Errorf("%s: %v %s", what, e.Do, diff)
		}
	}
}

func TestPressesThatDoNotAnswer(t *testing.T) {
	t.Parallel()
	held := ls
	held.Deadline = 5
	over := ls
	over.Settlement = beckon.Answered
	for what, c := range map[string]struct {
		q      beckon.Question
		does   []does
		do     Do
		notice string
	}{
		"nothing ticked":              {database, []does{{verb: Choose}, {verb: Done, item: 1}}, Nothing, english.NothingChosen},
		"a button of the item before": {database, []does{{verb: Choose}, {verb: Choose}}, Nothing, english.Stale},
		"an option that is not there": {database, []does{{verb: Choose, option: 7}}, Nothing, english.Stale},
		"back from the first":         {database, []does{{verb: Back}}, Nothing, english.Stale},
		"done where one is chosen":    {database, []does{{verb: Done}}, Nothing, english.Stale},
		"first press of two":          {rm, []does{{verb: Allow}}, Nothing, ""},
		"the first button twice":      {rm, []does{{verb: Allow}, {verb: Allow}}, Nothing, english.Stale},
		"a second press alone":        {rm, []does{{verb: Really}}, Nothing, english.Stale},
		"a second press after back":   {rm, []does{{verb: Allow}, {verb: Not}, {verb: Really}}, Nothing, english.Stale},
		"what was not all shown":      {long, []does{{verb: Allow}}, Nothing, ""},
		"always, without a rule":      {long, []does{{verb: AllowAlways}}, Nothing, english.Stale},
		"words for a permission":      {ls, []does{{words: "yes"}}, Nothing, english.UseButtons},
		"words for a plan":            {planned, []does{{words: "looks good"}}, Nothing, english.UseButtons},
		"no words":                    {name, []does{{words: " \u202e\n"}}, Nothing, english.UseButtons},
		"too many words":              {name, []does{{words: strings.Repeat("x", beckon.MaxAnswerText+1)}}, Nothing, english.TooLong},
		"other":                       {database, []does{{verb: Other}}, AskWords, ""},
		"change":                      {planned, []does{{verb: Change}}, AskWords, ""},
		"hold":                        {held, []does{{verb: Hold}}, HoldClock, ""},
		"hold without a clock":        {ls, []does{{verb: Hold}}, Nothing, english.Stale},
		"a form with fields":          {filled, []does{{verb: Allow}}, Nothing, english.Stale},
		"a plan's verb":               {ls, []does{{verb: Approve}}, Nothing, english.Stale},
		"settled":                     {over, []does{{verb: Allow}}, Nothing, english.Stale},
		"a permission is never late":  {over, []does{{verb: Late}}, Nothing, english.Stale},
	} {
		_, e := play(c.q, Progress{}, c.does)
		if e.Do != c.do || e.Notice.Toast(english) != c.notice {
			t.Errorf("%s: %v, %q", what, e.Do, e.Notice.Toast(english))
		}
	}
}

func TestALateAnswerTakesTwoSteps(t *testing.T) {
	t.Parallel()
	q := name
	q.TaskID, q.Settlement = "t", beckon.Expired
	if _, e := play(q, Progress{}, []does{{words: "Ada"}}); e.Do == GiveAnswer {
		t.Error("words count that nobody knows to be late")
	}
	if _, e := play(q, Progress{}, []does{{verb: Late}, {words: "Ada"}}); e.Do != GiveAnswer || e.Answer.Items[0].Other != "Ada" {
		t.Errorf("%+v", e)
	}
}

func TestAPressLeavesTheProgressBeforeItAsItWas(t *testing.T) {
	t.Parallel()
	p, _ := play(database, Progress{}, []does{{verb: Choose}, {verb: Choose, item: 1}})
	before := Progress{Item: p.Item, Answers: padded(p.Answers, 2)}
	Press(database, p, Callback{Choose, id, 1, 0})
	if diff := cmp.Diff(before, p); diff != "" {
		t.Error(diff)
	}
}
