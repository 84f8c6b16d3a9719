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

// left is a command that the agent leaves in the background.
func left(command string) fixture.Turn {
	return fixture.Turn{"tool": "Bash", "input": map[string]any{"command": command, "description": "Run it", "run_in_background": true}}
}

// waitsFor waits until a task's run says that it waits for the command.
func waitsFor(t *testing.T, s *fixture.Fixture, taskID, command string) {
	t.Helper()
	s.Until("a run that waits for "+command, patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", taskID)
		run := runs[len(runs)-1]
		if run.Phase == beckon.Ended {
			t.Fatalf("the run ended: %s %s %s", run.Outcome, run.Reason, run.Detail)
		}
		return run.Phase == beckon.Working && run.Activity.Verb == beckon.Background && strings.Contains(run.Activity.Target, command)
	})
}

func wroteInWorktree(t *testing.T, task beckon.Task, name string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(task.Worktree, name))
	return err == nil
}

// TestACommandOfTwelveSecondsEndsAndItsTurnAsks: the CLI would kill it 5 s
// after its input ends, and answer what its turn asks with "Stream closed".
func TestACommandOfTwelveSecondsEndsAndItsTurnAsks(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, left("sleep 12; echo built > built.txt"), fixture.Turn{"text": "Started."},
		fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which width?", "Width", "Two", "Four"))},
		bash("echo more > more.txt"), fixture.Turn{"text": "All done."})
	task := s.Create(beckon.NewTask{Title: "Build", Mode: beckon.ModeDefault})
	client.Must[any](s.Program, "AnswerQuestion", s.Asked(task.ID, "sleep 12").ID, beckon.Answer{Verdict: beckon.AllowOnce})
	waitsFor(t, s, task.ID, "sleep 12; echo built > built.txt")
	s.Answer(s.Asked(task.ID, "Which width?"), "Four")
	client.Must[any](s.Program, "AnswerQuestion", s.Asked(task.ID, "more.txt").ID, beckon.Answer{Verdict: beckon.AllowOnce})
	task = s.InReview(task.ID)
	s.Heard(`"Which width?"="Four"`)
	if !wroteInWorktree(t, task, "built.txt") || !wroteInWorktree(t, task, "more.txt") || task.Changes.Files != 2 || task.Trouble != nil {
		t.Errorf("the card %+v; want what both turns wrote", task)
	}
	run := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)[0]
	if run.Outcome != beckon.Succeeded || run.Turns != 2 {
		t.Errorf("run %+v; want success in two turns", run)
	}
}

// TestACommandThatEndsWhileTheAgentStillSpeaks: the CLI begins the turn that
// tells so without a rest between.
func TestACommandThatEndsWhileTheAgentStillSpeaks(t *testing.T) {
	t.Parallel()
	const wait = "until [ -e go ]; do sleep 0.1; done"
	s := fixture.New(t, left(wait), fixture.Turn{"text": strings.Repeat("I speak. ", 130), "delay_ms": 150},
		fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which width?", "Width", "Two", "Four"))}, fixture.Turn{"text": "All done."})
	task := s.Create(beckon.NewTask{Title: "Build", Mode: beckon.ModeDefault})
	s.Until("the model is asked to speak", patience, func() bool { return strings.Count(s.Told(), `"kind":"main"`) == 2 })
	if err := os.WriteFile(filepath.Join(s.Task(task.ID).Worktree, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Answer(s.Asked(task.ID, "Which width?"), "Four")
	s.InReview(task.ID)
	s.Heard(`"Which width?"="Four"`)
}

// TestABackgroundSubAgentsPermissionIsAsked after the turn of its parent, and
// so is what the parent asks when it has heard of the end.
func TestABackgroundSubAgentsPermissionIsAsked(t *testing.T) {
	t.Parallel()
	s := fixture.Play(t, fixture.Script{
		// The sub-agent's first request may come before or after its parent's next.
		Rules: []fixture.Rule{{When: "look around for spans", Times: 1, Turn: fixture.Turn{
			"tool": "Bash", "input": map[string]any{"command": "sleep 6; echo sub > sub.txt", "description": "Write"}, "wait_ms": 800,
		}}},
		Turns: []fixture.Turn{
			{"tool": "Agent", "input": map[string]any{"description": "explore", "prompt": "look around for spans", "run_in_background": true, "subagent_type": "general-purpose"}},
			{"text": "It looks around."},
			{"text": "I looked."},
			{"tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which name?", "Name", "Span", "Range"))},
			{"text": "All done."},
		},
	})
	task := s.Create(beckon.NewTask{Title: "Look", Mode: beckon.ModeDefault})
	q := s.Asked(task.ID, "sub.txt")
	if q.Agent != "explore" {
		t.Errorf("%q asks, want the sub-agent by its name", q.Agent)
	}
	client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	s.Answer(s.Asked(task.ID, "Which name?"), "Span")
	task = s.InReview(task.ID)
	if !wroteInWorktree(t, task, "sub.txt") {
		t.Error("what the sub-agent was allowed did not run to its end")
	}
}

// TestWhatEndsAWaitForTheBackgroundIsSaid, whichever end it is.
func TestWhatEndsAWaitForTheBackgroundIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		end     func(*testing.T, *fixture.Fixture, beckon.Task)
		outcome beckon.Outcome
	}{
		{"stop", func(t *testing.T, s *fixture.Fixture, task beckon.Task) { client.Must[any](s.Program, "Stop", task.ID) }, beckon.Stopped},
		{"claude killed", func(t *testing.T, s *fixture.Fixture, task beckon.Task) { killAgents(t, s.Task(task.ID).Worktree) }, beckon.Failed},
		{"Beckon killed", func(_ *testing.T, s *fixture.Fixture, _ beckon.Task) { s.Slay() }, beckon.Lost},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := fixture.New(t, left("sleep 600"), fixture.Turn{"text": "Started."})
			task := s.Create(beckon.NewTask{Title: "Serve", Mode: beckon.ModeAcceptEdits})
			waitsFor(t, s, task.ID, "sleep 600")
			c.end(t, s, task)
			s.InReview(task.ID)
			run := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)[0]
			if run.Outcome != c.outcome || !strings.Contains(run.Reason.String(), "ended with it: sleep 600") {
				t.Errorf("the run %s: %q; want %s, and what went with it", run.Outcome, run.Reason, c.outcome)
			}
		})
	}
}
