//go:build linux

package real

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/cluster"
	"beckon/tests/fixture"
)

// What the real CLI itself decides where it runs elsewhere: the main job on each kind of
// executor, a kill, and its way through a proxy. All else is in tests/executors.

// TestTheMainJobElsewhere is the main job on another machine.
func TestTheMainJobElsewhere(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.MainJob...)
	s.PlayMainJob("", func(beckon.Task) {
		if n := len(h.Agents()); n != 1 {
			t.Errorf("%d agents work there, want one", n)
		}
	})
	s.Until("nothing is left there", patience, func() bool { return len(h.Agents()) == 0 })
}

// TestTheMainJobInAContainer is the main job in a container of a real engine, where it is
// allowed everything. The container is stopped then.
func TestTheMainJobInAContainer(t *testing.T) { fixture.EachEngine(t, mainJobInAContainer) }

func mainJobInAContainer(t *testing.T, is executing.Engine) {
	s, e := fixture.Contained(t, is, fixture.MainJob...)
	s.PlayMainJob(beckon.ModeBypass, func(task beckon.Task) {
		if names := strings.Fields(e.Run("ps", "--format", "{{.Names}}")); !slices.Contains(names, s.Container(task)) {
			t.Errorf("containers that run: %q", names)
		}
	})
	s.Until("no container runs", patience, func() bool { return e.Run("ps", "--quiet") == "" })
}

// TestTheMainJobInADevContainer is the main job in the container that the project itself
// describes.
func TestTheMainJobInADevContainer(t *testing.T) { fixture.EachEngine(t, mainJobInADevContainer) }

func mainJobInADevContainer(t *testing.T, is executing.Engine) {
	s, e := fixture.InDevContainers(t, is, fixture.DevContainer, fixture.MainJob...)
	s.PlayMainJob(beckon.ModeBypass, func(task beckon.Task) {
		if all := e.Run("exec", "--user", "dev", s.Container(task), "cat", "/tmp/said"); all != "created\nstarted" {
			t.Errorf("its commands said %q", all)
		}
	})
	s.Until("no container runs", patience, func() bool { return e.Run("ps", "--quiet") == "" })
}

// TestTheMainJobInAPod is the main job in a pod, which goes with the executor.
func TestTheMainJobInAPod(t *testing.T) {
	t.Parallel()
	s, p := fixture.OnPods(t, func(*cluster.World, *executing.Executor) {}, fixture.MainJob...)
	s.PlayMainJob("", func(beckon.Task) {
		if names := p.Names(); len(names) != 1 || !strings.HasPrefix(names[0], "beckon-") {
			t.Errorf("pods %v, want one", names)
		}
		if left := client.Must[executing.Left](s.Program, "LeftOnExecutor", s.Project.Executor); left.Worktrees != 1 || len(left.Keys) != 1 {
			t.Errorf("%+v", left)
		}
	})
	if h := s.Health(s.Project.Executor); h.State != executing.Ready || h.Found.System != "Kubernetes v1.36.1" {
		t.Errorf("%+v", h)
	}
	if client.Must[any](s.Program, "RemoveExecutor", s.Project.Executor, false); !p.Empty() {
		t.Error("the executor is removed, and something of it is left in the cluster")
	}
}

// TestTheMainJobOnACluster is the main job in a job of Slurm's, whose sbatch is here or on
// a host. Nothing is left in the queue.
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
			s := c.InJobs(t, h, "--partition main --time=1:00:00", fixture.MainJob...)
			s.PlayMainJob("", func(beckon.Task) {
				if jobs := c.Jobs(); len(jobs) != 1 || len(c.Agents()) != 1 {
					t.Errorf("jobs %v and agents %v, want one", jobs, c.Agents())
				}
			})
			c.Emptied(s)
		})
	}
}

// TestBeckonIsKilledWhileAnAgentAsksElsewhere: the next Beckon ends that agent, brings its
// work home, and the answer goes on with its session there.
func TestBeckonIsKilledWhileAnAgentAsksElsewhere(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t, fixture.AskingLate()...)
	task := s.Create(beckon.NewTask{Title: "Paint"})
	s.Asked(task.ID, "Which colour?")
	h.WrittenDown(t, "Which colour?")
	turns := s.Turns()
	s.Slay()
	s.Until("the agent there has ended", patience, func() bool { return len(h.Agents()) == 0 && len(h.Working()) == 0 })
	if n := s.Turns() - turns; n != 0 {
		t.Errorf("it was ended, and asked the model %d times without an answer", n)
	}
	s.ReplyLate(task)
	if n := len(client.Must[[]beckon.Question](s.Program, "Questions", task.ID)); n != 1 {
		t.Errorf("%d questions, want one", n)
	}
}

// TestAContainerReachesClaudeAndNothingElse: its only network is the way to Claude's API
// through Beckon, also after the process that carries it was killed.
func TestAContainerReachesClaudeAndNothingElse(t *testing.T) {
	fixture.EachEngine(t, claudeAndNothingElse)
}

func claudeAndNothingElse(t *testing.T, is executing.Engine) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was reached") }))
	defer other.Close()
	s, e := fixture.Alone(t, is, fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "ls /sys/class/net > nets.txt; curl -s -o said.txt -w '%{http_code}' " + other.URL + " > direct.txt; curl -s --noproxy '*' " + other.URL + " || echo none > past.txt"}},
		fixture.AskColour,
		fixture.Turn{"text": "Done."})
	task := s.Create(beckon.NewTask{Title: "Paint", Mode: beckon.ModeBypass})
	q := s.Asked(task.ID, "Which colour?")
	e.CutHere()
	s.Reply(q, "Green")
	task = s.InReview(task.ID)
	s.Heard("Green")
	for name, want := range map[string]string{"nets.txt": "lo\n", "direct.txt": "403", "past.txt": "none\n"} {
		if got := client.Git(t, s.Dir, "show", task.Branch+":"+name); got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	if said := client.Git(t, s.Dir, "show", task.Branch+":said.txt"); !strings.Contains(said, "Claude's API only") {
		t.Errorf("it was told %q", said)
	}
}
