package real

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestWhoIsStoppedDoesNothingMore: whatever it has open, an agent asks its model nothing
// after the stop, and runs no command.
func TestWhoIsStoppedDoesNothingMore(t *testing.T) {
	t.Parallel()
	asked := func(words string) func(*testing.T, *fixture.Fixture, beckon.Task) {
		return func(_ *testing.T, s *fixture.Fixture, task beckon.Task) { s.Asked(task.ID, words) }
	}
	runs := func(_ *testing.T, s *fixture.Fixture, task beckon.Task) {
		s.Until("the command runs", patience, func() bool { return s.Run(task.ID).Activity.Verb == beckon.Executing })
	}
	for _, c := range []struct {
		name string
		mode beckon.PermissionMode
		turn fixture.Turn
		busy func(*testing.T, *fixture.Fixture, beckon.Task)
	}{
		{"ask_user", beckon.ModeAcceptEdits, fixture.Turn{"tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which colour?", "Colour", "Red", "Green"))}, asked("Which colour?")},
		{"AskUserQuestion", beckon.ModeAcceptEdits, fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which colour?", "Colour", "Red", "Green"))}, asked("Which colour?")},
		{"a permission", beckon.ModeDefault, bash("touch allowed"), asked("touch allowed")},
		{"a command", beckon.ModeAcceptEdits, bash("sleep 600"), runs},
		{"a command and a message", beckon.ModeAcceptEdits, bash("sleep 600"), func(t *testing.T, s *fixture.Fixture, task beckon.Task) {
			runs(t, s, task)
			post(s, task.ID, "And then?", beckon.Queue)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := fixture.New(t, c.turn, bash("touch after"), fixture.Turn{"text": "Done."})
			task := s.Create(beckon.NewTask{Title: "Paint", Mode: c.mode})
			c.busy(t, s, task)
			turns := s.Turns()
			client.Must[any](s.Program, "Stop", task.ID)
			task = s.InReview(task.ID)
			if run := s.Run(task.ID); run.Outcome != beckon.Stopped {
				t.Errorf("the run is %s: %s", run.Outcome, run.Detail)
			}
			if n := s.Turns() - turns; n != 0 {
				t.Errorf("it asked the model %d times after the stop", n)
			}
			if _, err := os.Stat(filepath.Join(task.Worktree, "after")); err == nil {
				t.Error("it ran a command after the stop")
			}
		})
	}
}

// TestACommandThatClaudeLacksIsNotDone: the oldest CLI answers with a success, and the newest
// has its model say so. One by another name than that in its list is done.
func TestACommandThatClaudeLacksIsNotDone(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "Painted."})
	outcomes := map[string]beckon.Outcome{}
	for _, text := range []string{"/nosuchcommand now", "/cost"} {
		run := s.Run(s.InReview(s.Create(beckon.NewTask{Title: text}).ID).ID)
		if outcomes[text] = run.Outcome; run.Outcome == beckon.Failed && !strings.Contains(run.Reason.String()+run.Detail, "/nosuchcommand") {
			t.Errorf("%s: the run failed: %q %q", text, run.Reason, run.Detail)
		}
	}
	if fixture.NewestCLI() { // it has the model answer, and say so
		s.Heard("/nosuchcommand, but no command with that name is available")
		return
	}
	if outcomes["/nosuchcommand now"] != beckon.Failed || outcomes["/cost"] != beckon.Succeeded || s.Turns() != 0 {
		t.Errorf("the runs are %v, and the model was asked %d times", outcomes, s.Turns())
	}
}

// TestAPromptThatAHookRefusesEndsTheRun as not done, in the hook's words; a chat is idle, and
// its next message is answered.
func TestAPromptThatAHookRefusesEndsTheRun(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "Painted."})
	s.Commit(map[string]string{".claude/settings.json": `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"grep -q ticket || { echo no number in the prompt >&2; exit 2; }"}]}]}}`})
	task := s.InReview(s.Create(beckon.NewTask{Title: "Paint"}).ID)
	if run := s.Run(task.ID); run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String()+run.Detail, "no number in the prompt") {
		t.Errorf("the run is %s: %q %q", run.Outcome, run.Reason, run.Detail)
	}
	if n := s.Turns(); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	talk := chat(t, s)
	tell(t, s, talk.ID, "Paint.", 1)
	tell(t, s, talk.ID, "For ticket 7: paint.", 2)
	s.Heard("For ticket 7: paint.")
}
