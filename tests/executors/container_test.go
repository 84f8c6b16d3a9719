//go:build linux

package executors

import (
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// askInAContainer has an agent write a file and ask, and returns its task and question.
func askInAContainer(t *testing.T, is executing.Engine, more ...fixture.Turn) (s *fixture.Fixture, e *fixture.Engine, task beckon.Task, q beckon.Question) {
	t.Helper()
	s, e = fixture.Contained(t, is, append([]fixture.Turn{
		{"tool": "Write", "input": map[string]any{"file_path": "early.txt", "content": "early\n"}},
		fixture.AskColour,
	}, more...)...)
	task = s.Create(beckon.NewTask{Title: "Paint"})
	return s, e, task, s.Asked(task.ID, "Which colour?")
}

// TestAnExecIsKilledWhileItsAgentAsks: the engine's process here is no more than the link.
func TestAnExecIsKilledWhileItsAgentAsks(t *testing.T) { fixture.EachEngine(t, execIsKilled) }

func execIsKilled(t *testing.T, is executing.Engine) {
	s, e, task, q := askInAContainer(t, is, fixture.Turn{"text": "Done."})
	for range 5 {
		e.CutHere()
		s.Until("the link is lost", patience, func() bool { return linkLost(s, task.ID) })
		s.Until("the link is back", patience, func() bool { return !linkLost(s, task.ID) })
	}
	s.Reply(q, "Green")
	task = s.InReview(task.ID)
	s.Heard("Green")
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 1 || runs[0].Outcome != beckon.Succeeded || task.Trouble != nil {
		t.Errorf("runs %+v, trouble %q", runs, task.Trouble)
	}
}

// TestATaskGoesOnInItsContainer: what its first run left there, git's and not, is there in
// the next, and its session. It goes with the task.
func TestATaskGoesOnInItsContainer(t *testing.T) {
	t.Parallel()
	s, e := fixture.Contained(t, executing.Podman, fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "echo x > /opt/left; hostname > /opt/host"}},
		fixture.Turn{"text": "Done."},
		fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "cat /opt/left && [ $(cat /opt/host) = $(hostname) ] && echo again > again.txt"}},
		fixture.Turn{"text": "Done again."})
	task := s.Create(beckon.NewTask{Title: "Paint", Mode: beckon.ModeBypass})
	task = s.InReview(task.ID)
	first := s.Run(task.ID)
	client.Must[any](s.Program, "SendBack", task.ID, "Once more.")
	s.RanAgain(task.ID)
	task = s.InReview(task.ID)
	if run := s.Run(task.ID); run.Session != first.Session || task.Trouble != nil {
		t.Errorf("session %q, want %q; trouble %q", run.Session, first.Session, task.Trouble)
	}
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "again.txt" {
		t.Errorf("the commit holds %q", got)
	}
	client.Must[any](s.Program, "DiscardTask", task.ID, client.Must[beckon.Loss](s.Program, "Loss", task.ID).Token)
	s.Until("its container is gone", patience, func() bool { return e.Run("ps", "--all", "--quiet") == "" })
}

// TestBeckonIsKilledWhileAnAgentAsksInAContainer: the next Beckon ends that agent, brings
// its work home, and the answer goes on with its session in the same container.
func TestBeckonIsKilledWhileAnAgentAsksInAContainer(t *testing.T) {
	t.Parallel()
	s, e, task, _ := askInAContainer(t, executing.Podman, fixture.Turn{"text": "Green it is."}, fixture.Turn{"text": "Done."}, fixture.Turn{"text": "Done."})
	name := s.Container(task)
	s.Until("claude has written it down", patience, func() bool {
		return strings.Contains(e.Run("exec", name, "sh", "-c", "cat /root/.claude/projects/*/*.jsonl"), "Which colour?")
	})
	s.Slay()
	s.IsHere(task, "early.txt")
	s.Until("the container is stopped", patience, func() bool { return e.Run("ps", "--quiet") == "" })
	s.Reply(s.Orphan(task.ID), "Green")
	s.RanAgain(task.ID)
	s.Heard("Green")
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); runs[0].Session != runs[1].Session {
		t.Errorf("another session: %+v", runs)
	}
}

// TestAContainerIsRemovedUnderItsAgent: the run ends and says so, and the answer starts
// another, in a new container.
func TestAContainerIsRemovedUnderItsAgent(t *testing.T) {
	t.Parallel()
	s, e, task, _ := askInAContainer(t, executing.Podman, fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "ls"}}, fixture.Turn{"text": "Done."}, fixture.Turn{"text": "Done."})
	e.Run("rm", "--all", "--force", "--time", "0")
	s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Phase == beckon.Ended })
	run := s.Run(task.ID)
	if run.Outcome != beckon.Failed || run.Reason.String() != "The task's container was stopped or removed from outside." || !strings.Contains(s.Task(task.ID).Trouble.String(), "is not there any more") {
		t.Errorf("%+v; trouble %q", run, s.Task(task.ID).Trouble)
	}
	s.Reply(s.Orphan(task.ID), "Green")
	s.Until("another run has ended well", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return len(runs) > 1 && runs[len(runs)-1].Outcome == beckon.Succeeded
	})
	s.Heard("Green")
	if task = s.InReview(task.ID); task.Trouble != nil {
		t.Errorf("trouble %q", task.Trouble)
	}
}

// TestAnExecutorOfContainersIsRemoved with its containers.
func TestAnExecutorOfContainersIsRemoved(t *testing.T) {
	t.Parallel()
	s, e, task, q := askInAContainer(t, executing.Podman, fixture.Turn{"text": "Done."})
	if _, err := client.Call[any](s.Program, "RemoveExecutor", s.Project.Executor, false); err == nil || !strings.Contains(err.Error(), task.Key) {
		t.Errorf("it was removed under its agent: %v", err)
	}
	if left := client.Must[executing.Left](s.Program, "LeftOnExecutor", s.Project.Executor); left.Worktrees != 1 || left.Bytes == 0 || len(left.Keys) != 1 {
		t.Errorf("%+v", left)
	}
	s.Reply(q, "Green")
	s.InReview(task.ID)
	// A Beckon that is killed while it looks leaves its container.
	e.Run("run", "--detach", "--label", "beckon.executor="+s.Project.Executor, "--label", "beckon.task=", "-v", "/usr:/usr:ro", "--network", "none", fixture.ImageName, "sleep", "600")
	client.Must[any](s.Program, "RemoveExecutor", s.Project.Executor, false)
	if all := e.Run("ps", "--all", "--quiet"); all != "" {
		t.Errorf("left: %q", all)
	}
}

// TestARunIsStoppedWhileItsContainerStarts: podman that is killed then leaves half of one,
// which no podman finds again.
func TestARunIsStoppedWhileItsContainerStarts(t *testing.T) {
	t.Parallel()
	s, e := fixture.Contained(t, executing.Podman, fixture.Turn{"text": "Done."})
	for range 5 {
		task := s.Create(beckon.NewTask{Title: "Paint", Mode: beckon.ModeBypass})
		s.Until("its container starts", patience, func() bool {
			return slices.ContainsFunc(e.Busy(), func(line string) bool { return strings.Contains(line, "conmon ") })
		})
		client.Must[any](s.Program, "Stop", task.ID)
		s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Phase == beckon.Ended })
		s.Until("nothing is left", patience, func() bool { return len(e.Busy()) == 0 })
	}
}

// TestAnOddImage: what an image may lack, and what the executor then says.
func TestAnOddImage(t *testing.T) { fixture.EachEngine(t, oddImage) }

func oddImage(t *testing.T, is executing.Engine) {
	whole := map[string]string{"root/.local/bin/claude": fixture.ClaudeElsewhere()}
	for _, one := range []struct {
		name, options, image, words string
		files                       map[string]string
	}{
		{"a whole one", fixture.ContainerOptions(), fixture.ImageName, "", whole},
		{"no network", strings.Replace(fixture.ContainerOptions(), "host", "none", 1), fixture.ImageName, "", whole},
		{"no claude", fixture.ContainerOptions(), fixture.ImageName, "Claude was not found there", nil},
		{"no sh", "--network none", fixture.ImageName, "has no sh", whole},
		{"no image", "--network none", "localhost/no-such-image", "is not there and cannot be fetched", whole},
		{"no such option", "--no-such-option", fixture.ImageName, "takes none of the options", whole},
		{"a home that is read-only", fixture.ContainerOptions() + " --read-only", fixture.ImageName, "is read-only", whole},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			e := fixture.NewEngine(t, is, one.files)
			s := fixture.NewWithEnv(t, e.Env)
			row := client.Must[executing.Executor](s.Program, "SaveExecutor", executing.Executor{
				Name: "Box", Kind: executing.Container, Engine: is, Image: one.image, Options: one.options, Slots: 4,
			})
			s.LookedAt(row.ID, one.words)
			if all := e.Run("ps", "--all", "--quiet"); all != "" {
				t.Errorf("the look left %q", all)
			}
		})
	}
}
