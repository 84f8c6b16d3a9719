//go:build linux

package real

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestTheMainJobElsewhere is the main job on another machine: it asks twice mid-run, hears
// both answers in the same turn, and its edit is committed on its branch here.
func TestTheMainJobElsewhere(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t,
		fixture.Turn{"text": "One thing first.", "tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		fixture.Turn{"text": "And another.", "tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which language?", "Language", "English", "German"))},
		fixture.Turn{"text": "Now I write it.", "tool": "Write", "input": map[string]any{"file_path": "greeting.txt", "content": "Good day\n"}},
		fixture.Turn{"text": "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how."})
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
	if n := len(h.Agents()); n != 1 {
		t.Errorf("%d agents work there, want one", n)
	}
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
	if len(runs) != 1 || runs[0].Outcome != beckon.Succeeded || runs[0].Executor != s.Project.Executor {
		t.Errorf("runs %+v", runs)
	}
	s.Until("nothing is left there", patience, func() bool { return len(h.Agents()) == 0 })
}

// TestTheLinkIsCutAgainAndAgain while an agent elsewhere asks: its end there is killed, or
// the one here, or nobody answers there for a while. Each question is asked and answered
// once, and nothing is left there.
func TestTheLinkIsCutAgainAndAgain(t *testing.T) {
	t.Parallel()
	const asks = 25
	turns := []fixture.Turn{}
	for n := range asks {
		turns = append(turns, fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": fmt.Sprintf("Question %d of all?", n)}})
	}
	s, h := fixture.Elsewhere(t, append(turns,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "done.txt", "content": "x\n"}}, fixture.Turn{"text": "Done."})...)
	task := s.Create(beckon.NewTask{Title: "Ask much"})
	over, cut := make(chan struct{}), make(chan int)
	go func() {
		cuts := 0
		defer func() { cut <- cuts }()
		for {
			select {
			case <-over:
				return
			case <-time.After(time.Duration(rand.IntN(600)) * time.Millisecond):
			}
			switch cuts++; rand.IntN(10) {
			case 0:
				h.Stop()
				time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
				h.Start()
			case 1, 2, 3:
				h.CutHere()
			default:
				h.Cut()
			}
		}
	}()
	for n := range asks {
		text := fmt.Sprintf("Question %d of all?", n)
		q := s.Asked(task.ID, text)
		client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: fmt.Sprintf("Answer %d to it", n)}}})
	}
	close(over)
	t.Logf("%d cuts", <-cut)
	task = s.InReview(task.ID)
	all := client.Must[[]beckon.Question](s.Program, "Questions", task.ID)
	if len(all) != asks || task.Trouble != "" {
		t.Errorf("%d questions, want %d; trouble %q", len(all), asks, task.Trouble)
	}
	told := strings.Split(strings.TrimSpace(s.Told()), "\n")
	for n := range asks {
		if got := strings.Count(told[len(told)-1], fmt.Sprintf("Answer %d to it", n)); got == 0 {
			t.Errorf("the model has not heard answer %d", n)
		}
	}
	if got := strings.Count(told[len(told)-1], `"tool_result"`); got != asks+1 {
		t.Errorf("the model heard %d results, want %d", got, asks+1)
	}
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "done.txt" {
		t.Errorf("the commit holds %q", got)
	}
	s.Until("nothing is left there", patience, func() bool { return len(h.Agents()) == 0 })
}

// TestAnAnswerWaitsForTheLink: the run says that it is lost, and the answer that is given
// meanwhile arrives once it is back.
func TestAnAnswerWaitsForTheLink(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which colour?"}}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	q := s.Asked(task.ID, "Which colour?")
	h.Stop()
	s.Until("the link is lost", patience, func() bool { return s.Run(task.ID).LinkLost > 0 })
	s.Until("the executor is lost", patience, func() bool { return health(s, s.Project.Executor).State == executing.Lost })
	client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "Green"}}})
	if run := s.Run(task.ID); run.Phase == beckon.Ended {
		t.Errorf("the run ended: %+v", run)
	}
	h.Start()
	task = s.InReview(task.ID)
	s.Heard(`Green`)
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.LinkLost != 0 {
		t.Errorf("%+v", run)
	}
	if state := health(s, s.Project.Executor).State; state != executing.Ready {
		t.Errorf("the executor is %s", state)
	}
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

// TestStopWithoutALink ends the run here at once, and its agent when there is a link
// again.
func TestStopWithoutALink(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which colour?"}}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	h.Stop()
	s.Until("the link is lost", patience, func() bool { return s.Run(task.ID).LinkLost > 0 })
	client.Must[any](s.Program, "Stop", task.ID)
	s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Outcome == beckon.Stopped })
	if task = s.InReview(task.ID); !strings.Contains(task.Trouble, "still on Farm") {
		t.Errorf("trouble %q", task.Trouble)
	}
	if len(h.Agents()) != 1 {
		t.Error("the agent is gone, and nobody could reach it")
	}
	h.Start()
	s.Until("the trouble is over", patience, func() bool { return s.Task(task.ID).Trouble == "" })
	s.Until("its agent has ended", patience, func() bool { return len(h.Agents()) == 0 && len(h.Working()) == 0 })
}

// TestBeckonIsKilledWhileAnAgentAsksElsewhere: the next Beckon ends that agent, brings its
// work home, and the answer goes on with its session there.
func TestBeckonIsKilledWhileAnAgentAsksElsewhere(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "early.txt", "content": "early\n"}},
		fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which colour?"}},
		fixture.Turn{"text": "Green it is."}, fixture.Turn{"text": "Done."}, fixture.Turn{"text": "Done."},
	)
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	h.WrittenDown(t, "Which colour?")
	s.Slay()
	s.Until("the agent there has ended", patience, func() bool { return len(h.Agents()) == 0 && len(h.Working()) == 0 })
	s.Until("its work is here", patience, func() bool {
		_, err := os.Stat(filepath.Join(s.Task(task.ID).Worktree, "early.txt"))
		return err == nil
	})
	var orphan beckon.Question
	s.Until("the question waits", patience, func() bool {
		for _, q := range client.Must[[]beckon.Question](s.Program, "Questions", task.ID) {
			orphan = q
		}
		return orphan.Settlement == beckon.Orphaned
	})
	client.Must[any](s.Program, "AnswerQuestion", orphan.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "Green"}}})
	s.Until("the next run has ended", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return len(runs) == 2 && runs[1].Outcome == beckon.Succeeded
	})
	s.Heard("Green")
	if n := len(client.Must[[]beckon.Question](s.Program, "Questions", task.ID)); n != 1 {
		t.Errorf("%d questions, want one", n)
	}
	task = s.InReview(task.ID)
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "early.txt" {
		t.Errorf("the commit holds %q", got)
	}
}

// TestWhatChangedHereIsNotPutOver: a file that the user edits while the agent works
// elsewhere stays, and what the agent did is kept beside it.
func TestWhatChangedHereIsNotPutOver(t *testing.T) {
	t.Parallel()
	s, _ := fixture.Elsewhere(t,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "theirs.txt", "content": "theirs\n"}},
		fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which colour?"}}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	q := s.Asked(task.ID, "Which colour?")
	mine := filepath.Join(s.Task(task.ID).Worktree, "mine.txt")
	if err := os.WriteFile(mine, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "Green"}}})
	task = s.InReview(task.ID)
	ref := "refs/beckon/elsewhere/" + task.ID
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine\n" || !strings.Contains(task.Trouble, ref) {
		t.Errorf("%q, %v; trouble %q", text, err, task.Trouble)
	}
	if got := client.Git(t, s.Dir, "show", ref+":theirs.txt"); got != "theirs\n" {
		t.Errorf("what the agent did is kept as %q", got)
	}
}
