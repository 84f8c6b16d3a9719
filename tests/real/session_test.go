package real

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// chat opens a chat on a new task.
func chat(t *testing.T, s *fixture.Fixture) beckon.Task {
	t.Helper()
	task := client.Must[beckon.Task](s.Program, "CreateTask", beckon.NewTask{
		ProjectID: s.Project.ID, Title: "Talk", Brief: "Of this and that.", Mode: beckon.ModeAcceptEdits,
	})
	open(t, s, task.ID)
	return task
}

// open opens a task's chat and waits until it listens.
func open(t *testing.T, s *fixture.Fixture, taskID string) {
	t.Helper()
	client.Must[beckon.Run](s.Program, "StartInteractive", taskID)
	idle(t, s, taskID, 0)
}

// idle waits until a task's newest run has had so many turns and waits for
// more, and returns it.
func idle(t *testing.T, s *fixture.Fixture, taskID string, turns int) beckon.Run {
	t.Helper()
	var run beckon.Run
	s.Until("the chat is idle", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", taskID)
		run = runs[len(runs)-1]
		if run.Phase == beckon.Ended {
			t.Fatalf("the chat ended: %s %s", run.Reason, run.Detail)
		}
		return run.Phase == beckon.Idle && run.Turns == turns
	})
	return run
}

// tell says something and waits for the end of the turn, by their number.
func tell(t *testing.T, s *fixture.Fixture, taskID, text string, turns int) beckon.Run {
	t.Helper()
	post(s, taskID, text, beckon.Redirect)
	return idle(t, s, taskID, turns)
}

// request is what the model was asked with.
type request struct {
	Kind   string `json:"kind"`
	Model  string `json:"model"`
	Output struct {
		Effort string `json:"effort"`
	} `json:"output_config"`
	Session  string          `json:"session"`
	Messages json.RawMessage `json:"messages"`
}

// requests returns the requests of turns, in order.
func requests(t *testing.T, s *fixture.Fixture) (of []request) {
	t.Helper()
	for line := range strings.Lines(s.Told()) {
		var r request
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Kind == "main" {
			of = append(of, r)
		}
	}
	return of
}

// newest returns the last request of a turn.
func newest(t *testing.T, s *fixture.Fixture) (last request) {
	t.Helper()
	for _, r := range requests(t, s) {
		last = r
	}
	return last
}

// TestAChatIsSwitchedMidSession: the very next request has the other model and
// effort, and so has the chat that goes on after its agent was killed.
func TestAChatIsSwitchedMidSession(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "One."}, fixture.Turn{"text": "Two."}, fixture.Turn{"text": "Three."})
	task := chat(t, s)
	run := tell(t, s, task.ID, "say one", 1)
	if r := newest(t, s); r.Model != opus || run.Model != opusShown || run.Context != (beckon.Gauge{Tokens: 1000, Limit: 1_000_000}) {
		t.Errorf("the first turn: asked %s, run %+v", r.Model, run)
	}
	able := client.Must[beckon.Abilities](s.Program, "Abilities", task.ID)
	if !slices.ContainsFunc(able.Commands, func(c beckon.Command) bool { return c.Name == "compact" && c.Description != "" }) ||
		!slices.ContainsFunc(able.Models, func(m beckon.Model) bool { return m.Value == "sonnet" && slices.Contains(m.Efforts, "low") }) {
		t.Errorf("abilities %+v", able)
	}
	client.Must[any](s.Program, "SwitchModel", task.ID, "sonnet")
	client.Must[any](s.Program, "SwitchEffort", task.ID, "low")
	client.Must[any](s.Program, "SwitchMode", task.ID, beckon.ModePlan)
	for method, value := range map[string]any{"SwitchModel": "gpt", "SwitchEffort": "huge", "SwitchMode": beckon.ModeBypass} {
		if _, err := client.Call[any](s.Program, method, task.ID, value); err == nil {
			t.Errorf("%s to %q was accepted", method, value)
		}
	}
	run = tell(t, s, task.ID, "say two", 2)
	if r := newest(t, s); r.Model != sonnet || r.Output.Effort != "low" {
		t.Errorf("after the switch: asked %s with effort %q", r.Model, r.Output.Effort)
	}
	if run.Model != sonnet || run.Effort != "low" || run.Mode != beckon.ModePlan || run.Context.Limit != sonnetHolds {
		t.Errorf("after the switch: run %+v", run)
	}
	usage := client.Must[beckon.ContextUsage](s.Program, "ContextUsage", task.ID)
	if usage.Gauge != run.Context && !fixture.NewestCLI() || len(usage.Parts) == 0 { // which estimates, whatever the API says
		t.Errorf("usage %+v; want the gauge's %+v", usage, run.Context)
	}
	if servers := client.Must[[]beckon.ToolServer](s.Program, "ToolServers", task.ID); len(servers) != 1 || servers[0].Status != "connected" || servers[0].Tools == 0 {
		t.Errorf("tool servers %+v", servers)
	}

	s.WrittenDown("say two") // else it gets that again
	killAgents(t, s.Dir)
	s.Until("the run is over", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return runs[0].Phase == beckon.Ended
	})
	open(t, s, task.ID)
	run = tell(t, s, task.ID, "say three", 1)
	r := newest(t, s)
	if r.Model != sonnet || r.Output.Effort != "low" || run.Mode != beckon.ModePlan || !strings.Contains(string(r.Messages), "say one") {
		t.Errorf("after the kill: asked %s with effort %q in mode %s: %s", r.Model, r.Output.Effort, run.Mode, r.Messages)
	}
	if got := s.Task(task.ID); got.Status != beckon.Backlog || got.Worktree != "" {
		t.Errorf("the chat moved the card to %s, worktree %q", got.Status, got.Worktree)
	}
}

// TestFilesGoBackToWhereAMessageFoundThem, and the model is not told.
func TestFilesGoBackToWhereAMessageFoundThem(t *testing.T) {
	t.Parallel()
	readme := func(old, text string) fixture.Turn {
		return fixture.Turn{"tool": "Edit", "input": map[string]any{"file_path": "README.md", "old_string": old, "new_string": text}}
	}
	s := fixture.New(t,
		fixture.Turn{"tool": "Read", "input": map[string]any{"file_path": "README.md"}}, readme("# sample", "# first"), fixture.Turn{"text": "Done."},
		readme("# first", "# second"), fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "new.txt", "content": "one\ntwo\n"}}, fixture.Turn{"text": "Done."})
	client.Must[beckon.Project](s.Program, "EditProject", func() beckon.Project { p := s.Project; p.Mode = beckon.ModeAcceptEdits; return p }())
	task := chat(t, s)
	tell(t, s, task.ID, "edit it", 1)
	tell(t, s, task.ID, "edit it more", 2)
	page := client.Must[beckon.TranscriptPage](s.Program, "Transcript", task.ID, "", 100)
	at := slices.IndexFunc(page.Entries, func(e beckon.Entry) bool { return e.Kind == beckon.UserEntry && e.Text == "edit it more" })
	if at < 0 {
		t.Fatalf("the transcript is %+v", page.Entries)
	}
	id := page.Entries[at].ID
	want := beckon.Rewind{Possible: true, Files: []string{"README.md", "new.txt"}, Added: 1, Removed: 3}
	preview := client.Must[beckon.Rewind](s.Program, "PreviewRewind", task.ID, id)
	if slices.Sort(preview.Files); !preview.Possible || !slices.Equal(preview.Files, want.Files) || preview.Added != want.Added || preview.Removed != want.Removed {
		t.Errorf("preview %+v, want %+v", preview, want)
	}
	client.Must[beckon.Rewind](s.Program, "Rewind", task.ID, id)
	text, err := os.ReadFile(filepath.Join(s.Dir, "README.md"))
	if err != nil || string(text) != "# first\n" {
		t.Errorf("README.md is %q, %v; want what the message found", text, err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "new.txt")); !os.IsNotExist(err) {
		t.Errorf("what was made is still there: %v", err)
	}
}

// TestAForkKnowsWhatWasSaid: it goes on with the same words in a session of
// its own, while the first chat lives and does not hear of it.
func TestAForkKnowsWhatWasSaid(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "One."}, fixture.Turn{"text": "Two."}, fixture.Turn{"text": "Three."})
	task := chat(t, s)
	first := tell(t, s, task.ID, "the word is plum", 1)
	fork := client.Must[beckon.Task](s.Program, "Fork", task.ID)
	idle(t, s, fork.ID, 0)
	run := tell(t, s, fork.ID, "only the fork hears pear", 1)
	if r := newest(t, s); !strings.Contains(string(r.Messages), "the word is plum") || r.Session == first.Session || run.Session != r.Session {
		t.Errorf("the fork asked in session %s (the chat's is %s, its run's %s): %s", r.Session, first.Session, run.Session, r.Messages)
	}
	again := tell(t, s, task.ID, "go on", 2)
	if r := newest(t, s); strings.Contains(string(r.Messages), "pear") || r.Session != first.Session || again.Session != first.Session {
		t.Errorf("the chat asked in session %s, its own is %s: %s", r.Session, first.Session, r.Messages)
	}
}

// TestCompactingEmptiesTheGauge and leaves the chat ready for more.
func TestCompactingEmptiesTheGauge(t *testing.T) {
	t.Parallel()
	full := map[string]any{"input_tokens": 90_000, "output_tokens": 50}
	s := fixture.New(t, fixture.Turn{"text": "One.", "usage": full}, fixture.Turn{"text": "Two.", "usage": full}, fixture.Turn{"text": "A summary."}, fixture.Turn{"text": "Four."})
	task := chat(t, s)
	tell(t, s, task.ID, "say one", 1)
	before := tell(t, s, task.ID, "say two", 2)
	run := tell(t, s, task.ID, "/compact", 3)
	if run.Context.Tokens >= before.Context.Tokens || run.Context.Tokens == 0 {
		t.Errorf("gauge %+v before, %+v after", before.Context, run.Context)
	}
	page := client.Must[beckon.TranscriptPage](s.Program, "Transcript", task.ID, "", 100)
	for _, notice := range []string{"compacting", "compact_boundary"} {
		if !slices.ContainsFunc(page.Entries, func(e beckon.Entry) bool { return e.Notice == notice }) {
			t.Errorf("the transcript has no notice %q: %+v", notice, page.Entries)
		}
	}
	tell(t, s, task.ID, "say four", 4)
}
