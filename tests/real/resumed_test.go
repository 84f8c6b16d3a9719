package real

import (
	"strings"
	"syscall"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestASessionThatLeftWorkInTheBackgroundIsGoneOnWith: the CLI begins such a
// session, when it is resumed, with an empty turn of its own that tells of what
// is lost. That is not the session's answer, and the message's follows.
func TestASessionThatLeftWorkInTheBackgroundIsGoneOnWith(t *testing.T) {
	t.Parallel()
	const carryOn = "Carry on where you left off."
	stop := func(_ *testing.T, s *fixture.Fixture, task beckon.Task) { client.Must[any](s.Program, "Stop", task.ID) }
	for _, c := range []struct {
		name    string
		resumed bool // by a move, without a word
		turn    fixture.Turn
		named   string
		end     func(*testing.T, *fixture.Fixture, beckon.Task)
	}{
		{"a command, stopped", false, left("sleep 600"), "sleep 600", stop},
		{"a command, stopped and moved", true, left("sleep 600"), "sleep 600", stop},
		{"a command, claude terminated", false, left("sleep 600"), "sleep 600", func(t *testing.T, _ *fixture.Fixture, task beckon.Task) {
			signalAgents(t, task.Worktree, syscall.SIGTERM)
		}},
		{"a command, claude killed", false, left("sleep 600"), "sleep 600", func(t *testing.T, _ *fixture.Fixture, task beckon.Task) {
			killAgents(t, task.Worktree)
		}},
		{"a command, Beckon killed", false, left("sleep 600"), "sleep 600", func(_ *testing.T, s *fixture.Fixture, _ beckon.Task) { s.Slay() }},
		{"a sub-agent, claude terminated", true, fixture.Turn{"tool": "Agent", "input": map[string]any{
			"description": "explore", "prompt": "look around for spans", "run_in_background": true, "subagent_type": "general-purpose",
		}}, "explore", func(t *testing.T, _ *fixture.Fixture, task beckon.Task) {
			signalAgents(t, task.Worktree, syscall.SIGTERM)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := fixture.Play(t, fixture.Script{
				Rules: []fixture.Rule{
					{When: "look around for spans", Turn: fixture.Turn{"text": "Nothing yet.", "wait_ms": 120_000}},
					{When: "and now the rest|" + carryOn, Turn: fixture.Turn{"text": "The rest is done."}},
				},
				Turns: []fixture.Turn{c.turn, {"text": "Started."}},
			})
			task := s.Create(beckon.NewTask{Title: "Serve", Brief: "The word is plum.", Mode: beckon.ModeAcceptEdits})
			waitsFor(t, s, task.ID, c.named)
			s.WrittenDown("Started.")
			c.end(t, s, s.Task(task.ID))
			s.InReview(task.ID)
			told := "and now the rest"
			if c.resumed {
				told = carryOn
				client.Must[beckon.Task](s.Program, "MoveTask", task.ID, beckon.Running, 0)
			} else {
				client.Must[beckon.Task](s.Program, "SendBack", task.ID, told)
			}
			wentOn(t, s, task.ID, told, "The word is plum.", "Started.")
		})
	}
}

// TestASessionWhoseClaudeWasTerminatedAfterItsResultIsGoneOnWith: a chat's
// claude lives on after its result, and a task's a moment, in which it is asked
// to end.
func TestASessionWhoseClaudeWasTerminatedAfterItsResultIsGoneOnWith(t *testing.T) {
	t.Parallel()
	t.Run("chat", func(t *testing.T) {
		t.Parallel()
		s := fixture.New(t, fixture.Turn{"text": "Started."}, fixture.Turn{"text": "The rest is done."})
		task := chat(t, s)
		tell(t, s, task.ID, "The word is plum.", 1)
		s.WrittenDown("Started.")
		signalAgents(t, s.Dir, syscall.SIGTERM)
		again(s, task.ID, 1)
		open(t, s, task.ID)
		tell(t, s, task.ID, "and now the rest", 1)
		heardOnce(t, s, "and now the rest", "The word is plum.", "Started.")
	})
	t.Run("task", func(t *testing.T) {
		t.Parallel()
		s := fixture.New(t, fixture.Turn{"text": "Started."}, fixture.Turn{"text": "The rest is done."})
		task := s.Create(beckon.NewTask{Title: "Serve", Brief: "The word is plum.", Mode: beckon.ModeAcceptEdits})
		s.Until("the turn is over", patience, func() bool { return client.Must[[]beckon.Run](s.Program, "Runs", task.ID)[0].Turns == 1 })
		for _, agent := range agents(s.Task(task.ID).Worktree) {
			_ = agent.Signal(syscall.SIGTERM) // it may have ended by itself
		}
		s.InReview(task.ID)
		client.Must[beckon.Task](s.Program, "SendBack", task.ID, "and now the rest")
		wentOn(t, s, task.ID, "and now the rest", "The word is plum.", "Started.")
	})
}

// wentOn holds that the task's second and last run did what it was told, once,
// in the first one's session and with what was said before.
func wentOn(t *testing.T, s *fixture.Fixture, taskID, told string, before ...string) {
	t.Helper()
	again(s, taskID, 2)
	s.InReview(taskID)
	runs := client.Must[[]beckon.Run](s.Program, "Runs", taskID)
	if len(runs) != 2 || runs[1].Outcome != beckon.Succeeded || runs[1].Session != runs[0].Session {
		t.Errorf("runs %+v; want two of one session, the last with success", runs)
	}
	for _, e := range client.Must[beckon.TranscriptPage](s.Program, "Transcript", taskID, "", 200).Entries {
		if e.Notice == "session_set_aside" || e.Notice == "session_lost" {
			t.Errorf("the transcript says %q", e.Notice)
		}
	}
	heardOnce(t, s, told, before...)
}

// heardOnce holds that the model was asked once with what it was told last, and
// then with what was said before.
func heardOnce(t *testing.T, s *fixture.Fixture, told string, before ...string) {
	t.Helper()
	asked := 0
	for _, r := range requests(t, s) {
		if strings.Contains(string(r.Messages), told) {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("the model was asked %d times, want once", asked)
	}
	last := string(newest(t, s).Messages)
	for _, text := range append(before, told) {
		if n := strings.Count(last, text); n != 1 {
			t.Errorf("the model has %q %d times: %.6000s", text, n, last)
		}
	}
}
