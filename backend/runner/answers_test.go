package runner_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/tests/runnertest"
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
	if run.Outcome != beckon.Parked || !strings.Contains(run.Reason.String(), "nobody answered") {
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
	die := dying(t)
	d := startAgents(t, "parallel\nask Which? | A | B\nask What else? | C | D\n"+die.line()+"end\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die"})
	which := d.Question("Which?")
	d.Question("What else?")
	die.now()
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
	die := dying(t)
	d := startAgents(t, "parallel\nask Which? | A | B\n"+die.line()+"end\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die"})
	q := d.Question("Which?")
	die.now()
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
	die := dying(t)
	d := startAgents(t, "parallel\nask Which? | A | B\n"+die.line()+"end\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die"})
	q := d.Question("Which?")
	die.now()
	d.Ended(task.ID)
	edit := d.Project
	edit.Trusted = false
	if _, err := d.Board.EditProject(t.Context(), edit); err != nil {
		t.Fatal(err)
	}
	d.Choose(q, "A")
	d.Until("the card says that the answer waits", func() bool { return strings.Contains(d.Tasks[task.ID].Trouble.String(), "Your answer is kept") })
	if _, err := d.Board.EditProject(t.Context(), d.Project); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Runner.SendBack(t.Context(), task.ID, beckon.NewMessage{Text: "Go on then."}); err != nil {
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
	_, err = s.Settle(t.Context(), q.ID, beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"B"}}}, By: "user", At: 1}, nil)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, d.Find)
	if _, err := again.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	again.secondRun(task.ID)
	again.heard(q.ID)
	if heard := again.said(task.ID, "heard.txt"); strings.Count(heard, `"Which?" → "B"`) != 1 {
		t.Errorf("the first run after the death was told %q", heard)
	}
	if _, err := again.Runner.SendBack(t.Context(), task.ID, beckon.NewMessage{Text: "Once more."}); err != nil {
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
	again := openAt(t, d.DataDir, d.Find)
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
	die := dying(t)
	d := startAgents(t, "parallel\n"+permit+die.line()+"end\n", permit+permit)
	task := d.Run(beckon.NewTask{Title: "Die"})
	q := d.Question("touch allowed.txt")
	die.now()
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
	die := dying(t)
	d := startAgents(t, "parallel\nplan 1. measure\n"+die.line()+"end\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die", Mode: beckon.ModePlan})
	q := d.Question("1. measure")
	die.now()
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
	die := dying(t)
	d := startWith(t, runnertest.AgentsOf(t, map[string]string{
		"first":   "parallel\nask Which? | A | B\n" + die.line() + "end\n",
		"resumed": "resume: yes\nmatch: .\n" + says + "kill\n",
		"z-again": "match: The user answers now\n" + notesWhatItHears,
	}))
	task := d.Run(beckon.NewTask{Title: "Die", Brief: "Early on."})
	q := d.Question("Which?")
	die.now()
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
	events, _, err := d.History.State(t.Context())
	if err != nil || !slices.ContainsFunc(events, func(e beckon.Event) bool { return e.Question != nil && e.Question.ID == q.ID }) {
		t.Errorf("a page that opens now is not shown the question in review: %v", err)
	}
	d.Choose(q, "B")
	if _, err := d.Runner.SendBack(t.Context(), task.ID, beckon.NewMessage{Text: "Use it."}); err != nil {
		t.Fatal(err)
	}
	d.secondRun(task.ID)
	if heard := d.said(task.ID, "heard.txt"); !strings.Contains(heard, `"Which?" → "B"`) || !strings.Contains(heard, "Use it.") {
		t.Errorf("the next run was told %q", heard)
	}
}

// TestAChangedAnswerReachesTheAgentThatWorksOnTheFirst: its turn is cut, and it
// hears the change once, whatever its first answer's result shows afterwards.
func TestAChangedAnswerReachesTheAgentThatWorksOnTheFirst(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\nrun sleep 60\ntext never said\nturn\n"+notesWhatItHears, "text unused\n")
	task := d.Run(beckon.NewTask{Title: "Slip"})
	q := d.Question("Which?")
	d.Choose(q, "A")
	d.heard(q.ID)
	d.change(q.ID, 0, "B")
	d.Ended(task.ID)
	heard := d.said(task.ID, "heard.txt")
	if strings.Count(heard, "The user has changed that answer") != 1 || !strings.Contains(heard, `answered first:`+"\n"+`"Which?" → "A"`) || !strings.Contains(heard, `What holds now is:`+"\n"+`"Which?" → "B"`) {
		t.Errorf("the agent was told %q", heard)
	}
	d.heardChange(q.ID, 1)
	if runs, err := d.History.Runs(t.Context(), task.ID); err != nil || len(runs) != 1 {
		t.Errorf("%d runs, %v; want the one", len(runs), err)
	}
}

// TestAnAnswerChangedInTheMomentOfItsKeyIsHeardInOneOrder: twice, before its agent can
// have heard the first.
func TestAnAnswerChangedInTheMomentOfItsKeyIsHeardInOneOrder(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B | C\nrun sleep 60\ntext never said\nturn\n"+notesWhatItHears+"run sleep 60\nturn\n"+notesWhatItHears+"run sleep 60\n", "text unused\n")
	task := d.Run(beckon.NewTask{Title: "Slip"})
	q := d.Question("Which?")
	d.Choose(q, "A")
	d.change(q.ID, 0, "B")
	d.change(q.ID, 1, "C")
	d.heardChange(q.ID, 2)
	// It writes down what it heard a moment after it said that it has it.
	newest := func(heard string) bool {
		return strings.HasSuffix(strings.Split(heard, "\n\nCorrect")[0], `"Which?" → "C"`)
	}
	d.Until("the newest answer in its file", func() bool {
		heard, err := os.ReadFile(filepath.Join(d.Tasks[task.ID].Worktree, "heard.txt"))
		return err == nil && newest(string(heard))
	})
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil && !errors.Is(err, beckon.ErrConflict) {
		t.Error(err)
	}
	d.Ended(task.ID)
	if heard := d.said(task.ID, "heard.txt"); !newest(heard) {
		t.Errorf("the last that the agent was told is %q", heard)
	}
}

func TestAnAnswerThatIsChangedAfterTheRunsEndResumesIt(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\ntext I took it.\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Slip"})
	q := d.Question("Which?")
	d.Choose(q, "A")
	d.Ended(task.ID)
	d.change(q.ID, 0, "B")
	d.secondRun(task.ID)
	if heard := d.said(task.ID, "heard.txt"); strings.Count(heard, "The user has changed that answer") != 1 {
		t.Errorf("the resumed agent was told %q", heard)
	}
	d.heardChange(q.ID, 1)
}

// TestAChangeThatBeckonDiedWithIsHeardOnce: Beckon dies between the change's commit
// and its delivery, and while its agent works on the first answer.
func TestAChangeThatBeckonDiedWithIsHeardOnce(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\nrun sleep 60\n", notesWhatItHears)
	task := d.Run(beckon.NewTask{Title: "Die"})
	q := d.Question("Which?")
	d.Choose(q, "A")
	d.heard(q.ID)
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.ChangeAnswer(t.Context(), q.ID, 0, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"B"}}}, By: "user", At: 1})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, d.Find)
	// What was owed may have resumed it by then.
	if _, err := again.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0); err != nil && !errors.Is(err, beckon.ErrConflict) {
		t.Fatal(err)
	}
	again.secondRun(task.ID)
	again.heardChange(q.ID, 1)
	if heard := again.said(task.ID, "heard.txt"); strings.Count(heard, `"Which?" → "B"`) != 1 || strings.Count(heard, `"Which?" → "A"`) != 1 {
		t.Errorf("the first run after the death was told %q", heard)
	}
}

// TestAnApprovalThatIsTakenBackEndsTheWork and puts the agent back to planning.
func TestAnApprovalThatIsTakenBackEndsTheWork(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "plan 1. guess\nrun sleep 60\ntext never said\nturn\n"+notesWhatItHears, "text unused\n")
	task := d.Run(beckon.NewTask{Title: "Slip", Mode: beckon.ModePlan})
	q := d.Question("1. guess")
	d.Answer(q.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	d.heard(q.ID)
	if err := d.Desk.Change(t.Context(), q.ID, 0, beckon.Answer{Verdict: beckon.Deny, Text: "Measure first."}); err != nil {
		t.Fatal(err)
	}
	d.Ended(task.ID)
	if heard := d.said(task.ID, "heard.txt"); !strings.Contains(heard, "What holds now is:\nMeasure first.") {
		t.Errorf("the agent was told %q", heard)
	}
	d.Lock()
	defer d.Unlock()
	if run := d.Runs[task.ID]; run.Mode != beckon.ModePlan {
		t.Errorf("it goes on in %s, want to plan again", run.Mode)
	}
}

// change gives the question another answer than it has after so many changes.
func (d driver) change(id string, changes int, label string) {
	d.T.Helper()
	if err := d.Desk.Change(d.T.Context(), id, changes, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{label}}}}); err != nil {
		d.T.Fatal(err)
	}
}

// heardChange waits until the agent is known to have the answer after so many changes.
func (d driver) heardChange(id string, changes int) {
	d.T.Helper()
	d.Until("the delivery of the change", func() bool {
		return slices.ContainsFunc(d.Asked, func(q beckon.Question) bool {
			return q.ID == id && q.Delivered != 0 && len(q.Earlier) == changes
		})
	})
}
