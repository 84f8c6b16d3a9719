package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/runnertest"
)

func TestAStandingAnswerIsOverruledByAMessage(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\nask which | B | A\nwrite ruled.txt ${answer}\nexpect The user answers now\n", "")
	task := d.Run(beckon.NewTask{Title: "Rule"})
	d.Answer(d.Question("Which?").ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"A"}}}, Standing: true})
	var ruled beckon.Question
	d.Until("an answer by rule", func() bool {
		i := slices.IndexFunc(d.Asked, func(q beckon.Question) bool { return q.RuleID != "" && q.Delivered != 0 })
		if i >= 0 {
			ruled = d.Asked[i]
		}
		return i >= 0
	})
	d.Choose(ruled, "B")
	task, _ = d.Ended(task.ID)
	if text := d.said(task.ID, "ruled.txt"); text != "A" {
		t.Errorf("the rule answered %q, want A", text)
	}
	rules, err := d.Desk.Rules(t.Context())
	if err != nil || len(rules) != 1 || rules[0].Used != 1 {
		t.Fatalf("rules %+v, %v; want one, used once", rules, err)
	}
	if _, err := d.Desk.EditRule(t.Context(), beckon.Rule{ID: rules[0].ID, Text: " ?"}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a rule for nothing: %v", err)
	}
	if err := d.Desk.RevokeRule(t.Context(), rules[0].ID); err != nil {
		t.Error(err)
	}
	answered, err := d.History.AnsweredSince(t.Context(), ruled.Asked)
	if err != nil || len(answered) != 1 || answered[0].ID != ruled.ID || answered[0].Answer.By != "user" {
		t.Errorf("answered since then: %+v, %v; want the overruled one", answered, err)
	}
}

// TestAQuestionIsShownOnceItsSessionIsWrittenDown, however busy the database is: a Beckon
// that is killed then resumes the agent that asked.
func TestAQuestionIsShownOnceItsSessionIsWrittenDown(t *testing.T) {
	t.Parallel()
	d := start(t, "ask_user {\"question\":\"Which?\"}\n")
	busy := d.Card("Busy")
	for range 8 {
		ctx, cancel := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		ended.Go(func() {
			for ctx.Err() == nil {
				_, _ = d.Board.Update(ctx, busy.ID, func(t *beckon.Task) error { t.Brief += "."; return nil })
			}
		})
		defer func() { cancel(); ended.Wait() }()
	}
	for range 5 {
		task := d.Run(beckon.NewTask{Title: "Ask"})
		q := d.Question("Which?")
		if row, err := d.Store.Task(t.Context(), task.ID); err != nil || row.Session == "" {
			t.Errorf("the question is shown, and the session is %q, %v", row.Session, err)
		}
		d.Answer(q.ID, beckon.Answer{Verdict: beckon.Skip})
		d.Ended(task.ID)
	}
}

func TestASkippedQuestionLetsTheAgentDecide(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\nask_user {\"question\":\"And which?\"}\nwrite said.txt ${answer}\n")
	task := d.Run(beckon.NewTask{Title: "Skip"})
	d.Answer(d.Question("Which?").ID, beckon.Answer{Verdict: beckon.Skip})
	d.Answer(d.Question("And which?").ID, beckon.Answer{Verdict: beckon.Skip})
	d.Ended(task.ID)
	const want = "The user chose not to answer this. Proceed as you judge best, and say what you assume."
	if said := d.said(task.ID, "said.txt"); !strings.Contains(said, want) {
		t.Errorf("the agent was told %q", said)
	}
	d.Lock()
	defer d.Unlock()
	if !slices.ContainsFunc(d.Shown, func(e beckon.Entry) bool { return e.Tool != nil && e.Tool.Result == want }) {
		t.Error("AskUserQuestion was not told so")
	}
}

func TestAHeldClockStandsStill(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\nask Again? | A | B\n")
	if err := d.Board.PauseAll(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	task := d.quick(beckon.Proceed, 300)
	q := d.Question("Which?")
	if q.HeldMs != 300 || q.Deadline != 0 {
		t.Fatalf("away, a new question begins with %d held until %d", q.HeldMs, q.Deadline)
	}
	events, _, err := d.History.State(t.Context())
	if err != nil || events[0].Settings == nil || !events[0].Settings.Paused {
		t.Errorf("a page that opens now is not told that all clocks are held: %v", err)
	}
	// A clock as long, that begins to run only now, runs out.
	other := d.quick(beckon.Proceed, 300)
	if err := d.Desk.Hold(t.Context(), d.openOf(other.ID, "Which?").ID, false); err != nil {
		t.Fatal(err)
	}
	d.Became(other.ID, beckon.Expired)
	if now := d.openOf(task.ID, "Which?"); now.ID != q.ID || now.HeldMs != 300 {
		t.Errorf("it became %+v", now)
	}
	if err := d.Desk.Hold(t.Context(), q.ID, false); err != nil {
		t.Fatal(err)
	}
	d.Became(task.ID, beckon.Expired)
	if again := d.openOf(task.ID, "Again?"); again.HeldMs == 0 {
		t.Error("one clock that was let go let go all")
	}
	if err := d.Board.PauseAll(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	d.Ended(task.ID)
	d.Ended(other.ID)
}

// openOf waits for the open question of the task that asks so.
func (d driver) openOf(taskID, text string) beckon.Question {
	d.T.Helper()
	var found beckon.Question
	d.Until("the question "+text, func() bool {
		i := slices.IndexFunc(d.Asked, func(q beckon.Question) bool {
			return q.TaskID == taskID && q.Settlement == beckon.Open && q.Items[0].Text == text
		})
		if i >= 0 {
			found = d.Asked[i]
		}
		return i >= 0
	})
	return found
}

func TestAPlanIsCarriedOutAsEditedAndInTheModeThatWasChosen(t *testing.T) {
	t.Parallel()
	d := start(t, "plan 1. guess\nplan 2. measure\nwrite plan.txt ${answer}\nplan 3. ship\n")
	task := d.Run(beckon.NewTask{Title: "Plan", Mode: beckon.ModePlan})
	d.Answer(d.Question("1. guess").ID, beckon.Answer{Verdict: beckon.Deny, Text: "Measure instead."})
	err := d.Desk.Answer(t.Context(), d.Question("2. measure").ID, beckon.Answer{Verdict: beckon.AllowOnce, Mode: beckon.ModeBypass})
	if !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a plan was to be carried out without any consent: %v", err)
	}
	d.Answer(d.Question("2. measure").ID, beckon.Answer{Verdict: beckon.AllowOnce, Plan: "2. measure twice", Mode: beckon.ModeDefault})
	d.Until("the chosen mode", func() bool { return d.Runs[task.ID].Mode == beckon.ModeDefault })
	d.Answer(d.Question("3. ship").ID, beckon.Answer{Verdict: beckon.AllowOnce})
	d.Until("acceptEdits where none is chosen", func() bool { return d.Runs[task.ID].Mode == beckon.ModeAcceptEdits })
	d.Ended(task.ID)
	if plan := d.said(task.ID, "plan.txt"); plan != "2. measure twice" {
		t.Errorf("the agent carries out %q", plan)
	}
	d.Lock()
	defer d.Unlock()
	for _, want := range []string{"Measure instead.", "## Approved Plan:\n3. ship"} {
		if !slices.ContainsFunc(d.Shown, func(e beckon.Entry) bool { return e.Tool != nil && strings.Contains(e.Tool.Result, want) }) {
			t.Errorf("the agent never read %q", want)
		}
	}
}

func TestWhatIsAllowedForTheProjectCanBeReadAndRevoked(t *testing.T) {
	t.Parallel()
	d := start(t, `permit Bash {"command":"make test","description":"Run the tests"}`+"\n")
	task := d.Run(beckon.NewTask{Title: "Test"})
	q := d.Question("make test")
	if !slices.Equal(q.Permission.Lasting, []string{"Bash(make test)"}) {
		t.Fatalf("the project would be given %q", q.Permission.Lasting)
	}
	d.Answer(q.ID, beckon.Answer{Verdict: beckon.AllowAlways, Project: true})
	d.Ended(task.ID)
	p, err := d.Store.Project(t.Context(), d.Project.ID)
	if err != nil || !slices.Equal(p.Allowed, []string{"Bash(make test)"}) {
		t.Fatalf("the project allows %q, %v", p.Allowed, err)
	}
	for _, rule := range []string{"--dangerously-skip-permissions", "Bash(a),Bash(*)", "Bash(x) Bash(y)", "Bash,Read"} {
		p.Allowed = []string{rule}
		if _, err := d.Board.EditProject(t.Context(), p); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%q became a rule: %v", rule, err)
		}
	}
	p.Allowed = nil
	if p, err = d.Board.EditProject(t.Context(), p); err != nil || len(p.Allowed) != 0 {
		t.Errorf("revoked, the project allows %q, %v", p.Allowed, err)
	}
}

func TestAFormIsAcceptedDeclinedOrCancelled(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`
	step := func(n string) string {
		return `elicit "Who ` + n + `?" ` + schema + "\nwrite " + n + ".txt ${answer}\n"
	}
	d := start(t, step("one")+step("two")+step("three"))
	task := d.Run(beckon.NewTask{Title: "Fill in"})
	q := d.Question("Who one?")
	if q.Kind != beckon.Elicitation || q.Origin != "forms" || !json.Valid([]byte(q.Form)) {
		t.Errorf("the form is %+v", q)
	}
	if err := d.Desk.Answer(t.Context(), q.ID, beckon.Answer{Verdict: beckon.AllowOnce}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a form without what it requires was accepted: %v", err)
	}
	d.Answer(q.ID, beckon.Answer{Verdict: beckon.AllowOnce, Content: `{"name":"Ada"}`})
	d.Answer(d.Question("Who two?").ID, beckon.Answer{Verdict: beckon.Deny})
	d.Answer(d.Question("Who three?").ID, beckon.Answer{Verdict: beckon.Skip})
	d.Ended(task.ID)
	for n, want := range map[string]string{"one": `accept {"name":"Ada"}`, "two": "decline", "three": "cancel"} {
		if got := d.said(task.ID, n+".txt"); got != want {
			t.Errorf("form %s: the server heard %q, want %q", n, got, want)
		}
	}
}

func TestASubAgentIsNamed(t *testing.T) {
	t.Parallel()
	d := start(t, `-- script --
say {"type":"system","subtype":"task_started","task_id":"a577","tool_use_id":"toolu_1","description":"explore","subagent_type":"general-purpose","task_type":"local_agent"}
say {"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"touch sub.txt"},"agent_id":"a577","tool_use_id":"toolu_2"}}
ask Which? | A | B
`)
	task := d.Run(beckon.NewTask{Title: "Delegate"})
	if q := d.Question("touch sub.txt"); q.Agent != "explore" {
		t.Errorf("the sub-agent is called %q", q.Agent)
	}
	if q := d.Question("Which?"); q.Agent != "" {
		t.Errorf("the main agent is called %q", q.Agent)
	}
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Ended(task.ID)
}

func TestEachOfSeveralQuestionsGetsItsOwnAnswer(t *testing.T) {
	t.Parallel()
	d := start(t, `parallel
ask First? | 1 | 2
ask Second? | 1 | 2
ask_user {"question":"Third?"}
ask_user {"question":"Fourth?"}
permit Bash {"command":"touch allowed.txt"}
end
`)
	task := d.Run(beckon.NewTask{Title: "Several"})
	var open []beckon.Question
	for _, text := range []string{"touch allowed.txt", "Fourth?", "Second?", "First?", "Third?"} {
		open = append(open, d.Question(text))
	}
	d.Choose(open[2], "2")
	d.Answer(open[1].ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "four"}}})
	d.Answer(open[0].ID, beckon.Answer{Verdict: beckon.AllowOnce})
	d.Answer(open[4].ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "three"}}})
	d.Choose(open[3], "1")
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || task.Changes.Files != 1 {
		t.Errorf("the run %s (%s) changed %d files", run.Outcome, run.Reason, task.Changes.Files)
	}
	d.Lock()
	defer d.Unlock()
	for _, want := range []string{`"First?"="1"`, `"Second?"="2"`, "three", "four"} {
		if !slices.ContainsFunc(d.Shown, func(e beckon.Entry) bool { return e.Tool != nil && strings.Contains(e.Tool.Result, want) }) {
			t.Errorf("no call was answered %s", want)
		}
	}
}

func TestAnInterruptClosesWhatItsTurnAskedAndTheNextTurnAsksAnew(t *testing.T) {
	t.Parallel()
	d := start(t, "parallel\nask First? | A | B\nask_user {\"question\":\"Beside?\"}\nend\nturn\nask Second? | A | B\n")
	task := d.Run(beckon.NewTask{Title: "Interrupt"})
	first, beside := d.Question("First?"), d.Question("Beside?")
	if err := d.Runner.Interrupt(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Until("both are withdrawn", func() bool {
		n := 0
		for _, q := range d.Asked {
			if q.Settlement == beckon.Withdrawn && q.Reason.String() == "You interrupted the turn." {
				n++
			}
		}
		return n == 2
	})
	for _, q := range []beckon.Question{first, beside} {
		if err := d.Desk.Answer(t.Context(), q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "x"}}}); !errors.Is(err, beckon.ErrConflict) {
			t.Errorf("answered after the interrupt: %v", err)
		}
	}
	d.post(task.ID, "Ask otherwise.", beckon.Steer)
	d.Choose(d.Question("Second?"), "A")
	d.Ended(task.ID)
}

func TestDraftsSurviveRestartAndExpiry(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\n", notesWhatItHears)
	task, _ := d.Ended(d.quick(beckon.Proceed, 500).ID)
	q := d.Became(task.ID, beckon.Expired)
	if err := d.Board.SaveDraft(t.Context(), q.ID, `{"other":"half a th"}`); err != nil {
		t.Fatal(err)
	}
	if err := d.Board.SaveDraft(t.Context(), q.ID, strings.Repeat("x", 1<<20)); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a megabyte of draft: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.DataDir, runnertest.NoAgents)
	drafts, err := again.Board.Drafts(t.Context())
	if err != nil || len(drafts) != 1 || drafts[0] != (beckon.Draft{QuestionID: q.ID, Text: `{"other":"half a th"}`}) {
		t.Errorf("drafts %+v, %v", drafts, err)
	}
}

func TestTheSecondAnswerIsToldSo(t *testing.T) {
	t.Parallel()
	d := start(t, `ask_user {"question":"Which colour?","options":["Red","Blue"]}`+"\n")
	task := d.Run(beckon.NewTask{Title: "Paint"})
	q := d.Question("Which colour?")
	d.Choose(q, "Red")
	err := d.Desk.Answer(t.Context(), q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}})
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "Red") {
		t.Errorf("the second answer got %v; want a conflict that names the first", err)
	}
	d.Ended(task.ID)
}
