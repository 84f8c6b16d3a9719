//go:build linux

package real

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/toolserver"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestAnAgentOutlivesItsBeckonForAMoment: on a busy machine the process above claude is
// late to see that Beckon died, and claude reads on meanwhile. The next Beckon says nothing
// twice for it, and the chat does not wait for a turn that never comes.
func TestAnAgentOutlivesItsBeckonForAMoment(t *testing.T) {
	t.Parallel()
	s := fixture.Play(t, fixture.Script{Turns: []fixture.Turn{{"text": "Well."}}, Rules: []fixture.Rule{{When: `.`, Turn: fixture.Turn{"text": "I hear you."}}}})
	task := chat(t, s)
	post(s, task.ID, "hello", beckon.Queue)
	idle(t, s, task.ID, 1)
	agent := agents(s.Dir)[0]
	above := toolserver.Ancestors(agent.Pid)[1]
	signal := func(pid int, sig syscall.Signal) {
		if err := syscall.Kill(pid, sig); err != nil {
			t.Fatal(err)
		}
	}
	signal(agent.Pid, syscall.SIGSTOP)
	post(s, task.ID, "say tok000x", beckon.Queue)
	signal(above, syscall.SIGSTOP)
	t.Cleanup(func() { _ = syscall.Kill(above, syscall.SIGCONT) })
	_ = s.Cmd.Process.Kill()
	go func() {
		time.Sleep(2 * time.Second)
		_ = syscall.Kill(agent.Pid, syscall.SIGCONT)
		time.Sleep(time.Second)
		_ = syscall.Kill(above, syscall.SIGCONT)
	}()
	s.Slay()
	run := func() beckon.Run {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return runs[len(runs)-1]
	}
	client.Must[beckon.Run](s.Program, "StartInteractive", task.ID)
	s.Until("the chat is idle", patience, func() bool { return run().Phase == beckon.Idle && queued(s, task.ID) == "" })
	post(s, task.ID, "and on", beckon.Queue)
	s.Until("the model is asked", patience, func() bool { return strings.Contains(lastAsked(s.Told()), "and on") })
	if n := strings.Count(lastAsked(s.Told()), "tok000x"); n != 1 {
		t.Errorf("the model has it %d times", n)
	}
}
