package runner_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/runner/runnertest"
	"beckon/backend/store"
)

// quick runs a task whose questions wait for so many milliseconds, which is
// less than a person may choose.
func (d driver) quick(policy beckon.Policy, waitMs int64) beckon.Task {
	d.T.Helper()
	task, err := d.Board.CreateTask(d.T.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Quick", Policy: policy})
	if err != nil {
		d.T.Fatal(err)
	}
	_, err = d.Store.UpdateTask(d.T.Context(), task.ID, func(t *beckon.Task) error { t.WaitMs = waitMs; return nil })
	if err != nil {
		d.T.Fatal(err)
	}
	if task, err = d.Board.MoveTask(d.T.Context(), task.ID, beckon.Running, 0); err != nil {
		d.T.Fatal(err)
	}
	return task
}

// heard waits until the question's answer was delivered.
func (d driver) heard(id string) {
	d.T.Helper()
	d.Until("the delivery of the answer", func() bool {
		return slices.ContainsFunc(d.Asked, func(q beckon.Question) bool { return q.ID == id && q.Delivered != 0 })
	})
}

// said returns what the agent wrote into a file of the task's worktree.
func (d driver) said(taskID, file string) string {
	d.T.Helper()
	d.Lock()
	dir := d.Tasks[taskID].Worktree
	d.Unlock()
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		d.T.Error(err)
	}
	return string(text)
}

// secondRun waits until the task's second run is over.
func (d driver) secondRun(taskID string) {
	d.T.Helper()
	d.Until("end of the second run", func() bool {
		return d.Runs[taskID].Number == 2 && d.Runs[taskID].Phase == beckon.Ended && d.Tasks[taskID].Status == beckon.Review
	})
}

const notesWhatItHears = "write heard.txt ${message}\n"

func TestAParkedRunFreesItsSlotAndTheAnswerResumesIt(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]string{
		"can_use_tool": "ask Which colour? | Red | Blue\n",
		"mcp":          `ask_user {"question":"Which colour?","options":["Red","Blue"]}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parks(t, ask)
		})
	}
}

func parks(t *testing.T, ask string) {
	d := startAgents(t, ask+"text never said\n", notesWhatItHears)
	task, run := d.Ended(d.quick(beckon.Park, 200).ID)
	if run.Outcome != beckon.Parked || !strings.Contains(run.Reason, "nobody answered") {
		t.Errorf("the run ended %s because %q", run.Outcome, run.Reason)
	}
	q := d.Became(task.ID, beckon.Orphaned)
	d.Choose(q, "Blue")
	d.secondRun(task.ID)
	if heard := d.said(task.ID, "heard.txt"); !strings.Contains(heard, "You asked: Which colour?") || !strings.Contains(heard, `"Which colour?" → "Blue"`) {
		t.Errorf("the resumed agent was told %q", heard)
	}
	d.heard(q.ID)
	if runs, err := d.History.Runs(t.Context(), task.ID); err != nil || len(runs) != 2 || runs[0].Session != runs[1].Session {
		t.Errorf("runs %+v, %v; want two of one session", runs, err)
	}
}

func TestTheAnswerToAKilledAgentResumesItAndTheOthersStay(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "parallel\nask Which? | A | B\nask What else? | C | D\nrun sleep 1; kill -9 $PPID\nend\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die"})
	which := d.Question("Which?")
	d.Question("What else?")
	d.Ended(task.ID)
	d.Choose(which, "A")
	d.secondRun(task.ID)
	if heard := d.said(task.ID, "heard.txt"); !strings.Contains(heard, `"Which?" → "A"`) || strings.Contains(heard, "What else?") {
		t.Errorf("the resumed agent was told %q", heard)
	}
	if q := d.Became(task.ID, beckon.Orphaned); q.Items[0].Text != "What else?" {
		t.Errorf("what nobody answered is %+v", q)
	}
}

// TestTheAnswerToAKilledAgentResumesItWhenTheChatIsOver: while a chat lives on
// the card, the agent that asked cannot.
func TestTheAnswerToAKilledAgentResumesItWhenTheChatIsOver(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "parallel\nask Which? | A | B\nrun sleep 1; kill -9 $PPID\nend\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die"})
	q := d.Question("Which?")
	d.Ended(task.ID)
	if _, err := d.Runner.StartInteractive(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.idle(task.ID, 0)
	d.Choose(q, "A")
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Until("the agent that asked goes on", func() bool {
		run := d.Runs[task.ID]
		return run.Kind == beckon.TaskRun && run.Number == 3 && run.Phase == beckon.Ended
	})
	if heard := d.said(task.ID, "heard.txt"); !strings.Contains(heard, `"Which?" → "A"`) {
		t.Errorf("the resumed agent was told %q", heard)
	}
}

func TestAnAnswerThatCanNotBeBroughtIsKeptForTheNextRun(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "parallel\nask Which? | A | B\nrun sleep 1; kill -9 $PPID\nend\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die"})
	q := d.Question("Which?")
	d.Ended(task.ID)
	edit := d.Project
	edit.Trusted = false
	if _, err := d.Board.EditProject(t.Context(), edit); err != nil {
		t.Fatal(err)
	}
	d.Choose(q, "A")
	d.Until("the card says that the answer waits", func() bool { return strings.Contains(d.Tasks[task.ID].Trouble, "Your answer is kept") })
	if _, err := d.Board.EditProject(t.Context(), d.Project); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Runner.SendBack(t.Context(), task.ID, "Go on then."); err != nil {
		t.Fatal(err)
	}
	d.secondRun(task.ID)
	if heard := d.said(task.ID, "heard.txt"); strings.Count(heard, `"Which?" → "A"`) != 1 || !strings.HasSuffix(strings.TrimSpace(heard), "Go on then.") {
		t.Errorf("the next run was told %q; want the answer and the comment", heard)
	}
}

// TestAnAnswerThatBeckonDiedWithIsHeardOnce: Beckon dies between the answer's
// commit and its delivery.
func TestAnAnswerThatBeckonDiedWithIsHeardOnce(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die"})
	q := d.Question("Which?")
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Settle(t.Context(), q.ID, beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"B"}}}, By: "user", At: 1}, "")
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, d.Runner.Claude)
	if _, err := again.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	again.secondRun(task.ID)
	again.heard(q.ID)
	if heard := again.said(task.ID, "heard.txt"); strings.Count(heard, `"Which?" → "B"`) != 1 {
		t.Errorf("the first run after the death was told %q", heard)
	}
	if _, err := again.Runner.SendBack(t.Context(), task.ID, "Once more."); err != nil {
		t.Fatal(err)
	}
	again.Until("end of the third run", func() bool { return again.Runs[task.ID].Number == 3 && again.Runs[task.ID].Phase == beckon.Ended })
	if heard := again.said(task.ID, "heard.txt"); strings.Contains(heard, "Which?") {
		t.Errorf("the second run after it was told %q", heard)
	}
}

func TestAChatThatBeckonDiedWithGoesOnWithTheAnswer(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\n", "write heard.txt ${message}\n")
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Talk"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Runner.StartInteractive(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.idle(task.ID, 0)
	d.post(task.ID, "Ask me.", beckon.Redirect)
	q := d.Question("Which?")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.DataDir, d.Runner.Claude)
	again.Choose(q, "B")
	again.heard(q.ID)
	again.Until("the chat is idle", func() bool { return again.Runs[task.ID].Phase == beckon.Idle })
	text, err := os.ReadFile(filepath.Join(d.Project.Dir, "heard.txt"))
	if err != nil || !strings.Contains(string(text), `"Which?" → "B"`) {
		t.Errorf("the chat was told %q, %v", text, err)
	}
	again.Lock()
	defer again.Unlock()
	if run := again.Runs[task.ID]; run.Kind != beckon.ChatRun || again.Tasks[task.ID].Status == beckon.Running {
		t.Errorf("the answer began %+v", run)
	}
}

// TestWhatWasAllowedToADeadAgentIsAllowedOnce: the resumed one is not asked
// about the very call that the user allowed, but about the next.
func TestWhatWasAllowedToADeadAgentIsAllowedOnce(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"short":                "touch allowed.txt",
		"longer than is shown": "touch allowed.txt # " + strings.Repeat("x", 40<<10),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			allowedOnce(t, command)
		})
	}
}

func allowedOnce(t *testing.T, command string) {
	permit := `permit Bash {"command":"` + command + `"}` + "\n"
	d := startAgents(t, "parallel\n"+permit+"run sleep 1; kill -9 $PPID\nend\n", permit+permit)
	task := d.Run(beckon.NewTask{Title: "Die"})
	q := d.Question("touch allowed.txt")
	d.Ended(task.ID)
	d.Answer(q.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	d.Answer(d.Question("touch allowed.txt").ID, beckon.Answer{Verdict: beckon.Deny})
	d.secondRun(task.ID)
	if qs, err := d.History.Questions(t.Context(), task.ID); err != nil || len(qs) != 2 {
		t.Errorf("asked %d times, %v; want twice for three calls", len(qs), err)
	}
	d.said(task.ID, "allowed.txt")
}

func TestAPlanApprovedAfterItsAgentDiedIsCarriedOut(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "parallel\nplan 1. measure\nrun sleep 1; kill -9 $PPID\nend\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die", Mode: beckon.ModePlan})
	q := d.Question("1. measure")
	d.Ended(task.ID)
	d.Answer(q.ID, beckon.Answer{Verdict: beckon.AllowOnce, Mode: beckon.ModeDefault})
	d.secondRun(task.ID)
	if heard := d.said(task.ID, "heard.txt"); !strings.Contains(heard, "The plan is approved. Carry it out.") {
		t.Errorf("the resumed agent was told %q", heard)
	}
	d.Lock()
	defer d.Unlock()
	if run := d.Runs[task.ID]; run.Mode != beckon.ModeDefault {
		t.Errorf("it goes on in %s, want the mode that was chosen", run.Mode)
	}
}

// TestAnAnswerIsBroughtThoughTheConversationIsLost: claude was killed before
// it wrote the session down, so that it cannot be resumed. It says so on
// stderr, and in a result where it gets that far.
func TestAnAnswerIsBroughtThoughTheConversationIsLost(t *testing.T) {
	t.Parallel()
	const onStderr = "stderr No conversation found with session ID: x\n"
	for name, says := range map[string]string{
		"on stderr":   onStderr,
		"in a result": onStderr + `say {"type":"result","subtype":"error_during_execution","is_error":true,"errors":["No conversation found with session ID: x"]}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			anewAfter(t, says)
		})
	}
}

// anewAfter resumes an agent that says that its conversation is lost.
func anewAfter(t *testing.T, says string) {
	d := startWith(t, runnertest.AgentsOf(t, map[string]string{
		"first":   "parallel\nask Which? | A | B\nrun sleep 1; kill -9 $PPID\nend\n",
		"resumed": "resume: yes\nmatch: .\n" + says + "kill\n",
		"z-again": "match: The user answers now\n" + notesWhatItHears,
	}))
	task := d.Run(beckon.NewTask{Title: "Die", Brief: "Early on."})
	q := d.Question("Which?")
	d.Ended(task.ID)
	d.Choose(q, "A")
	d.Until("end of the third run", func() bool {
		return d.Runs[task.ID].Number == 3 && d.Runs[task.ID].Phase == beckon.Ended && d.Tasks[task.ID].Status == beckon.Review
	})
	if heard := d.said(task.ID, "heard.txt"); !strings.HasPrefix(heard, "Die\n\nEarly on.") || strings.Count(heard, `"Which?" → "A"`) != 1 {
		t.Errorf("the new conversation began with %q; want the brief and the answer", heard)
	}
}

func TestALateAnswerReachesTheAgentThatWentOn(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\nexpect The user answers now\ntext Oh, that one.\n", notesWhatItHears)
	task := d.quick(beckon.Proceed, 100)
	q := d.Became(task.ID, beckon.Expired)
	d.Choose(q, "A")
	d.heard(q.ID)
	d.Ended(task.ID)
	qs, err := d.History.Questions(t.Context(), task.ID)
	if err != nil || len(qs) != 1 || qs[0].Settlement != beckon.Expired || qs[0].Answer == nil {
		t.Errorf("the row is %+v, %v; want expired, with an answer", qs, err)
	}
}

func TestALateAnswerOpensTheNextRun(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\ntext I took A.\n", notesWhatItHears)
	task, _ := d.Ended(d.quick(beckon.Proceed, 100).ID)
	q := d.Became(task.ID, beckon.Expired)
	events, err := d.History.State(t.Context())
	if err != nil || !slices.ContainsFunc(events, func(e beckon.Event) bool { return e.Question != nil && e.Question.ID == q.ID }) {
		t.Errorf("a page that opens now is not shown the question in review: %v", err)
	}
	d.Choose(q, "B")
	if _, err := d.Runner.SendBack(t.Context(), task.ID, "Use it."); err != nil {
		t.Fatal(err)
	}
	d.secondRun(task.ID)
	if heard := d.said(task.ID, "heard.txt"); !strings.Contains(heard, `"Which?" → "B"`) || !strings.Contains(heard, "Use it.") {
		t.Errorf("the next run was told %q", heard)
	}
}

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
	events, err := d.History.State(t.Context())
	if err != nil || events[0].Settings == nil || !events[0].Settings.Paused {
		t.Errorf("a page that opens now is not told that all clocks are held: %v", err)
	}
	time.Sleep(500 * time.Millisecond)
	if now := d.Question("Which?"); now.ID != q.ID {
		t.Errorf("it became %+v", now)
	}
	if err := d.Desk.Hold(t.Context(), q.ID, false); err != nil {
		t.Fatal(err)
	}
	d.Became(task.ID, beckon.Expired)
	if again := d.Question("Again?"); again.HeldMs == 0 {
		t.Error("one clock that was let go let go all")
	}
	if err := d.Board.PauseAll(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	d.Ended(task.ID)
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
			if q.Settlement == beckon.Withdrawn && q.Reason == "You interrupted the turn." {
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
