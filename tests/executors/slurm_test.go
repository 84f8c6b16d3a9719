//go:build linux

package executors

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

// TestASecondJobWaitsInTheQueue while the first has all that the cluster has: the run says
// what it waits for, and begins when the first has ended. One that is stopped meanwhile
// leaves the queue.
func TestASecondJobWaitsInTheQueue(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 1)
	s := c.InJobs(t, nil, "", fixture.AskColour, fixture.Turn{"text": "Done."}, fixture.AskColour, fixture.Turn{"text": "Done."})
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
	s.Reply(q, "Green")
	s.InReview(first.ID)
	q = s.Asked(third.ID, "Which colour?")
	if run := s.Run(third.ID); run.Waits.Words != "" {
		t.Errorf("it says still: %s", run.Waits.Words)
	}
	s.Reply(q, "Blue")
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
		s.Reply(q, fmt.Sprintf("Answer %d to it", n))
	}
	task = s.InReview(task.ID)
	if all := client.Must[[]beckon.Question](s.Program, "Questions", task.ID); len(all) != asks || task.Trouble != nil {
		t.Errorf("%d questions, want %d; trouble %q", len(all), asks, task.Trouble)
	}
	if got := results(s); got != asks {
		t.Errorf("the model heard %d results, want %d", got, asks)
	}
	c.Emptied(s)
}

// TestAClusterIsRemoved with all that this Beckon has there, unless a job of its own is in the
// queue, which may begin at any time. One of another Beckon's keeps nobody from it.
func TestAClusterIsRemoved(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 1)
	s := c.InJobs(t, nil, "", fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.InReview(task.ID)
	c.Emptied(s)
	owner, err := os.ReadFile(filepath.Join(s.Data(), "executors", "owner"))
	if err != nil {
		t.Fatal(err)
	}
	c.Submit("beckon-" + string(owner) + "of-a-run")
	if _, err := client.Call[any](s.Program, "RemoveExecutor", s.Project.Executor, false); err == nil || !strings.Contains(err.Error(), "1 jobs of this Beckon are in Slurm's queue") {
		t.Errorf("it was removed under a job: %v", err)
	}
	c.Cancel()
	s.Until("the job is gone", patience, func() bool { return len(c.Jobs()) == 0 })
	c.Submit("beckon-of-another")
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
	s := c.InJobs(t, nil, "", fixture.AskingLate()...)
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	c.WrittenDown(t, "Which colour?")
	c.Cancel()
	s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Phase == beckon.Ended })
	if run := s.Run(task.ID); !strings.Contains(run.Reason.String(), "was cancelled (CANCELLED)") || !strings.Contains(run.Reason.String(), "goes on in a new job") {
		t.Errorf("it says %q", run.Reason)
	}
	s.ReplyLate(task)
	c.Emptied(s)
}

// TestBeckonIsKilledWhileAJobAsks: the next Beckon ends that job, brings its work home, and
// the answer goes on with its session in a new one.
func TestBeckonIsKilledWhileAJobAsks(t *testing.T) {
	t.Parallel()
	c := fixture.NewCluster(t, 4)
	s := c.InJobs(t, nil, "", fixture.AskingLate()...)
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	c.WrittenDown(t, "Which colour?")
	s.Slay()
	c.Emptied(s)
	s.ReplyLate(task)
	c.Emptied(s)
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
			s.LookedAt(s.Project.Executor, one.words)
		})
	}
}
