//go:build linux || darwin

package scripts_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"beckon/backend/beckon"
)

// portOf returns the first of the task's ports.
func (b *bench) portOf(taskID string) int {
	b.t.Helper()
	port, err := b.Ports.Of(b.t.Context(), taskID)
	if err != nil {
		b.t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		b.t.Fatal(err)
	}
	return number
}

// written returns what a command wrote into a file of the worktree.
func (b *bench) written(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.task.Worktree, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// more makes more tasks of the project.
func (b *bench) more(n int) (ids []string) {
	b.t.Helper()
	for range n {
		t := b.task
		t.ID = ""
		if err := b.store.CreateTask(b.t.Context(), &t); err != nil {
			b.t.Fatal(err)
		}
		ids = append(ids, t.ID)
	}
	return ids
}

// listen listens on a port until the test ends.
func (b *bench) listen(port int) {
	b.t.Helper()
	l, err := new(net.ListenConfig).Listen(b.t.Context(), "tcp", fmt.Sprint("127.0.0.1:", port))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = l.Close() })
}

// move puts the task into a column.
func (b *bench) move(to beckon.Status) {
	b.t.Helper()
	if _, err := b.store.UpdateTask(b.t.Context(), b.task.ID, func(t *beckon.Task) error { return t.Move(to) }); err != nil {
		b.t.Fatal(err)
	}
}

// TestATaskKeepsItsPorts: what an agent wrote into a file of the worktree stays right.
func TestATaskKeepsItsPorts(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Setup: "echo $BECKON_PORT > setup", Check: "echo $BECKON_PORT > check", Dev: "echo $BECKON_PORT"})
	port := b.portOf(b.task.ID)
	if err := b.Prepare(t.Context(), b.task, b.project); err != nil {
		t.Fatal(err)
	}
	b.begin(beckon.ScriptCheck)
	b.until(beckon.ScriptCheck, "over", over)
	b.begin(beckon.ScriptDev)
	b.until(beckon.ScriptDev, "over", over)
	for of, said := range map[string]string{
		"setup": b.written("setup"), "check": b.written("check"), "dev": b.output(beckon.ScriptDev),
	} {
		if strings.TrimSpace(said) != strconv.Itoa(port) {
			t.Errorf("%s has BECKON_PORT %q, want %d", of, said, port)
		}
	}
	b.Close()
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	b.open()
	if now := b.portOf(b.task.ID); now != port {
		t.Errorf("after a restart they begin at %d, and did at %d", now, port)
	}
}

// TestNoTwoTasksHaveAPort, also where all begin at once.
func TestNoTwoTasksHaveAPort(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{})
	ids := b.more(40)
	var all sync.WaitGroup
	for _, id := range ids {
		all.Go(func() {
			if _, err := b.Ports.Of(t.Context(), id); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	taken := map[int]bool{}
	for _, id := range ids {
		first := b.portOf(id)
		for port := first; port < first+10; port++ {
			if taken[port] || port < 20_000 || port >= 32_768 {
				t.Errorf("a second task has port %d, or it is none of ours", port)
			}
			taken[port] = true
		}
	}
}

// TestPortsInUseAreNotGiven: all ten are to be free.
func TestPortsInUseAreNotGiven(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{})
	port := b.portOf(b.task.ID)
	b.move(beckon.Archived)
	b.listen(port + 7)
	b.move(beckon.Backlog)
	if now := b.portOf(b.task.ID); now == port {
		t.Errorf("somebody listens on %d, and the task got %d to %d", port+7, now, now+9)
	}
}

// TestAServerGetsPortsThatNobodyElseListensOn: another program took them meanwhile.
func TestAServerGetsPortsThatNobodyElseListensOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Dev: "echo $BECKON_PORT", Check: "echo $BECKON_PORT > check"})
	port := b.portOf(b.task.ID)
	b.listen(port)
	b.begin(beckon.ScriptCheck)
	b.until(beckon.ScriptCheck, "over", over)
	if said := b.written("check"); said != fmt.Sprintln(port) {
		t.Errorf("a check has %q, and the task has %d", said, port)
	}
	b.begin(beckon.ScriptDev)
	b.until(beckon.ScriptDev, "over", over)
	now := b.portOf(b.task.ID)
	if said := b.output(beckon.ScriptDev); now == port || said != fmt.Sprintln(now) {
		t.Errorf("somebody listens on %d, the server got %q, and the task has %d", port, said, now)
	}
}

// TestPortsComeFreeWithTheirTask: there are not that many.
func TestPortsComeFreeWithTheirTask(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{})
	ids := b.more(2)
	for _, id := range ids {
		b.portOf(id)
	}
	b.portOf(b.task.ID)
	b.move(beckon.Archived)
	if err := b.store.DeleteTask(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	all, err := b.store.Ports.All(t.Context())
	if err != nil || len(all) != 1 || all[ids[1]] == 0 {
		t.Errorf("one task of three is left, and ports have %v, %v", all, err)
	}
	if err := b.store.RemoveProject(t.Context(), b.project.ID); err != nil {
		t.Fatal(err)
	}
	if all, err = b.store.Ports.All(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("without the project: %v, %v", all, err)
	}
	if _, err := b.Ports.Of(t.Context(), ids[0]); err == nil {
		t.Error("a task that is deleted got ports")
	}
}
