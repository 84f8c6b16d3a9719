package runner_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/filefind"
)

// idle waits until a task's agent has had so many turns and waits for more.
func (d driver) idle(taskID string, turns int) {
	d.T.Helper()
	d.Until("the agent is idle", func() bool { return d.Runs[taskID].Phase == beckon.Idle && d.Runs[taskID].Turns == turns })
}

// chat opens a chat on a new task and says the first thing, unless it is
// empty.
func (d driver) chat(first string) beckon.Task {
	d.T.Helper()
	task, err := d.Board.CreateTask(d.T.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Talk", Brief: "About this and that."})
	if err != nil {
		d.T.Fatal(err)
	}
	if _, err := d.Runner.StartInteractive(d.T.Context(), task.ID); err != nil {
		d.T.Fatal(err)
	}
	d.idle(task.ID, 0)
	if first != "" {
		d.tell(task.ID, first, 1)
	}
	return task
}

// tell says something and waits for the end of the turn, by their number.
func (d driver) tell(taskID, text string, turns int) {
	d.T.Helper()
	d.post(taskID, text, beckon.Redirect)
	d.idle(taskID, turns)
}

// resume stops a task's chat and opens it again.
func (d driver) resume(taskID string) {
	d.T.Helper()
	if err := d.Runner.Stop(d.T.Context(), taskID); err != nil {
		d.T.Fatal(err)
	}
	d.Until("the chat ends", func() bool { return d.Runs[taskID].Phase == beckon.Ended })
	if _, err := d.Runner.StartInteractive(d.T.Context(), taskID); err != nil {
		d.T.Fatal(err)
	}
	d.idle(taskID, 0)
}

func (d driver) latest(taskID string) beckon.Run {
	d.Lock()
	defer d.Unlock()
	return d.Runs[taskID]
}

func TestAbilitiesAreKnownWhileNoAgentLives(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	other, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Never ran"})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := d.Runner.Abilities(t.Context(), other.ID); err != nil || b.Models == nil || len(b.Models) != 0 || b.Commands == nil {
		t.Errorf("before any run: %+v, %v; want empty lists", b, err)
	}
	task := d.chat("")
	for range 2 {
		b, err := d.Runner.Abilities(t.Context(), task.ID)
		if err != nil || len(b.Models) != 2 || b.Models[1].Resolved != "claude-sonnet-5" || !slices.Contains(b.Models[0].Efforts, "low") {
			t.Fatalf("models %+v, %v", b.Models, err)
		}
		if len(b.Commands) == 0 || b.Commands[0].Name != "compact" || b.Commands[0].Description == "" {
			t.Fatalf("commands %+v", b.Commands)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		d = openAt(t, d.DataDir, d.Find)
	}
}

// TestAChatGoesOnAsItWasSwitched: model, mode and effort change at once, are
// refused where they are unavailable, and are those of the next run.
func TestAChatGoesOnAsItWasSwitched(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\nturn\ntext again\n")
	task := d.chat("")
	for what, err := range map[string]error{
		"a model that is not there": d.Runner.SwitchModel(t.Context(), task.ID, "gpt"),
		"a mode that is not there":  d.Runner.SwitchMode(t.Context(), task.ID, "nonsense"),
		"an unknown effort":         d.Runner.SwitchEffort(t.Context(), task.ID, "huge"),
	} {
		if !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := d.Runner.SwitchMode(t.Context(), task.ID, beckon.ModeBypass); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("permissions bypassed in an agent that asks for them: %v", err)
	}
	if err := errors.Join(d.Runner.SwitchEffort(t.Context(), task.ID, "low"), d.Runner.SwitchMode(t.Context(), task.ID, beckon.ModePlan)); err != nil {
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
	if err := d.Runner.SwitchModel(t.Context(), task.ID, "sonnet"); err != nil {
		t.Fatal(err)
	}
	d.Until("the other model, which has no efforts, is shown", func() bool {
		return d.Runs[task.ID].Model == "claude-sonnet-5" && d.Runs[task.ID].Effort == ""
	})
	if err := d.Runner.SwitchEffort(t.Context(), task.ID, "low"); !errors.Is(err, beckon.ErrInvalid) {
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
	task := d.Run(beckon.NewTask{Title: "Work"})
	q := d.Question("Which?")
	if err := errors.Join(d.Runner.SwitchModel(t.Context(), task.ID, "sonnet"), d.Runner.SwitchMode(t.Context(), task.ID, beckon.ModeAcceptEdits)); err != nil {
		t.Fatal(err)
	}
	d.Choose(q, "A")
	task, run := d.Ended(task.ID)
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
	if err := d.Runner.SwitchModel(t.Context(), task.ID, "sonnet"); err != nil {
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
	usage, err := d.Runner.ContextUsage(t.Context(), task.ID)
	if err != nil || usage.Gauge.Limit != 200_000 || len(usage.Parts) == 0 || usage.Parts[0].Name == "" {
		t.Errorf("usage %+v, %v", usage, err)
	}
}

func TestToolServersAreShownWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	d := start(t, "down: tracker\ntext hello\n")
	task := d.chat("")
	if servers, err := d.Runner.ToolServers(t.Context(), task.ID); err != nil || len(servers) != 2 || servers[0].Status != "first-message" {
		t.Errorf("servers %+v, %v before the first message", servers, err)
	}
	d.tell(task.ID, "hello", 1)
	servers, err := d.Runner.ToolServers(t.Context(), task.ID)
	if err != nil || len(servers) != 2 || servers[0].Error != "connection refused" || servers[1].Name != "beckon" || servers[1].Status != "connected" {
		t.Errorf("servers %+v, %v", servers, err)
	}
	if err := d.Runner.ReconnectServer(t.Context(), task.ID, "tracker"); err != nil {
		t.Error(err)
	}
	if servers, err := d.Runner.ToolServers(t.Context(), task.ID); err != nil || servers[0].Status != "connected" {
		t.Errorf("servers %+v, %v after another connection", servers, err)
	}
	if err := d.Runner.ReconnectServer(t.Context(), task.ID, "beckon"); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a server that has no connection: %v", err)
	}
	if err := d.Runner.ReconnectServer(t.Context(), task.ID, "nobody"); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a server that is not there: %v", err)
	}
}

func TestNothingIsSwitchedWhereNoAgentLives(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Rest"})
	if err != nil {
		t.Fatal(err)
	}
	_, usage := d.Runner.ContextUsage(t.Context(), task.ID)
	for _, err := range []error{d.Runner.SwitchModel(t.Context(), task.ID, ""), d.Runner.SwitchMode(t.Context(), task.ID, beckon.ModePlan), d.Runner.SwitchEffort(t.Context(), task.ID, ""), usage} {
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
	made := filepath.Join(d.Project.Dir, "made.txt")
	d.tell(task.ID, "write it", 2)
	message := d.messageID(task.ID, "write it")

	preview, err := d.Runner.PreviewRewind(t.Context(), task.ID, message)
	if err != nil || !preview.Possible || preview.Removed != 2 || !slices.Equal(preview.Files, []string{"made.txt"}) {
		t.Errorf("preview %+v, %v", preview, err)
	}
	if _, err := os.Stat(made); err != nil {
		t.Fatalf("the preview did it: %v", err)
	}
	if unknown, err := d.Runner.PreviewRewind(t.Context(), task.ID, "user/nobody"); err != nil || unknown.Possible || unknown.Reason == "" {
		t.Errorf("a message that is not there: %+v, %v", unknown, err)
	}
	if _, err := d.Runner.Rewind(t.Context(), task.ID, "user/nobody"); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("back to a message that is not there: %v", err)
	}
	d.post(task.ID, "ask me", beckon.Redirect)
	q := d.Question("Which?")
	if _, err := d.Runner.Rewind(t.Context(), task.ID, message); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("files were taken back while the agent works: %v", err)
	}
	d.Choose(q, "A")
	d.idle(task.ID, 3)
	if _, err := d.Runner.Rewind(t.Context(), task.ID, message); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(made); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	if page, err := d.History.Transcript(t.Context(), task.ID, "", 100); err != nil || !slices.ContainsFunc(page.Entries, func(e beckon.Entry) bool {
		return e.Notice == "rewound" && e.Text == "made.txt"
	}) {
		t.Errorf("the transcript does not say so: %+v, %v", page.Entries, err)
	}
}

// messageID returns the id of the entry with what the user said.
func (d driver) messageID(taskID, text string) string {
	d.T.Helper()
	page, err := d.History.Transcript(d.T.Context(), taskID, "", 100)
	if err != nil {
		d.T.Fatal(err)
	}
	for _, e := range page.Entries {
		if e.Kind == beckon.UserEntry && e.Text == text {
			return e.ID
		}
	}
	d.T.Fatalf("nobody said %q: %+v", text, page.Entries)
	return ""
}

func TestAForkGoesOnByItself(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "write session.txt ${session}\nturn\nwrite session.txt ${session}\n", "write forked.txt ${session}\nturn\nwrite forked.txt ${session}\n")
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(d.Project.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	task := d.chat("")
	if _, err := d.Runner.Fork(t.Context(), task.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a chat in which nothing was said was forked: %v", err)
	}
	d.tell(task.ID, "hello", 1)
	original := read("session.txt")

	fork, err := d.Runner.Fork(t.Context(), task.ID)
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
	d.Until("another chat is idle", func() bool { return d.Runs[task.ID].Number == 3 && d.Runs[task.ID].Phase == beckon.Idle })
	d.tell(task.ID, "hello", 1)
	if got := d.latest(task.ID).Session; got == lost {
		t.Errorf("the chat goes on in session %s, which claude does not have", got)
	}
	page, err := d.History.Transcript(t.Context(), task.ID, "", 100)
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
	task := d.Run(beckon.NewTask{Title: "Work"})
	q := d.Question("Which?")
	if err := d.Runner.SwitchEffort(t.Context(), task.ID, "medium"); err != nil {
		t.Fatal(err)
	}
	d.Choose(q, "A")
	d.Ended(task.ID)
	if _, err := d.Runner.SendBack(t.Context(), task.ID, beckon.NewMessage{Text: "Once more."}); err != nil {
		t.Fatal(err)
	}
	d.Until("the second run asks", func() bool { return d.Runs[task.ID].Number == 2 && d.Runs[task.ID].Phase == beckon.Asking })
	if run := d.latest(task.ID); run.Model != "claude-opus-4-8[1m]" || run.Effort != "medium" || run.Context.Limit == 0 {
		t.Errorf("the second run has %+v", run)
	}
}

func TestAChatThatLivedWhenBeckonWasQuitGoesOn(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	task := d.chat("hello")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.DataDir, d.Find)
	runs, err := again.History.Runs(t.Context(), task.ID)
	if err != nil || len(runs) != 1 || !strings.Contains(runs[0].Reason.String(), "session") || runs[0].Outcome == beckon.Stopped || runs[0].Context.Tokens == 0 {
		t.Fatalf("after the quit: %+v, %v; want it to say that the session is kept", runs, err)
	}
	if _, err := again.Runner.StartInteractive(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	again.Until("the chat is idle", func() bool { return again.Runs[task.ID].Phase == beckon.Idle })
	again.tell(task.ID, "hello", 1)
	if run := again.latest(task.ID); run.Session != runs[0].Session || run.Number != 2 {
		t.Errorf("the chat went on in %+v, it was in session %s", run, runs[0].Session)
	}
	again.Lock()
	defer again.Unlock()
	if got := again.Tasks[task.ID]; got.Status != beckon.Backlog && got.ID != "" {
		t.Errorf("the quit moved the card to %s", got.Status)
	}
}

// TestFilesAreFoundWhereTheAgentWorks: in the worktree of a task, new ones
// too, and in the project's folder for a chat.
func TestFilesAreFoundWhereTheAgentWorks(t *testing.T) {
	t.Parallel()
	d := start(t, "write deep/made.txt x\nask Which? | A | B\n")
	files := filefind.New()
	t.Cleanup(files.Close)
	task := d.Run(beckon.NewTask{Title: "Make"})
	q := d.Question("Which?")
	if got, err := files.Find(t.Context(), d.Board.Files.Listing, task.ID, "made", 5); err != nil || !slices.Equal(got, []string{"deep/made.txt"}) {
		t.Errorf("in the worktree: %q, %v", got, err)
	}
	d.Choose(q, "A")
	d.Ended(task.ID)
	talk := d.chat("")
	if got, err := files.Find(t.Context(), d.Board.Files.Listing, talk.ID, "made", 5); err != nil || len(got) != 0 {
		t.Errorf("in the project's folder: %q, %v", got, err)
	}
	if got, err := files.Find(t.Context(), d.Board.Files.ProjectListing, task.ProjectID, "", 5); err != nil || len(got) == 0 || slices.Contains(got, "deep/made.txt") {
		t.Errorf("for a task that is not there yet: %q, %v", got, err)
	}
	if _, err := files.Find(t.Context(), d.Board.Files.ProjectListing, "none", "", 5); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("of no project: %v", err)
	}
	if _, err := files.Find(t.Context(), d.Board.Files.Listing, talk.ID, "made", 0); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("no file asked for: %v", err)
	}
}
