//go:build linux

package executors

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/cluster"
	"beckon/tests/fixture"
)

// asItIs changes nothing of a cluster.
func asItIs(*cluster.World, *executing.Executor) {}

// leavesNothing quits Beckon, after which nothing of it is in the cluster.
func leavesNothing(t *testing.T, s *fixture.Fixture, p *fixture.Pods) {
	t.Helper()
	s.Close()
	if !p.Empty() {
		t.Error("something is left in the cluster")
	}
}

// TestAPodWaitsForQuotaAndForANode: the run says what it waits for, in the words of who has
// it wait, and begins by itself. Stopped while it waits, nothing is left.
func TestAPodWaitsForQuotaAndForANode(t *testing.T) {
	t.Parallel()
	s, p := fixture.OnPods(t, func(w *cluster.World, e *executing.Executor) {
		w.Held, w.Full, e.Queue = "insufficient unused quota for cpu", "0/3 nodes are available: 3 Insufficient cpu.", "team-a"
	}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	waits := func(reason executing.Reason, words string) {
		t.Helper()
		s.Until(words, patience, func() bool { return s.Run(task.ID).Waits == executing.Waits{For: reason, Words: words} })
	}
	waits(executing.Quota, "team-a: insufficient unused quota for cpu")
	p.Set(func(w *cluster.World) { w.Held = "" })
	waits(executing.Room, "0/3 nodes are available: 3 Insufficient cpu.")
	client.Must[any](s.Program, "Stop", task.ID)
	s.Until("nothing is left there", patience, p.Empty)
	s.InReview(task.ID)
	p.Set(func(w *cluster.World) { w.Full = "" })
	again := s.Create(beckon.NewTask{Title: "Paint again"})
	if again = s.InReview(again.ID); again.Trouble != nil || s.Run(again.ID).Outcome != beckon.Succeeded || s.Run(again.ID).Waits.For != "" {
		t.Errorf("%q, %+v", again.Trouble, s.Run(again.ID))
	}
}

// TestTheLinkToAPodIsCut while its agent asks: the answer arrives once, in the same run.
func TestTheLinkToAPodIsCut(t *testing.T) {
	t.Parallel()
	s, p := fixture.OnPods(t, asItIs, fixture.AskColour, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	q := s.Asked(task.ID, "Which colour?")
	for range 5 {
		p.Cut()
		s.Until("there is a link again", patience, func() bool { return s.Run(task.ID).LinkLost == 0 })
	}
	p.Set(func(w *cluster.World) { w.Away = true })
	p.Cut()
	s.Until("the link is lost", patience, func() bool { return s.Run(task.ID).LinkLost > 0 })
	if h := s.Health(s.Project.Executor); h.State == executing.Lost {
		t.Error("one link's end makes the executor lost")
	}
	s.Reply(q, "Green")
	p.Set(func(w *cluster.World) { w.Away = false })
	if task = s.InReview(task.ID); task.Trouble != nil || s.Run(task.ID).Outcome != beckon.Succeeded {
		t.Errorf("%q, %+v", task.Trouble, s.Run(task.ID))
	}
	s.Heard("Green")
	if got := results(s); got != 1 {
		t.Errorf("the model heard %d results, want one", got)
	}
}

// TestAPodIsEvictedWhileItsAgentAsks: the run ends with the cluster's words, what came home
// before is kept and the rest named, and the answer begins the next pod, which has no
// session and says so.
func TestAPodIsEvictedWhileItsAgentAsks(t *testing.T) {
	t.Parallel()
	s, p := fixture.OnPods(t, asItIs,
		fixture.AskColour,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "colour.txt", "content": "green\n"}}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint the door", Brief: "Ask for the colour."})
	s.Asked(task.ID, "Which colour?")
	p.WrittenDown("Which colour?")
	p.Evict()
	s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Phase == beckon.Ended })
	if run := s.Run(task.ID); run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String(), "Evicted by Team: The node was low on resource: memory.") {
		t.Errorf("%+v", run)
	}
	s.Until("the card says so", patience, func() bool {
		return strings.Contains(s.Task(task.ID).Trouble.String(), "Evicted by Team") && strings.Contains(s.Task(task.ID).Trouble.String(), "all before is in the worktree")
	})
	s.Reply(s.Orphan(task.ID), "Green")
	s.Until("a run has succeeded", patience, func() bool { return s.Run(task.ID).Outcome == beckon.Succeeded })
	if task = s.InReview(task.ID); task.Trouble != nil {
		t.Errorf("trouble: %s", task.Trouble)
	}
	told := strings.Split(strings.TrimSpace(s.Told()), "\n")
	if last := told[len(told)-1]; !strings.Contains(last, "Which colour?") || !strings.Contains(last, "Green") || !strings.Contains(last, "Paint the door") {
		t.Errorf("the new conversation has not heard the task, the question and the answer: %.3000s", last)
	}
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "colour.txt" {
		t.Errorf("the commit holds %q", got)
	}
	// The session that the second pod had not was begun again in it, and not in a third.
	if n := p.Created(); n != 2 {
		t.Errorf("%d Jobs were created, want 2", n)
	}
	leavesNothing(t, s, p)
}

// TestBeckonIsKilledWhileAnAgentAsksInAPod: the next Beckon finds the pod, ends the agent,
// brings its work and deletes the Job; the answer goes on in another pod.
func TestBeckonIsKilledWhileAnAgentAsksInAPod(t *testing.T) {
	t.Parallel()
	s, p := fixture.OnPods(t, asItIs,
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": "early.txt", "content": "early\n"}},
		fixture.AskColour,
		fixture.Turn{"text": "Done."}, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	s.Slay()
	s.IsHere(task, "early.txt")
	if trouble := s.Task(task.ID).Trouble; trouble != nil {
		t.Errorf("trouble: %s", trouble)
	}
	qs := client.Must[[]beckon.Question](s.Program, "Questions", task.ID)
	if len(qs) != 1 || qs[0].Settlement != beckon.Orphaned {
		t.Fatalf("%+v", qs)
	}
	s.Reply(qs[0], "Green")
	s.Until("a run has succeeded", patience, func() bool { return s.Run(task.ID).Outcome == beckon.Succeeded })
	s.Heard("Green")
	leavesNothing(t, s, p)
}

// TestBeckonIsKilledWhileAPodWaits: the next Beckon deletes the Job, and nothing is said to
// be lost.
func TestBeckonIsKilledWhileAPodWaits(t *testing.T) {
	t.Parallel()
	s, p := fixture.OnPods(t, func(w *cluster.World, e *executing.Executor) { w.Held, e.Queue = "no quota", "team-a" })
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Until("it waits", patience, func() bool { return s.Run(task.ID).Waits.For == executing.Quota })
	s.Slay()
	s.Until("nothing is left there", patience, p.Empty)
	if trouble := s.Task(task.ID).Trouble; trouble != nil {
		t.Errorf("trouble: %s", trouble)
	}
}

// TestAPodIsGoneWhileBeckonWas: the card says what is lost, once.
func TestAPodIsGoneWhileBeckonWas(t *testing.T) {
	t.Parallel()
	s, p := fixture.OnPods(t, asItIs, fixture.AskColour, fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	if owed := s.Owed(); len(owed) != 1 {
		t.Errorf("%v is owed, want one run", owed)
	}
	_ = s.Cmd.Process.Kill()
	p.Evict()
	s.Slay()
	s.Until("the card says so", patience, func() bool { return strings.Contains(s.Task(task.ID).Trouble.String(), "Evicted by Team") })
	if owed := s.Owed(); len(owed) != 0 {
		t.Errorf("%v is owed still", owed)
	}
	leavesNothing(t, s, p)
}

// TestAnOddClusterOfPods: what a cluster may be like, and what the executor then says.
func TestAnOddClusterOfPods(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		name  string
		make  func(*cluster.World, *executing.Executor)
		words string
	}{
		{"no rights", func(w *cluster.World, _ *executing.Executor) {
			w.Denied = []string{"create pods/exec", "delete jobs.batch"}
		}, "Your account may not delete jobs, create pods/exec in the namespace"},
		{"no namespace", func(_ *cluster.World, e *executing.Executor) { e.Namespace = "nowhere" }, "There is no namespace nowhere in the cluster of Team"},
		{"no context", func(_ *cluster.World, e *executing.Executor) { e.Context = "other" }, "kubectl knows no context other"},
		{"nobody there", func(w *cluster.World, _ *executing.Executor) { w.Away = true }, "The cluster of Team does not answer: The connection to the server 10.0.0.1:6443 was refused"},
		{"no template", func(_ *cluster.World, e *executing.Executor) { e.Template = "/nowhere/job.yaml" }, "read the template /nowhere/job.yaml"},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			s, _ := fixture.OnPods(t, one.make)
			s.LookedAt(s.Project.Executor, one.words)
		})
	}
}

// TestAnImageCannotBePulled: the run says so, ends after a while, and leaves nothing.
func TestAnImageCannotBePulled(t *testing.T) {
	t.Parallel()
	s, p := fixture.OnPods(t, func(w *cluster.World, e *executing.Executor) { w.NoImage = e.Image })
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Until("it waits", patience, func() bool { return strings.Contains(s.Run(task.ID).Waits.Words, "ImagePullBackOff") })
	s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Phase == beckon.Ended })
	if run := s.Run(task.ID); run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String(), `ImagePullBackOff: Back-off pulling image "registry.test/agents:1"`) {
		t.Errorf("%+v", run)
	}
	if trouble := s.Task(task.ID).Trouble; strings.Contains(trouble.String(), "lost") || strings.Contains(trouble.String(), "still on") {
		t.Errorf("trouble: %s", trouble)
	}
	s.Until("nothing is left there", patience, p.Empty)
}
