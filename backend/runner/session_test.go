package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// idle waits until a task's agent has had so many turns and waits for more.
func (d *desktopOf) idle(taskID string, turns int) {
	d.t.Helper()
	d.until("the agent is idle", func() bool { return d.runs[taskID].Phase == beckon.Idle && d.runs[taskID].Turns == turns })
}

// chat opens a chat on a new task and says the first thing, unless it is
// empty.
func (d *desktopOf) chat(first string) beckon.Task {
	d.t.Helper()
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Talk", Brief: "About this and that."})
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.StartInteractive(task.ID); err != nil {
		d.t.Fatal(err)
	}
	d.idle(task.ID, 0)
	if first != "" {
		d.tell(task.ID, first, 1)
	}
	return task
}

// tell says something and waits for the end of the turn, by their number.
func (d *desktopOf) tell(taskID, text string, turns int) {
	d.t.Helper()
	d.post(taskID, text, beckon.Redirect)
	d.idle(taskID, turns)
}

// resume stops a task's chat and opens it again.
func (d *desktopOf) resume(taskID string) {
	d.t.Helper()
	if err := d.Stop(taskID); err != nil {
		d.t.Fatal(err)
	}
	d.until("the chat ends", func() bool { return d.runs[taskID].Phase == beckon.Ended })
	if _, err := d.StartInteractive(taskID); err != nil {
		d.t.Fatal(err)
	}
	d.idle(taskID, 0)
}

func (d *desktopOf) latest(taskID string) beckon.Run {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.runs[taskID]
}

func TestAbilitiesAreKnownWhileNoAgentLives(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	other, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Never ran"})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := d.Abilities(other.ID); err != nil || b.Models == nil || len(b.Models) != 0 || b.Commands == nil {
		t.Errorf("before any run: %+v, %v; want empty lists", b, err)
	}
	task := d.chat("")
	for range 2 {
		b, err := d.Abilities(task.ID)
		if err != nil || len(b.Models) != 2 || b.Models[1].Resolved != "claude-sonnet-5" || !slices.Contains(b.Models[0].Efforts, "low") {
			t.Fatalf("models %+v, %v", b.Models, err)
		}
		if len(b.Commands) == 0 || b.Commands[0].Name != "compact" || b.Commands[0].Description == "" {
			t.Fatalf("commands %+v", b.Commands)
		}
		if err := d.close(); err != nil {
			t.Fatal(err)
		}
		d = openAt(t, d.p.runner.DataDir, d.p.runner.Claude)
	}
}

// TestAChatGoesOnAsItWasSwitched: model, mode and effort change at once, are
// refused where they are unavailable, and are those of the next run.
func TestAChatGoesOnAsItWasSwitched(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\nturn\ntext again\n")
	task := d.chat("")
	for what, err := range map[string]error{
		"a model that is not there": d.SwitchModel(task.ID, "gpt"),
		"a mode that is not there":  d.SwitchMode(task.ID, "nonsense"),
		"an unknown effort":         d.SwitchEffort(task.ID, "huge"),
	} {
		if !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := d.SwitchMode(task.ID, beckon.ModeBypass); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("permissions bypassed in an agent that asks for them: %v", err)
	}
	if err := errors.Join(d.SwitchEffort(task.ID, "low"), d.SwitchMode(task.ID, beckon.ModePlan)); err != nil {
		t.Fatal(err)
	}
	d.tell(task.ID, "hello", 1)
	if run := d.latest(task.ID); run.Effort != "low" || run.Mode != beckon.ModePlan || run.Model != "claude-opus-4-8[1m]" {
		t.Errorf("the run has model %q, mode %q, effort %q", run.Model, run.Mode, run.Effort)
	}
	d.resume(task.ID)
	if run := d.latest(task.ID); run.Effort != "low" || run.Mode != beckon.ModePlan || run.Model != "claude-opus-4-8[1m]" || run.Context.Tokens == 0 {
		t.Errorf("the resumed run has %+v; want model, mode, effort and gauge of the one before", run)
	}
	if err := d.SwitchModel(task.ID, "sonnet"); err != nil {
		t.Fatal(err)
	}
	d.until("the other model, which has no efforts, is shown", func() bool {
		return d.runs[task.ID].Model == "claude-sonnet-5" && d.runs[task.ID].Effort == ""
	})
	if err := d.SwitchEffort(task.ID, "low"); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("an effort that the model does not have: %v", err)
	}
	d.tell(task.ID, "hello", 1)
	if run := d.latest(task.ID); run.Model != "claude-sonnet-5" {
		t.Errorf("the turn was taken by %q", run.Model)
	}
}

func TestATaskKeepsTheModelThatItsRunWasSwitchedTo(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.run(beckon.NewTask{Title: "Work"})
	q := d.open("Which?")
	if err := errors.Join(d.SwitchModel(task.ID, "sonnet"), d.SwitchMode(task.ID, beckon.ModeAcceptEdits)); err != nil {
		t.Fatal(err)
	}
	d.choose(q, "A")
	task, run := d.ended(task.ID)
	if task.Model != "sonnet" || task.Mode != beckon.ModeAcceptEdits || run.Mode != beckon.ModeAcceptEdits {
		t.Errorf("the task has %q and %q, its run %q", task.Model, task.Mode, run.Mode)
	}
}

func TestTheGaugeShowsTheNewestMessageAgainstTheModel(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\nturn\ntext again\n")
	task := d.chat("hello")
	d.tell(task.ID, "again", 2)
	if run := d.latest(task.ID); run.Context != (beckon.Gauge{Tokens: 1000, Limit: 1_000_000}) {
		t.Errorf("gauge %+v; want what the newest message took in, not a sum", run.Context)
	}
	if err := d.SwitchModel(task.ID, "sonnet"); err != nil {
		t.Fatal(err)
	}
	d.tell(task.ID, "more", 3)
	if run := d.latest(task.ID); run.Context.Limit != 200_000 {
		t.Errorf("gauge %+v; want the smaller model's limit", run.Context)
	}
	d.tell(task.ID, "/compact", 4)
	if run := d.latest(task.ID); run.Context.Tokens != 400 {
		t.Errorf("after the conversation was compacted the gauge shows %+v", run.Context)
	}
	d.tell(task.ID, "/clear", 5)
	if run := d.latest(task.ID); run.Context.Tokens != 0 {
		t.Errorf("after the conversation was cleared the gauge shows %+v", run.Context)
	}
	usage, err := d.ContextUsage(task.ID)
	if err != nil || usage.Gauge.Limit != 200_000 || len(usage.Parts) == 0 || usage.Parts[0].Name == "" {
		t.Errorf("usage %+v, %v", usage, err)
	}
}

func TestToolServersAreShownWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	task := d.chat("")
	servers, err := d.ToolServers(task.ID)
	if err != nil || len(servers) != 1 || servers[0].Name != "beckon" || servers[0].Status != "connected" {
		t.Errorf("servers %+v, %v", servers, err)
	}
	if err := d.ReconnectServer(task.ID, "beckon"); err != nil {
		t.Error(err)
	}
	if err := d.ReconnectServer(task.ID, "nobody"); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a server that is not there: %v", err)
	}
}

func TestNothingIsSwitchedWhereNoAgentLives(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Rest"})
	if err != nil {
		t.Fatal(err)
	}
	_, usage := d.ContextUsage(task.ID)
	for _, err := range []error{d.SwitchModel(task.ID, ""), d.SwitchMode(task.ID, beckon.ModePlan), d.SwitchEffort(task.ID, ""), usage} {
		if !errors.Is(err, beckon.ErrConflict) {
			t.Errorf("%v; want it to say that no agent works", err)
		}
	}
}

// TestFilesGoBackToWhereAMessageFoundThem: what the agent changed since, and
// nothing while it works.
func TestFilesGoBackToWhereAMessageFoundThem(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\nturn\nwrite made.txt \"one\\ntwo\\n\"\nturn\nask Which? | A | B\n")
	task := d.chat("hello")
	made := filepath.Join(d.project.Dir, "made.txt")
	d.tell(task.ID, "write it", 2)
	message := d.messageID(task.ID, "write it")

	preview, err := d.PreviewRewind(task.ID, message)
	if err != nil || !preview.Possible || preview.Removed != 2 || !slices.Equal(preview.Files, []string{"made.txt"}) {
		t.Errorf("preview %+v, %v", preview, err)
	}
	if _, err := os.Stat(made); err != nil {
		t.Fatalf("the preview did it: %v", err)
	}
	if unknown, err := d.PreviewRewind(task.ID, "user/nobody"); err != nil || unknown.Possible || unknown.Reason == "" {
		t.Errorf("a message that is not there: %+v, %v", unknown, err)
	}
	if _, err := d.Rewind(task.ID, "user/nobody"); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("back to a message that is not there: %v", err)
	}
	d.post(task.ID, "ask me", beckon.Redirect)
	q := d.open("Which?")
	if _, err := d.Rewind(task.ID, message); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("files were taken back while the agent works: %v", err)
	}
	d.choose(q, "A")
	d.idle(task.ID, 3)
	if _, err := d.Rewind(task.ID, message); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(made); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	if page, err := d.Transcript(task.ID, "", 100); err != nil || !slices.ContainsFunc(page.Entries, func(e beckon.Entry) bool {
		return e.Notice == "rewound" && e.Text == "made.txt"
	}) {
		t.Errorf("the transcript does not say so: %+v, %v", page.Entries, err)
	}
}

// messageID returns the id of the entry with what the user said.
func (d *desktopOf) messageID(taskID, text string) string {
	d.t.Helper()
	page, err := d.Transcript(taskID, "", 100)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range page.Entries {
		if e.Kind == beckon.UserEntry && e.Text == text {
			return e.ID
		}
	}
	d.t.Fatalf("nobody said %q: %+v", text, page.Entries)
	return ""
}

func TestAForkGoesOnByItself(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "write session.txt ${session}\nturn\nwrite session.txt ${session}\n", "write forked.txt ${session}\nturn\nwrite forked.txt ${session}\n")
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(d.project.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	task := d.chat("")
	if _, err := d.Fork(task.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a chat in which nothing was said was forked: %v", err)
	}
	d.tell(task.ID, "hello", 1)
	original := read("session.txt")

	fork, err := d.Fork(task.ID)
	if err != nil || fork.Title != "Fork of Talk" || fork.ProjectID != task.ProjectID || fork.Status != beckon.Backlog {
		t.Fatalf("fork %+v, %v", fork, err)
	}
	d.idle(fork.ID, 0)
	d.resume(fork.ID) // nothing was said in it: it begins again from the same place
	d.tell(fork.ID, "hello", 1)
	copied := read("forked.txt")
	if copied == original || copied != d.latest(fork.ID).Session {
		t.Errorf("the fork speaks in session %s, the chat in %s; its run has %s", copied, original, d.latest(fork.ID).Session)
	}
	d.tell(task.ID, "go on", 2)
	if got := read("session.txt"); got != original {
		t.Errorf("the chat goes on in session %s, not %s", got, original)
	}
	d.resume(fork.ID)
	d.tell(fork.ID, "hello", 1)
	if got := read("forked.txt"); got != copied {
		t.Errorf("the fork goes on in session %s, not in its own %s", got, copied)
	}
}

// TestAChatThatClaudeForgotBeginsAgainByItself, and a notice says that the
// model does not know the earlier words.
func TestAChatThatClaudeForgotBeginsAgainByItself(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "write session.txt ${session}\n", "stderr No conversation found with session ID: x\ncrash 1\n")
	task := d.chat("hello")
	lost := d.latest(task.ID).Session
	d.resume(task.ID)
	d.post(task.ID, "hello", beckon.Redirect)
	d.until("another chat is idle", func() bool { return d.runs[task.ID].Number == 3 && d.runs[task.ID].Phase == beckon.Idle })
	d.tell(task.ID, "hello", 1)
	if got := d.latest(task.ID).Session; got == lost {
		t.Errorf("the chat goes on in session %s, which claude does not have", got)
	}
	page, err := d.Transcript(task.ID, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, e := range page.Entries {
		if e.Kind == beckon.UserEntry || e.Notice == "session_lost" {
			shown = append(shown, e.Text+e.Notice)
		}
	}
	if want := []string{"hello", "hello", "session_lost", "hello"}; !slices.Equal(shown, want) {
		t.Errorf("the transcript shows %q, want %q", shown, want)
	}
}

// TestARunThatGoesOnHasTheModelOfTheOneBefore: claude would fall back to a
// smaller context.
func TestARunThatGoesOnHasTheModelOfTheOneBefore(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.run(beckon.NewTask{Title: "Work"})
	q := d.open("Which?")
	if err := d.SwitchEffort(task.ID, "medium"); err != nil {
		t.Fatal(err)
	}
	d.choose(q, "A")
	d.ended(task.ID)
	if _, err := d.SendBack(task.ID, "Once more."); err != nil {
		t.Fatal(err)
	}
	d.until("the second run asks", func() bool { return d.runs[task.ID].Number == 2 && d.runs[task.ID].Phase == beckon.Asking })
	if run := d.latest(task.ID); run.Model != "claude-opus-4-8[1m]" || run.Effort != "medium" || run.Context.Limit == 0 {
		t.Errorf("the second run has %+v", run)
	}
}

func TestAChatThatLivedWhenBeckonWasQuitGoesOn(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	task := d.chat("hello")
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.p.runner.DataDir, d.p.runner.Claude)
	runs, err := again.Runs(task.ID)
	if err != nil || len(runs) != 1 || !strings.Contains(runs[0].Reason, "session") || runs[0].Outcome == beckon.Stopped || runs[0].Context.Tokens == 0 {
		t.Fatalf("after the quit: %+v, %v; want it to say that the session is kept", runs, err)
	}
	if _, err := again.StartInteractive(task.ID); err != nil {
		t.Fatal(err)
	}
	again.until("the chat is idle", func() bool { return again.runs[task.ID].Phase == beckon.Idle })
	again.tell(task.ID, "hello", 1)
	if run := again.latest(task.ID); run.Session != runs[0].Session || run.Number != 2 {
		t.Errorf("the chat went on in %+v, it was in session %s", run, runs[0].Session)
	}
	again.mu.Lock()
	defer again.mu.Unlock()
	if got := again.tasks[task.ID]; got.Status != beckon.Backlog && got.ID != "" {
		t.Errorf("the quit moved the card to %s", got.Status)
	}
}

// TestFilesAreFoundWhereTheAgentWorks: in the worktree of a task, new ones
// too, and in the project's folder for a chat.
func TestFilesAreFoundWhereTheAgentWorks(t *testing.T) {
	t.Parallel()
	d := start(t, "write deep/made.txt x\nask Which? | A | B\n")
	task := d.run(beckon.NewTask{Title: "Make"})
	q := d.open("Which?")
	if got, err := d.FindFiles(task.ID, "made", 5); err != nil || !slices.Equal(got, []string{"deep/made.txt"}) {
		t.Errorf("in the worktree: %q, %v", got, err)
	}
	d.choose(q, "A")
	d.ended(task.ID)
	talk := d.chat("")
	if got, err := d.FindFiles(talk.ID, "made", 5); err != nil || len(got) != 0 {
		t.Errorf("in the project's folder: %q, %v", got, err)
	}
	if _, err := d.FindFiles(talk.ID, "made", 0); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("no file asked for: %v", err)
	}
}
