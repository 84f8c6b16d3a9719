package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/agent/claude/scripted"
	"beckon/backend/toolserver"
)

func awaitPID(t *testing.T, path string) int {
	t.Helper()
	var text string
	for end := time.Now().Add(deadline); !strings.HasSuffix(text, "\n") && time.Now().Before(end); {
		text = awaitFile(t, path)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// alive reports whether pid is a process that still does something.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	state := stat[strings.LastIndexByte(string(stat), ')')+2]
	return state != 'Z' && state != 'X'
}

func awaitGone(t *testing.T, pids ...int) {
	t.Helper()
	end := time.Now().Add(5 * time.Second) // what docs/SECURITY.md R5 gives
	for _, pid := range pids {
		for alive(pid) {
			if time.Now().After(end) {
				command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				t.Errorf("process %d lives on: %q", pid, command)
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func TestInterruptEndsTheTurnAndItsCommand(t *testing.T) {
	t.Parallel()
	o := scripted.Options(t, "run echo $$ > pid; sleep 1000\nturn\ntext still here")
	c := start(t, o)
	c.tell("go")
	pid := awaitPID(t, filepath.Join(o.Dir, "pid"))
	if err := c.Interrupt(within(t)); err != nil {
		t.Fatal(err)
	}
	r := c.result()
	if !r.IsError || !r.Interrupted() || r.TerminalReason != "aborted_tools" {
		t.Errorf("result %+v", r)
	}
	awaitGone(t, pid)
	c.tell("go on")
	if r := c.result(); r.IsError || r.Text != "still here" {
		t.Errorf("result %+v", r)
	}
}

// leak is a command that leaves children behind in every way there is: in
// the background, in a session of its own, forked twice, without the
// environment, and deaf to signals. Each writes its pid to a file. The shell
// itself stays.
const leak = `run trap '' INT TERM HUP; ` +
	`(echo $BASHPID >/dev/null; sh -c 'echo $$ > pid1; exec sleep 1000') & ` +
	`setsid sh -c 'echo $$ > pid2; exec sleep 1000' & ` +
	`setsid sh -c 'setsid sh -c "echo \$\$ > pid3; exec sleep 1000" & exit' & ` +
	`env -i /usr/bin/setsid /bin/sh -c 'echo $$ > pid4; exec /bin/sleep 1000' & ` +
	`(setsid sh -c 'trap "" INT TERM HUP; echo $$ > pid5; while :; do sleep 0.1; done' &) ; ` +
	`echo $$ > pid6; while :; do sleep 0.1; done`

func leaked(t *testing.T, dir string) []int {
	t.Helper()
	var pids []int
	for i := 1; i <= 6; i++ {
		pids = append(pids, awaitPID(t, filepath.Join(dir, fmt.Sprintf("pid%d", i))))
	}
	for _, pid := range pids {
		if !alive(pid) {
			t.Fatalf("process %d is gone before the test began", pid)
		}
	}
	return pids
}

func leaking(t *testing.T) (*conversation, []int) {
	t.Helper()
	o := scripted.Options(t, leak)
	c := start(t, o)
	c.tell("go")
	return c, leaked(t, o.Dir)
}

func TestNothingOutlivesAStop(t *testing.T) {
	t.Parallel()
	c, pids := leaking(t)
	if err := c.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	for _, pid := range append(pids, c.PID()) {
		if alive(pid) {
			t.Errorf("process %d lives when Stop returns", pid)
		}
	}
}

func TestNothingOutlivesAKilledCLI(t *testing.T) {
	t.Parallel()
	c, pids := leaking(t)
	if err := syscall.Kill(c.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, pids...)
	if e := c.ended(); e.Signal != "killed" {
		t.Errorf("exit %+v", e)
	}
}

func TestNothingOutlivesAKilledSupervisor(t *testing.T) {
	t.Parallel()
	c, pids := leaking(t)
	// A process that dropped its environment is out of the program's sight then.
	kept := append(pids[:3:3], pids[4:]...)
	if err := syscall.Kill(toolserver.Ancestors(c.PID())[1], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, append(kept, c.PID())...)
	if e := c.ended(); e.Signal != "killed" {
		t.Errorf("exit %+v", e)
	}
	_ = syscall.Kill(pids[3], syscall.SIGKILL)
}

// parentVar makes this test binary a program that has an agent at work in
// the directory it names and waits to be killed.
const parentVar = "CLAUDE_TEST_PARENT"

func TestParentHelper(t *testing.T) {
	dir := os.Getenv(parentVar)
	if dir == "" {
		t.Skip("only for TestNothingOutlivesAKilledProgram")
	}
	o := scripted.Options(t, leak)
	o.Dir = dir
	c := start(t, o)
	c.tell("go")
	leaked(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "agent"), []byte(fmt.Sprintln(c.PID())), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(deadline)
}

func TestNothingOutlivesAKilledProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestParentHelper$")
	program.Env = append(os.Environ(), parentVar+"="+dir, "TMPDIR="+t.TempDir())
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	agent := awaitPID(t, filepath.Join(dir, "agent"))
	pids := append(leaked(t, dir), agent, toolserver.Ancestors(agent)[1])
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = program.Wait()
	awaitGone(t, pids...)
}

func TestChildHoldsOnlyItsStandardFiles(t *testing.T) {
	t.Parallel()
	// GTK and WebKit leave descriptors like this one, which a child inherits.
	fd, err := syscall.Open(os.Args[0], syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	p := deaf(t, "touch ready; while :; do sleep 0.05; done")
	held, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.PID()))
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range held {
		if fd.Name() > "2" {
			to, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", p.PID(), fd.Name()))
			t.Errorf("the child holds %s, which is %s", fd.Name(), to)
		}
	}
	if len(held) < 3 {
		t.Errorf("the child holds but %d files", len(held))
	}
	if err := p.Stop(within(t)); err != nil {
		t.Error(err)
	}
}
