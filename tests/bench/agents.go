//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// agentsAtOnce is how many agents are weighed.
const agentsAtOnce = 12

// agentWeights takes what each agent costs Beckon that has said a thousand lines and waits:
// what the back end grows by, and its supervisor. What the agent itself weighs is left out.
func agentWeights(b *bench) {
	s := b.serve("flood 1000 620\nexpect never-said\n", b.TempDir())
	settings := beckon.DefaultSettings()
	settings.Slots = agentsAtOnce + 1
	client.Must[any](s.Program, "SaveSettings", settings)
	pid := s.Cmd.Process.Pid
	run := func(agents int) {
		for i := range agents {
			s.create(fmt.Sprint("Wait ", i), beckon.Running)
		}
	}
	run(1) // what the first one costs, all share
	s.untilWaiting(1)
	before, alone := pss(b, pid), len(children(pid))
	run(agentsAtOnce)
	s.untilWaiting(1 + agentsAtOnce)
	many, each := s.supervisors()
	if many != alone+agentsAtOnce {
		b.Fatalf("%d supervisors of %d agents", many, agentsAtOnce+alone)
	}
	b.print(fmt.Sprintf("an agent that waits: back end and supervisor (PSS; the supervisor %.1f MB)", each),
		(pss(b, pid)-before)/agentsAtOnce+each, "MB", atMost(3))
}

// supervisors are those of all agents: how many, and what each weighs in the mean, in MB.
func (s *stage) supervisors() (many int, each float64) {
	all := children(s.Cmd.Process.Pid)
	for _, one := range all {
		each += pss(s.b, one) / float64(len(all))
	}
	return len(all), each
}

// untilWaiting waits until so many agents have said what they have to say.
func (s *stage) untilWaiting(agents int) {
	s.Until("agents that wait", patience, func() bool {
		n := 0
		for _, lines := range s.logs() {
			if lines >= 1000 {
				n++
			}
		}
		return n == agents
	})
	time.Sleep(5 * time.Second) // for what is only held for a while
}

// churnRuns is how many short runs must leave nothing behind.
const churnRuns = 600

// churn takes what is left of so many short runs: goroutines, descriptors and memory
// beyond those of the same Beckon after its first few. Worktrees are left out: the runs
// are in a folder without git.
func churn(b *bench) {
	const first = 20
	s := b.serve("text Done.\n", b.TempDir())
	settings := beckon.DefaultSettings()
	settings.Slots = 4
	client.Must[any](s.Program, "SaveSettings", settings)
	pid := s.Cmd.Process.Pid
	s.runShort(first)
	files, weight := descriptors(b, pid), pss(b, pid)
	s.runShort(churnRuns - first)
	b.print(fmt.Sprintf("%d short runs: descriptors more than after %d", churnRuns, first), descriptors(b, pid)-files, "", atMost(0))
	b.print(fmt.Sprintf("%d short runs: memory more than after %d (PSS; %.0f MB in all)", churnRuns, first, pss(b, pid)), pss(b, pid)-weight, "MB", atMost(10))
	b.print(fmt.Sprintf("%d short runs: child processes left", churnRuns), float64(len(children(pid))), "", atMost(0))
	b.print(fmt.Sprintf("%d short runs: goroutines left", churnRuns), s.goroutines(), "", atMost(30))
}

// runShort runs tasks to their review, several at once, and waits until all is calm.
func (s *stage) runShort(tasks int) {
	last := make([]beckon.Task, tasks)
	for i := range last {
		last[i] = s.create(fmt.Sprint("Be short ", i), beckon.Queued)
	}
	for _, t := range last {
		s.InReview(t.ID)
		client.Must[beckon.Task](s.Program, "MoveTask", t.ID, beckon.Done, 0)
	}
	time.Sleep(5 * time.Second)
}

// goroutines ends the program by the signal at which Go prints them all, and counts them.
// Number 0 is none: it is the scheduler's stack of the thread that got the signal.
func (s *stage) goroutines() float64 {
	s.b.must(s.Cmd.Process.Signal(syscall.SIGQUIT))
	_ = s.Cmd.Wait() // with 2, as it must
	return float64(len(regexp.MustCompile(`(?m)^goroutine [1-9]\d* `).FindAllString(s.Logs(), -1)))
}

// descriptors counts what a process has open, but for the files of its databases: of those
// it opens up to four, when reads fall together.
func descriptors(b *bench, pid int) (n float64) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	list, err := os.ReadDir(dir)
	b.must(err)
	for _, one := range list {
		if file, _ := os.Readlink(filepath.Join(dir, one.Name())); !strings.Contains(filepath.Base(file), ".db") { // it may be closed by now
			n++
		}
	}
	return n
}
