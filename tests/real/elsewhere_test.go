//go:build linux

package real

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// What the tests of all kinds of executors have in common.

// mainJob are the turns of the main job on an executor: it asks twice mid-run, and
// writes a file.
var mainJob = []fixture.Turn{
	{"text": "One thing first.", "tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
	{"text": "And another.", "tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which language?", "Language", "English", "German"))},
	{"text": "Now I write it.", "tool": "Write", "input": map[string]any{"file_path": "greeting.txt", "content": "Good day\n"}},
	{"text": "All done."},
}

// playMainJob holds a run to it: it hears both answers in the same turn, and its edit is
// committed on its branch here. While it asks, working is called.
func playMainJob(t *testing.T, s *fixture.Fixture, mode beckon.PermissionMode, working func(beckon.Task)) {
	t.Helper()
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how.", Mode: mode})
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
	working(task)
	s.Answer(s.Asked(task.ID, "Which language?"), "German")
	task = s.InReview(task.ID)
	s.Heard(`{"question":"Which greeting?","labels":["Good day"]`)
	s.Heard(`"Which language?"="German"`)
	if task.Trouble != "" {
		t.Errorf("trouble: %s", task.Trouble)
	}
	if got := strings.TrimSpace(client.Git(t, s.Dir, "log", "--format=%s", "main.."+task.Branch)); got != task.Title {
		t.Errorf("commits on the branch: %q, want one named %q", got, task.Title)
	}
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "greeting.txt" {
		t.Errorf("the commit holds %q, want greeting.txt alone", got)
	}
	if got := client.Git(t, task.Worktree, "status", "--porcelain"); got != "" {
		t.Errorf("the worktree is not clean: %s", got)
	}
	runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
	if len(runs) != 1 || runs[0].Outcome != beckon.Succeeded || runs[0].Executor != s.Project.Executor || runs[0].Waits != (executing.Waits{}) {
		t.Errorf("runs %+v", runs)
	}
}

// asksWhichColour is what an agent does that asks one question.
var asksWhichColour = fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which colour?"}}

var green = beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "Green"}}}

// orphanOf returns the question of a task whose agent is gone, once it is that.
func orphanOf(s *fixture.Fixture, taskID string) (q beckon.Question) {
	s.Until("the question waits", patience, func() bool {
		for _, q = range client.Must[[]beckon.Question](s.Program, "Questions", taskID) {
			if q.Settlement == beckon.Orphaned {
				return true
			}
		}
		return false
	})
	return q
}

// askingLate is what an agent does that asks and is gone when it is answered.
func askingLate() []fixture.Turn {
	return []fixture.Turn{
		{"tool": "Write", "input": map[string]any{"file_path": "early.txt", "content": "early\n"}},
		asksWhichColour,
		{"text": "Green it is."},
		{"text": "Done."},
		{"text": "Done."},
	}
}

// isHere waits until a file is in a task's worktree here.
func isHere(s *fixture.Fixture, task beckon.Task, name string) {
	s.Until("its work is here", patience, func() bool {
		_, err := os.Stat(filepath.Join(s.Task(task.ID).Worktree, name))
		return err == nil
	})
}

// ranAgain waits until a task's second run has ended well.
func ranAgain(s *fixture.Fixture, taskID string) {
	s.Until("the next run has ended", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", taskID)
		return len(runs) == 2 && runs[1].Outcome == beckon.Succeeded
	})
}

// answeredLate answers a question whose agent is gone, and sees that it goes on.
func answeredLate(t *testing.T, s *fixture.Fixture, task beckon.Task) {
	t.Helper()
	isHere(s, task, "early.txt")
	answer(s, orphanOf(s, task.ID), green)
	ranAgain(s, task.ID)
	s.Heard("Green")
	task = s.InReview(task.ID)
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "early.txt" {
		t.Errorf("the commit holds %q", got)
	}
}

// linkLost reports whether a task's run says so. It fails no test: it is asked beside one.
func linkLost(s *fixture.Fixture, taskID string) bool {
	runs, err := client.Call[[]beckon.Run](s.Program, "Runs", taskID)
	return err == nil && len(runs) > 0 && runs[len(runs)-1].LinkLost > 0
}

func health(s *fixture.Fixture, id string) executing.Health {
	for _, e := range client.Must[beckon.Frame](s.Program, "Attach", "healthclient").Events {
		if e.Executors == nil {
			continue
		}
		for _, one := range e.Executors.All {
			if one.Executor.ID == id {
				return one.Health
			}
		}
	}
	return executing.Health{}
}

// looked waits until an executor was looked at, and holds its health to words of its
// problem; empty: it can be used.
func looked(t *testing.T, s *fixture.Fixture, id, words string) executing.Health {
	t.Helper()
	var found executing.Health
	s.Until("it was looked at", patience, func() bool {
		found = health(s, id)
		return found.State == executing.Ready || found.State == executing.Failed
	})
	if (found.State == executing.Ready) != (words == "") || !strings.Contains(found.Problem, words) {
		t.Errorf("%s: %q; want %q", found.State, found.Problem, words)
	}
	return found
}

// results is how many results of tools the model heard, by its last request.
func results(s *fixture.Fixture) int {
	told := strings.Split(strings.TrimSpace(s.Told()), "\n")
	return strings.Count(told[len(told)-1], `"tool_result"`)
}
