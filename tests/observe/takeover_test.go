//go:build linux

package observe

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

// house is a desk whose own agents have a model too.
type house struct {
	*desk
	env []string
	api string // what that model was sent
}

// settle starts Beckon in the home of a machine.
func settle(t *testing.T, m *tui.Machine, turns ...fixture.Turn) *house {
	t.Helper()
	dir := t.TempDir()
	h := &house{api: filepath.Join(dir, "api.ndjson")}
	h.env = append(environment(t, m),
		"ANTHROPIC_BASE_URL="+fixture.Model(t, dir, fixture.Script{Turns: turns}, h.api), "ANTHROPIC_API_KEY=sk-test",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1")
	h.desk = serve(t, h.env)
	return h
}

func (h *house) adopts(dir string) {
	h.t.Helper()
	client.Must[beckon.Project](h.Program, "AddProject", beckon.NewProject{Dir: dir, Trusted: true})
}

// listed waits until a session that works in a folder is seen, and returns it.
func (h *house) listed(dir string) (s beckon.OutsideSession) {
	h.t.Helper()
	h.Until("the session is listed", tui.Patience, func() bool {
		for _, e := range client.Must[beckon.Frame](h.Program, "Attach", "takeover").Events {
			if e.Session != nil && e.Session.Dir == dir && e.Session.LastText != "" {
				s = *e.Session
				return true
			}
		}
		return false
	})
	return s
}

// ended waits until a session that worked in a folder is among those that ended.
func (h *house) ended(dir string) (s beckon.OutsideSession) {
	h.t.Helper()
	h.Until("the session has ended", tui.Patience, func() bool {
		for _, s = range client.Must[[]beckon.OutsideSession](h.Program, "EndedSessions") {
			if s.Dir == dir {
				return true
			}
		}
		return false
	})
	return s
}

// chats waits for a task's chat to have had so many turns, and returns it.
func (h *house) chats(taskID string, turns int) (run beckon.Run) {
	h.t.Helper()
	h.Until("its chat is idle", tui.Patience, func() bool {
		runs := client.Must[[]beckon.Run](h.Program, "Runs", taskID)
		run = runs[len(runs)-1]
		if run.Kind == beckon.ChatRun && run.Phase == beckon.Ended {
			h.t.Fatalf("the chat ended: %s %s", run.Reason, run.Detail)
		}
		return run.Kind == beckon.ChatRun && run.Phase == beckon.Idle && run.Turns == turns
	})
	return run
}

func (h *house) tell(taskID, text string) beckon.Run {
	h.t.Helper()
	h.chats(taskID, 0)
	client.Must[beckon.Message](h.Program, "SendMessage", taskID, beckon.NewMessage{Text: text, Manner: beckon.Redirect})
	return h.chats(taskID, 1)
}

// knows fails the test unless Beckon's agent told its model the words.
func (h *house) knows(words string) {
	h.t.Helper()
	told, err := os.ReadFile(h.api)
	if err != nil || !strings.Contains(string(told), words) {
		h.t.Errorf("the model was never told %q: %v", words, err)
	}
}

func (h *house) reads(taskID string) (texts []string) {
	h.t.Helper()
	for _, e := range client.Must[beckon.TranscriptPage](h.Program, "Transcript", taskID, "", 100).Entries {
		texts = append(texts, e.Text)
	}
	return texts
}

// TestASessionThatWasKilledGoesOnInBeckon, with what was said, and its question
// in the history of the task.
func TestASessionThatWasKilledGoesOnInBeckon(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	h := settle(t, m, fixture.Turn{"text": "Plum it was."})
	s := m.Open(tui.Spec{Turns: []fixture.Turn{
		{"text": "Let me ask.", "tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")},
		{"text": "Noted."},
		{"text": "Begun.", "tool": "Bash", "input": map[string]any{"command": "sleep 600", "description": "wait"}},
	}})
	h.adopts(s.Dir)
	s.Say("the word is plum")
	q := h.asked(s, beckon.WayKeys)
	s.Press("2")
	s.See("Noted.")
	h.answered(q.ID)
	s.Say("go on")
	s.See("sleep 600", "Running") // in the middle of a turn
	if err := syscall.Kill(s.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	task := client.Must[beckon.Task](h.Program, "ContinueSession", h.ended(s.Dir).ID, false)
	run := h.tell(task.ID, "which word was it?")
	h.knows("the word is plum")
	if got := h.reads(task.ID); !slices.Contains(got, "the word is plum") || !slices.Contains(got, "Plum it was.") {
		t.Errorf("the transcript reads %q", got)
	}
	if run.Session == "" || run.Dir != s.Dir {
		t.Errorf("it goes on as %+v", run)
	}
	questions := client.Must[[]beckon.Question](h.Program, "Questions", task.ID)
	if !slices.ContainsFunc(questions, func(now beckon.Question) bool { return now.ID == q.ID && now.Answer.By == beckon.ByTerminal }) {
		t.Errorf("the history of the task has %+v", questions)
	}
}

// TestASessionThatIsOpenIsCopiedAndThenTakenOver: the copy and the terminal both
// go on, and the session itself does once the terminal has closed it. Its files
// are not where Beckon's own agents have theirs.
func TestASessionThatIsOpenIsCopiedAndThenTakenOver(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	h := settle(t, m, fixture.Turn{"text": "The copy hears."}, fixture.Turn{"text": "All of it."})
	s := m.Open(tui.Spec{Root: filepath.Join(m.Home, "other"), Turns: []fixture.Turn{{"text": "Noted."}, {"text": "Still here."}}})
	h.adopts(s.Dir)
	s.Say("the word is plum")
	s.See("Noted.")
	seen := h.listed(s.Dir)
	if _, err := client.Call[beckon.Task](h.Program, "ContinueSession", seen.ID, false); err == nil {
		t.Fatal("it was continued beside itself")
	}
	copied := client.Must[beckon.Task](h.Program, "ContinueSession", seen.ID, true)
	run := h.tell(copied.ID, "only the copy hears pear")
	h.knows("the word is plum")
	s.Say("and you?")
	s.See("Still here.")
	id := s.Presence().SessionID
	if run.Session == id || written(s.Root, 1, `"sessionId":"`+id+`","message":{"role":"user","content":"only the copy`) {
		t.Errorf("the copy speaks in the terminal's session %s", run.Session)
	}
	client.Must[any](h.Program, "AwaitSession", seen.ID, true)
	s.Say("/exit")
	var task beckon.Task
	h.Until("the session goes on in Beckon", tui.Patience, func() bool {
		for _, e := range client.Must[beckon.Frame](h.Program, "Attach", "takeover").Events {
			if e.Run != nil && e.Run.Kind == beckon.ChatRun && e.Run.Session == id {
				task.ID = e.Run.TaskID
			}
		}
		return task.ID != ""
	})
	h.tell(task.ID, "what do you know?")
	h.knows("and you?")
	if told := h.reads(task.ID); slices.Contains(told, "only the copy hears pear") || !slices.Contains(told, "Still here.") {
		t.Errorf("the transcript reads %q", told)
	}
}

// TestAScriptsSessionGoesOnWhereItsFolderIs, and where that is gone this is said.
func TestAScriptsSessionGoesOnWhereItsFolderIs(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	h := settle(t, m, fixture.Turn{"text": "Noted."}, fixture.Turn{"text": "Plum it was."})
	dir := client.Repository(t, map[string]string{"README.md": "# sample\n"})
	script := exec.CommandContext(t.Context(), fixture.Claude(), "-p", "the word is plum")
	script.Dir, script.Env = dir, h.env
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("claude -p: %v\n%s", err, out)
	}
	id := h.ended(dir).ID
	h.adopts(dir)
	aside := dir + "-aside"
	if err := os.Rename(dir, aside); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Call[beckon.Task](h.Program, "ContinueSession", id, false); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("without its folder: %v", err)
	}
	if err := os.Rename(aside, dir); err != nil {
		t.Fatal(err)
	}
	task := client.Must[beckon.Task](h.Program, "ContinueSession", id, false)
	if run := h.tell(task.ID, "which word was it?"); run.Session != id {
		t.Errorf("it goes on in session %s, not %s", run.Session, id)
	}
	if slices.ContainsFunc(client.Must[[]beckon.OutsideSession](h.Program, "EndedSessions"), func(s beckon.OutsideSession) bool { return s.ID == id }) {
		t.Error("it is still listed as one elsewhere")
	}
	h.knows("the word is plum")
}
