package view

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/remote"
	"beckon/backend/mask"
	"beckon/backend/store/away"
)

var shown = View{Host: "studio-pc", Mask: mask.Text, Zone: time.UTC}

// secret looks like one.
const secret = "sk-abcdefghijklmnopqrstuvwxyz012345"

func TestTheInboxIsInTheOrderOfTheDesk(t *testing.T) {
	t.Parallel()
	q := func(id string, asked, deadline, held int64, task string) Asked {
		return Asked{Question: beckon.Question{ID: id, TaskID: task, Kind: beckon.Ask, Asked: asked, Deadline: deadline, HeldMs: held, Settlement: beckon.Open}}
	}
	open := []Asked{
		q("no clock", 1, 0, 0, "t"), q("late", 2, 900, 0, "t"), q("held", 3, 0, 50, "t"), q("soon", 4, 100, 0, "t"), q("outside", 5, 10, 0, ""), q("as soon", 5, 100, 0, "t"),
	}
	for want, rights := range map[string]remote.Rights{
		"soon, as soon, late, no clock, held":          {},
		"outside, soon, as soon, late, no clock, held": {Elsewhere: true},
	} {
		ids := []string{}
		for _, a := range shown.Inbox(slices.Clone(open), nil, away.Device{Rights: rights}).Waiting {
			ids = append(ids, a.Question.ID)
		}
		if got := strings.Join(ids, ", "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestTodaysAnswersAreShortAndSayWhose(t *testing.T) {
	t.Parallel()
	answered := []Asked{}
	for n := range 60 {
		answered = append(answered, Asked{Key: "KES-1", Question: beckon.Question{
			ID: fmt.Sprint(n), TaskID: "t", Kind: beckon.Permission, Settlement: beckon.Answered, Permission: &beckon.PermissionRequest{Tool: "Bash", Command: "echo " + secret},
			Answer: &beckon.Answer{Verdict: beckon.Deny, Text: "not with " + secret, By: beckon.ByPhone, ByName: "Pixel 9", At: 7},
		}})
	}
	list := shown.Inbox(nil, answered, away.Device{Name: "Pixel 9"}).Answered
	first := Answered{
		ID: "0", Kind: beckon.Permission, Title: "echo " + mask.Hidden, Key: "KES-1", Answer: "not with " + mask.Hidden, Verdict: beckon.Deny,
		By: beckon.ByPhone, ByName: "Pixel 9", At: 7, Mine: true, Settlement: beckon.Answered,
	}
	if len(list) != mostAnswered || list[0] != first {
		t.Errorf("%d, %+v", len(list), list[0])
	}
	for title, q := range map[string]beckon.Question{
		"Edit /x": {Permission: &beckon.PermissionRequest{Tool: "Edit", Path: "/x"}}, "Do it": {Plan: "\n## Do it\nnow"}, "Sign in": {Message: "Sign in"},
		"One?": {Items: []beckon.QuestionItem{{Text: "One?"}, {Text: "Two?"}}},
	} {
		if got := shown.Settled(Asked{Question: q}, away.Device{}); got.Title != title || got.Mine {
			t.Errorf("%+v, want %s", got, title)
		}
	}
	if got := wordsOf(beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"a", "b"}}, {Other: "c"}}}); got != "a, b, c" {
		t.Errorf("%q", got)
	}
}

func TestACardSaysWhatWasSaidAndTheRestByRight(t *testing.T) {
	t.Parallel()
	tool := func(id, name, target string) beckon.Entry {
		return beckon.Entry{RunID: "r", Kind: beckon.ToolEntry, Tool: &beckon.ToolCall{UseID: id, Name: name, Target: target, Done: true}}
	}
	text := func(words string) beckon.Entry {
		return beckon.Entry{RunID: "r", Kind: beckon.TextEntry, Text: words}
	}
	sub := text("from a sub-agent")
	sub.Parent = "x"
	entries := []beckon.Entry{
		{RunID: "r", Kind: beckon.UserEntry, Text: "Paint"},
		text("an older thought"), tool("1", "Read", "old"), text("What should happen? " + secret + strings.Repeat("x", 3000)),
		tool("2", "Read", "a"), tool("3", "Bash", "echo "+secret), sub, tool("4", "Edit", "c"), tool("ask", "ask_user", ""), tool("5", "Bash", "after"),
	}
	a := Asked{Agent: Agent{"codex", "Codex"}, Question: beckon.Question{ID: "q", RunID: "r", TaskID: "t", ToolUseID: "ask", Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Diff: "+x", Input: "{}"}}}
	few := shown.Card(a, entries, away.Device{})
	if len(few.Before.Tools) != 0 || len(few.Lines) != 0 || !strings.HasPrefix(few.Before.Text, "What should happen? "+mask.Hidden) || len(few.Before.Text) > maxBefore {
		t.Errorf("without the right: %+v", few)
	}
	if few.Asked.Agent != a.Agent {
		t.Errorf("another agent is not named: %+v", few.Asked)
	}
	if few.Asked.Question.Permission.Diff != "+x" || few.Asked.Question.Permission.Input != "{}" {
		t.Errorf("the card is not whole: %+v", few.Asked.Question.Permission)
	}
	all := shown.Card(a, entries, away.Device{Rights: remote.Rights{Lines: true}})
	if fmt.Sprint(all.Before.Tools) != fmt.Sprint([]Said{{"Read", "a"}, {"Bash", "echo " + mask.Hidden}, {"Edit", "c"}}) {
		t.Errorf("%+v", all.Before.Tools)
	}
	if len(all.Lines) != 10 || all.Lines[9] != (Line{beckon.ToolEntry, "Bash after"}) {
		t.Errorf("%+v", all.Lines)
	}
	list := shown.Inbox([]Asked{a}, nil, away.Device{})
	if p := list.Waiting[0].Question.Permission; p.Diff != "" || p.Input != "" || a.Question.Permission.Diff != "+x" {
		t.Errorf("the list has long texts: %+v", p)
	}
}

func TestNothingThatLooksLikeASecretReachesAPhone(t *testing.T) {
	t.Parallel()
	s := "x " + secret + " y"
	a := Asked{Title: s, Project: Project{Name: s}, Question: beckon.Question{
		ID: "q", TaskID: "t", Plan: s, Message: s, Origin: s, Reason: reason.Said(s), Assumption: s, Form: `{"properties":{"a":{"title":"` + s + `","description":"` + s + `"}},"required":["a"]}`,
		Items:      []beckon.QuestionItem{{Header: s, Text: s, Options: []beckon.Option{{Label: s, Description: s, Preview: s}}}},
		Permission: &beckon.PermissionRequest{Description: s, Reason: s, Command: s, Path: s, Diff: s, Input: s, Always: s, Lasting: []string{s}},
		Answer:     &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{s}, Other: s, Note: s}}, Text: s, Plan: s, Content: s},
	}}
	entries := []beckon.Entry{{Kind: beckon.TextEntry, Text: s}, {Kind: beckon.ToolEntry, Tool: &beckon.ToolCall{Name: "Bash", Target: s, Done: true}}}
	text, err := json.Marshal(shown.Card(a, entries, away.Device{Rights: remote.Rights{Lines: true}}))
	if err != nil || strings.Contains(string(text), secret) {
		t.Errorf("%s, %v", text, err)
	}
	if !strings.Contains(string(text), `required`) {
		t.Errorf("the form is lost: %s", text)
	}
	if a.Question.Items[0].Options[0].Label != s || a.Question.Permission.Command != s || a.Question.Answer.Text != s {
		t.Error("what the desk has was changed")
	}
}

func TestPathsOfThisComputerAreShownFromTheAgentsFolder(t *testing.T) {
	t.Parallel()
	v := shown
	v.Home = "/home/mira"
	a := Asked{Folders: []string{"/home/mira/.beckon/worktrees/kes-1/", "/home/mira/kestrel", ""}}
	for given, want := range map[string]string{
		"/home/mira/.beckon/worktrees/kes-1/plan/ranges.go":          "plan/ranges.go",
		"/home/mira/.beckon/worktrees/kes-1":                         ".",
		"cd /home/mira/kestrel && make -C /home/mira/kestrel/sub":    "cd . && make -C sub",
		"diff /home/mira/kestrel2/a '/home/mira/kestrel/b'":          "diff ~/kestrel2/a 'b'",
		"cat /home/mira/.ssh/config /home/miranda/x /x/home/mira/y.": "cat ~/.ssh/config /home/miranda/x /x/home/mira/y.",
		"see /home/mira/kestrel, or /home/mira.":                     "see ., or /home/mira.",
	} {
		if got := v.near(given, a); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
	a.Question = beckon.Question{ID: "q", TaskID: "t", RunID: "r", Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Tool: "Edit", Path: "/home/mira/kestrel/a.go", Command: "cat /home/mira/kestrel/a.go"}}
	entries := []beckon.Entry{
		{RunID: "r", Kind: beckon.TextEntry, Text: "I read /home/mira/kestrel/a.go."},
		{RunID: "r", Kind: beckon.ToolEntry, Tool: &beckon.ToolCall{Name: "Read", Target: "/home/mira/kestrel/a.go", Done: true}},
	}
	card := v.Card(a, entries, away.Device{Rights: remote.Rights{Lines: true}})
	if card.Before.Text != "I read a.go." || card.Before.Tools[0].Text != "a.go" || card.Lines[1].Text != "Read a.go" || card.Asked.Question.Permission.Path != "a.go" {
		t.Errorf("%+v", card)
	}
	if got := card.Asked.Question.Permission.Command; got != "cat /home/mira/kestrel/a.go" {
		t.Errorf("what is allowed is shown as %q", got)
	}
	if text, err := json.Marshal(card); err != nil || strings.Contains(string(text), "worktrees") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestAnAnswerChoosesWhatWasAskedNotWhatWasShown(t *testing.T) {
	t.Parallel()
	other := "sk-zyxwvutsrqponmlkjihgfedcba543210"
	q := beckon.Question{Plan: "use " + secret, Items: []beckon.QuestionItem{
		{Options: []beckon.Option{{Label: "use " + secret}, {Label: "none"}}}, {Options: []beckon.Option{{Label: "use " + secret}, {Label: "use " + other}}},
	}}
	given := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"use " + mask.Hidden, "none", "mine"}}, {Labels: []string{"use " + secret}}, {Labels: []string{"too many"}}}}
	got, err := shown.Unmask(q, given)
	if err != nil || fmt.Sprint(got.Items[0].Labels) != fmt.Sprint([]string{"use " + secret, "none", "mine"}) || given.Items[0].Labels[0] != "use "+mask.Hidden {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := shown.Unmask(q, beckon.Answer{Items: []beckon.ItemAnswer{{}, {Labels: []string{"use " + mask.Hidden}}}}); beckon.Code(err) != "invalid" {
		t.Errorf("one of two that look the same: %v", err)
	}
	if _, err := shown.Unmask(q, beckon.Answer{Plan: "use " + mask.Hidden}); beckon.Code(err) != "invalid" {
		t.Errorf("a plan with a mask in it: %v", err)
	}
}

func TestTodayBeginsAtMidnightHere(t *testing.T) {
	t.Parallel()
	v := View{Zone: time.FixedZone("", 2*60*60)}
	at := time.Date(2026, 9, 30, 23, 30, 0, 0, time.UTC)
	if got := time.UnixMilli(v.Today(at)).UTC(); got != time.Date(2026, 9, 30, 22, 0, 0, 0, time.UTC) {
		t.Errorf("%v", got)
	}
}
