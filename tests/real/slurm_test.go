//go:build linux

package real

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestTheMainJobOnACluster is the main job in a job of Slurm's, whose sbatch is here or on
// a host: it asks twice, hears both answers in the same turn, its edit is committed on its
// branch here, and nothing is left in the queue.
func TestTheMainJobOnACluster(t *testing.T) {
	t.Parallel()
	for _, front := range []string{"this computer", "a host"} {
		t.Run(front, func(t *testing.T) {
			t.Parallel()
			c := fixture.NewCluster(t, 4)
			var h *fixture.Host
			if front == "a host" {
				h = fixture.NewHost(t, c.Env[0])
				c.Home = h.Home
			}
			s := c.InJobs(t, h, "--partition main --time=1:00:00",
				fixture.Turn{"text": "One thing first.", "tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
				fixture.Turn{"text": "And another.", "tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which language?", "Language", "English", "German"))},
				fixture.Turn{"text": "Now I write it.", "tool": "Write", "input": map[string]any{"file_path": "greeting.txt", "content": "Good day\n"}},
				fixture.Turn{"text": "All done."},
			)
			task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how."})
			s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
			jobs := c.Jobs()
			if len(jobs) != 1 || len(c.Agents()) != 1 {
				t.Errorf("jobs %v and agents %v, want one", jobs, c.Agents())
			}
			s.Answer(s.Asked(task.ID, "Which language?"), "German")
			task = s.InReview(task.ID)
			s.Heard(`{"question":"Which greeting?","labels":["Good day"]`)
			s.Heard(`"Which language?"="German"`)
			if task.Trouble != "" {
				t.Errorf("trouble: %s", task.Trouble)
			}
			if got := client.Git(t, s.Dir, "show", "--format=%s", "--name-only", task.Branch); strings.Join(strings.Fields(got), " ") != "Greet the user greeting.txt" {
				t.Errorf("the commit is %q", got)
			}
			runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
			if len(runs) != 1 || runs[0].Outcome != beckon.Succeeded || runs[0].Executor != s.Project.Executor || runs[0].Waits.Words != "" {
				t.Errorf("runs %+v", runs)
			}
			c.Emptied(s)
		})
	}
}

// TestASecondJobWaitsInTheQueue while the first has all that the cluster has: the run says
// what it waits for, and begins when the first has ended. One that is stopped meanwhile
// leaves the queue.
func TestASecondJobWaitsInTheQueue(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 1)
	ask := fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which colour?"}}
	s := c.InJobs(t, nil, "", ask, fixture.Turn{"text": "Done."}, ask, fixture.Turn{"text": "Done."})
	first := s.Create(beckon.NewTask{Title: "First"})
	q := s.Asked(first.ID, "Which colour?")
	second := s.Create(beckon.NewTask{Title: "Second"})
	s.Until("the second waits, in Slurm's words", patience, func() bool {
		waits := s.Run(second.ID).Waits
		return waits.For == executing.Room && strings.Contains(waits.Words, " (Slurm job ")
	})
	client.Must[any](s.Program, "Stop", second.ID)
	s.Until("its job is cancelled", patience, func() bool { return len(c.Jobs()) == 1 })
	third := s.Create(beckon.NewTask{Title: "Third"})
	s.Until("the third waits", patience, func() bool { return s.Run(third.ID).Waits.Words != "" })
	client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "Green"}}})
	s.InReview(first.ID)
	q = s.Asked(third.ID, "Which colour?")
	if run := s.Run(third.ID); run.Waits.Words != "" {
		t.Errorf("it says still: %s", run.Waits.Words)
	}
	client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "Blue"}}})
	s.InReview(third.ID)
	c.Emptied(s)
}

// TestTheLinkToAJobIsCut while its agent asks: the answer arrives once.
func TestTheLinkToAJobIsCut(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 4)
	turns := []fixture.Turn{}
	const asks = 3
	for n := range asks {
		turns = append(turns, fixture.Turn{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": fmt.Sprintf("Question %d of all?", n)}})
	}
	s := c.InJobs(t, nil, "", append(turns, fixture.Turn{"text": "Done."})...)
	task := s.Create(beckon.NewTask{Title: "Ask much"})
	for n := range asks {
		q := s.Asked(task.ID, fmt.Sprintf("Question %d of all?", n))
		if c.Cut() == 0 {
			t.Error("there was no link")
		}
		client.Must[any](s.Program, "AnswerQuestion", q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: fmt.Sprintf("Answer %d to it", n)}}})
	}
	task = s.InReview(task.ID)
	if all := client.Must[[]beckon.Question](s.Program, "Questions", task.ID); len(all) != asks || task.Trouble != "" {
		t.Errorf("%d questions, want %d; trouble %q", len(all), asks, task.Trouble)
	}
	told := strings.Split(strings.TrimSpace(s.Told()), "\n")
	if got := strings.Count(told[len(told)-1], `"tool_result"`); got != asks {
		t.Errorf("the model heard %d results, want %d", got, asks)
	}
	c.Emptied(s)
}

// TestAClusterIsRemoved with all that Beckon has there, unless a job of another Beckon's is
// in the queue, which may begin at any time.
func TestAClusterIsRemoved(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 1)
	s := c.InJobs(t, nil, "", fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.InReview(task.ID)
	c.Emptied(s)
	c.Submit("beckon-of-another")
	if _, err := client.Call[any](s.Program, "RemoveExecutor", s.Project.Executor, false); err == nil || !strings.Contains(err.Error(), "1 jobs of Beckon's are in Slurm's queue") {
		t.Errorf("it was removed under a job: %v", err)
	}
	c.Cancel()
	s.Until("the job is gone", patience, func() bool { return len(c.Jobs()) == 0 })
	client.Must[any](s.Program, "RemoveExecutor", s.Project.Executor, false)
	if !c.Cleared() {
		t.Error("something of Beckon's is left there")
	}
}

// TestAJobIsCancelledWhileItsAgentAsks: the run ends and says how, its work is here, and
// the answer goes on with its session in a new job.
func TestAJobIsCancelledWhileItsAgentAsks(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 4)
	s := c.InJobs(t, nil, "", askingLate()...)
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	c.WrittenDown(t, "Which colour?")
	c.Cancel()
	s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Phase == beckon.Ended })
	if run := s.Run(task.ID); !strings.Contains(run.Reason, "was cancelled (CANCELLED)") || !strings.Contains(run.Reason, "goes on in a new job") {
		t.Errorf("it says %q", run.Reason)
	}
	answeredLate(t, s, task)
	c.Emptied(s)
}

// TestBeckonIsKilledWhileAJobAsks: the next Beckon ends that job, brings its work home, and
// the answer goes on with its session in a new one.
func TestBeckonIsKilledWhileAJobAsks(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 4)
	s := c.InJobs(t, nil, "", askingLate()...)
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	c.WrittenDown(t, "Which colour?")
	s.Slay()
	c.Emptied(s)
	answeredLate(t, s, task)
	c.Emptied(s)
}

// askingLate is what an agent does that asks and is gone when it is answered.
func askingLate() []fixture.Turn {
	return []fixture.Turn{
		{"tool": "Write", "input": map[string]any{"file_path": "early.txt", "content": "early\n"}},
		{"tool": "mcp__beckon__ask_user", "input": map[string]any{"question": "Which colour?"}},
		{"text": "Green it is."},
		{"text": "Done."},
		{"text": "Done."},
	}
}

// answeredLate answers a question whose agent is gone, and sees that it goes on.
func answeredLate(t *testing.T, s *fixture.Fixture, task beckon.Task) {
	t.Helper()
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
	task = s.InReview(task.ID)
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "early.txt" {
		t.Errorf("the commit holds %q", got)
	}
}

// TestAnOddCluster: what a cluster may be like, and what the executor then says.
func TestAnOddCluster(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 1)
	away := fixture.NewCluster(t, 1)
	away.Stop()
	for _, one := range []struct {
		name    string
		cluster *fixture.Cluster
		options string
		words   string // of the problem; empty: it works
	}{
		{"as it should be", c, "--partition=main --comment 'a b'", ""},
		{"no such partition", c, "--partition=nope", "has no such partition for you"},
		{"an option that is none", c, "--partitian=main", "none of sbatch's"},
		{"more than it has", c, "--cpus-per-task=64", "refuses the job"},
		{"many jobs", c, "--array=1-3", "cannot have --array=1-3"},
		{"no controller", away, "", "controller does not answer"},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			s := one.cluster.InJobs(t, nil, one.options)
			var found executing.Health
			s.Until("it was looked at", patience, func() bool {
				found = health(s, s.Project.Executor)
				return found.State == executing.Ready || found.State == executing.Failed
			})
			if (found.State == executing.Ready) != (one.words == "") || !strings.Contains(found.Problem, one.words) {
				t.Errorf("%s: %q; want %q", found.State, found.Problem, one.words)
			}
		})
	}
}
