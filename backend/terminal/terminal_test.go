//go:build linux || darwin

package terminal_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/terminal"
	"beckon/tests/timeout"
)

// waitMost is how long a test waits for what must come.
var waitMost = timeout.For(30 * time.Second)

var size = executing.TerminalSize{Cols: 90, Rows: 20}

// bench has the terminals of one task, whose worktree is a folder.
type bench struct {
	*terminal.Terminals
	t       *testing.T
	task    beckon.Task
	project beckon.Project
	held    error

	mu     sync.Mutex
	events []beckon.Event
}

// newBench has bash as the user's shell, without files of the user's.
func newBench(t *testing.T, change ...func(*terminal.Config)) *bench {
	t.Helper()
	bash := filepath.Join(t.TempDir(), "bash")
	if err := process.WriteProgram(bash, "#!/bin/sh\nexec bash --noprofile --norc \"$@\"\n"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SHELL", bash)
	b := &bench{t: t, task: beckon.Task{ID: "t1", Key: "KES-1", ProjectID: "p1", Worktree: t.TempDir()}, project: beckon.Project{ID: "p1", Trusted: true, Git: true}}
	c := terminal.Config{
		Task:    func(context.Context, string) (beckon.Task, error) { return b.task, nil },
		Project: func(context.Context, string) (beckon.Project, error) { return b.project, nil },
		Environ: func(context.Context, beckon.Task, beckon.Project) ([]string, error) {
			return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.task.Worktree, "PS1=$ ", "BECKON_PORT=20010", "TMUX=other"}, nil
		},
		Held: func(string) error { return b.held },
		Publish: func(e beckon.Event) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.events = append(b.events, e)
		},
	}
	for _, f := range change {
		f(&c)
	}
	b.Terminals = terminal.New(c)
	t.Cleanup(b.close)
	return b
}

// close closes them; b has no deadline of its own.
func (b *bench) close() {
	if err := b.Close(context.Background()); err != nil {
		b.t.Error(err)
	}
}

func (b *bench) open() executing.Terminal {
	b.t.Helper()
	one, err := b.Open(b.t.Context(), b.task.ID, size)
	if err != nil {
		b.t.Fatal(err)
	}
	return one
}

func (b *bench) typed(id, text string) {
	b.t.Helper()
	if err := b.Write(id, text); err != nil {
		b.t.Fatal(err)
	}
}

// until reads a terminal from the beginning until it has printed want, and returns all of it.
func (b *bench) until(id, want string) string {
	b.t.Helper()
	var all bytes.Buffer
	next := int64(0)
	for deadline := time.Now().Add(waitMost); time.Now().Before(deadline); {
		out, err := b.Output(id, next)
		if err != nil {
			b.t.Fatal(err)
		}
		text, _ := base64.StdEncoding.DecodeString(out.Data)
		all.Write(text)
		next = out.Next
		if strings.Contains(all.String(), want) {
			return all.String()
		}
		if !out.More {
			time.Sleep(5 * time.Millisecond)
		}
	}
	b.t.Fatalf("no %q in %q", want, all.String())
	return ""
}

// newest returns the last event about a terminal.
func (b *bench) newest(id string) executing.Terminal {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := len(b.events) - 1; i >= 0; i-- {
		if e := b.events[i].Terminal; e != nil && e.ID == id {
			return *e
		}
	}
	return executing.Terminal{}
}

func (b *bench) wait(what string, is func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(waitMost); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("not %s", what)
		}
	}
}

func TestAShellRunsInTheWorktreeWithATerminalOfThatSize(t *testing.T) {
	b := newBench(t)
	one := b.open()
	b.typed(one.ID, "stty size; pwd -P; echo \"port=$BECKON_PORT term=$TERM tmux=$TMUX.\"; test -t 0 -a -t 1 && echo tty-$((40+2))\n")
	text := b.until(one.ID, "tty-42")
	dir, _ := filepath.EvalSymlinks(b.task.Worktree)
	for _, want := range []string{"20 90\r\n", dir + "\r\n", "port=20010 term=xterm-256color tmux=."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if err := b.Resize(one.ID, executing.TerminalSize{Cols: 120, Rows: 33}); err != nil {
		t.Fatal(err)
	}
	b.typed(one.ID, "stty size\n")
	b.until(one.ID, "33 120\r\n")
	if err := b.Resize(one.ID, executing.TerminalSize{Cols: -5, Rows: 1 << 30}); err != nil {
		t.Error(err)
	}
	b.typed(one.ID, "stty size\n")
	b.until(one.ID, "1000 2\r\n")
}

func TestKeysReachWhatRunsInTheForeground(t *testing.T) {
	b := newBench(t)
	one := b.open()
	b.until(one.ID, "$ ")
	if keys := b.Busy(); len(keys) != 0 {
		t.Errorf("a shell at its prompt is busy: %v", keys)
	}
	// A child of the shell's has its keys, and the shell's own answer to them still, before it is
	// the program: that says itself that it is there.
	b.typed(one.ID, "sh -c 'echo up-$((1+1)); exec sleep 1000'\n")
	b.until(one.ID, "up-2")
	b.wait("busy", func() bool { return len(b.Busy()) == 1 })
	if keys := b.Busy(); keys[0] != "KES-1" {
		t.Errorf("busy: %v", keys)
	}
	var kind problem.Kind
	if err := b.End(one.ID, false); err != nil {
		kind, _ = problem.From(err)
	}
	if kind != problem.TerminalBusy {
		t.Errorf("a terminal in which something runs was closed unasked: %v", kind)
	}
	b.typed(one.ID, "\x03")
	b.typed(one.ID, "echo after-$((1+1))\n")
	b.until(one.ID, "after-2")
	b.typed(one.ID, "exit 3\n")
	b.wait("over", func() bool { return b.newest(one.ID).Ended > 0 })
	if is := b.newest(one.ID); is.Code != 3 || is.Signal != "" {
		t.Errorf("%+v", is)
	}
	b.until(one.ID, "after-2") // it is kept until it is closed
	if err := b.Write(one.ID, "x"); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("typed into one that is over: %v", err)
	}
	if err := b.End(one.ID, false); err != nil {
		t.Error(err)
	}
	if _, err := b.Output(one.ID, 0); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a terminal that was closed: %v", err)
	}
}

// TestAFloodTakesNoMemoryAndHoldsNobody: nobody reads it, then a page that reads slowly, and
// another terminal goes on meanwhile.
func TestAFloodTakesNoMemoryAndHoldsNobody(t *testing.T) {
	b := newBench(t)
	flood, other := b.open(), b.open()
	b.until(flood.ID, "$ ")
	b.typed(flood.ID, "yes 0123456789012345678901234567890123456789\n")
	b.wait("flooded", func() bool {
		states, _ := b.State(t.Context())
		return states[0].Terminal.Length > 8<<20
	})
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapInuse > 64<<20 {
		t.Errorf("%d MB are in use", m.HeapInuse>>20)
	}
	b.mu.Lock()
	if n := len(b.events); n > 20 {
		t.Errorf("%d events of what nobody reads", n)
	}
	b.mu.Unlock()
	out, err := b.Output(flood.ID, 0)
	if text, _ := base64.StdEncoding.DecodeString(out.Data); err != nil || len(text) > 64<<10 || out.From == 0 || !bytes.HasPrefix(text, []byte("0123456789")) {
		t.Errorf("a page that comes gets %d bytes from %d, %v: %.20q", len(text), out.From, err, text)
	}
	// It reads on, so the flood is held back now.
	next := out.Next
	for range 20 {
		out, err := b.Output(flood.ID, next)
		if err != nil {
			t.Fatal(err)
		}
		next = out.Next
	}
	length := func() int64 { states, _ := b.State(t.Context()); return states[0].Terminal.Length }
	if ahead := length() - next; ahead > 2<<20 {
		t.Errorf("the shell is %d bytes ahead of a page that reads", ahead)
	}
	b.typed(other.ID, "echo other-$((1+1))\n")
	b.until(other.ID, "other-2")
	b.typed(flood.ID, "\x03")
	b.typed(flood.ID, "echo calm-$((1+1))\n")
	b.until(flood.ID, "calm-2")
}

// TestNothingIsLeftOfATerminalWhoseWorktreeGoes: neither the shell nor what it started, in the
// background and in sessions of its own.
func TestNothingIsLeftOfATerminalWhoseWorktreeGoes(t *testing.T) {
	for name, end := range map[string]func(*bench, string){
		"the worktree": func(b *bench, _ string) { b.Clear(b.task.ID) },
		"the task": func(b *bench, id string) {
			b.task.Status = beckon.Done
			b.OnEvent(beckon.Event{Task: &b.task})
			b.wait("closed", func() bool { _, err := b.Output(id, 0); return errors.Is(err, beckon.ErrNotFound) })
		},
		"the project": func(b *bench, id string) {
			b.OnEvent(beckon.Event{Gone: b.task.ID})
			b.wait("closed", func() bool { _, err := b.Output(id, 0); return errors.Is(err, beckon.ErrNotFound) })
		},
		"the terminal": func(b *bench, id string) { _ = b.End(id, true) },
		"Beckon":       func(b *bench, _ string) { b.close() },
		"the shell": func(b *bench, id string) {
			b.typed(id, "exit\nexit\n")
			b.wait("over", func() bool { return b.newest(id).Ended > 0 })
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			one := b.open()
			b.typed(one.ID, "sleep 1000 & nohup setsid sh -c 'trap \"\" HUP TERM; sleep 1000' >/dev/null 2>&1 & echo pids $! $$ $((1+1))end\n")
			text := b.until(one.ID, "2end")
			var background, shell int
			if _, err := fmt.Sscanf(text[strings.LastIndex(text, "\npids ")+1:], "pids %d %d", &background, &shell); err != nil {
				t.Fatalf("%v in %q", err, text)
			}
			end(b, one.ID)
			for _, pid := range []int{background, shell} {
				if alive(pid) {
					t.Errorf("process %d is left", pid)
				}
			}
			if left := processesIn(t, b.task.Worktree); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// killedDir names the worktree of a Beckon that is killed, for the process that is it.
const killedDir = "BECKON_TEST_KILLED_DIR"

func TestNothingIsLeftOfATerminalWhenBeckonIsKilled(t *testing.T) {
	if dir := os.Getenv(killedDir); dir != "" {
		b := newBench(t)
		b.task.Worktree = dir
		one := b.open()
		b.typed(one.ID, "nohup setsid sleep 1000 >/dev/null 2>&1 & echo up-$((1+1))\n")
		b.until(one.ID, "up-2")
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNothingIsLeftOfATerminalWhenBeckonIsKilled$")
	cmd.Env = append(os.Environ(), killedDir+"="+dir)
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("it was not killed: %v, %s", err, out)
	}
	b := &bench{t: t}
	b.wait("all gone", func() bool { return len(processesIn(t, dir)) == 0 })
}

func alive(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(text), ") Z ")
}

// processesIn lists the processes whose folder that is.
func processesIn(t *testing.T, dir string) (found []string) {
	t.Helper()
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && at == dir {
			found = append(found, link)
		}
	}
	return found
}

func TestATerminalIsRefused(t *testing.T) {
	for name, one := range map[string]struct {
		change func(*bench)
		config func(*terminal.Config)
		want   problem.Kind
	}{
		"at a public address":                       {config: func(c *terminal.Config) { c.Off = true }, want: problem.TerminalsOff},
		"in a project that nobody trusts":           {change: func(b *bench) { b.project.Trusted = false }, want: problem.Untrusted},
		"of a task that is over":                    {change: func(b *bench) { b.task.Status = beckon.Done }, want: problem.TaskOver},
		"without a worktree":                        {change: func(b *bench) { b.task.Worktree = "" }, want: problem.NoWorktree},
		"while the worktree may be removed":         {change: func(b *bench) { b.held = problem.New(problem.Held, beckon.ErrConflict) }, want: problem.Held},
		"once Beckon closes":                        {change: func(b *bench) { b.close() }, want: problem.Closing},
		"beyond as many as a task may have of them": {change: func(b *bench) { manyTerminals(b) }, want: problem.ManyTerminals},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(c *terminal.Config) {
				if one.config != nil {
					one.config(c)
				}
			})
			if one.change != nil {
				one.change(b)
			}
			_, err := b.Open(t.Context(), b.task.ID, size)
			if kind, _ := problem.From(err); kind != one.want {
				t.Errorf("%v", err)
			}
		})
	}
}

func manyTerminals(b *bench) {
	for range 8 {
		b.open()
	}
}

func TestAProgramThatDoesNotReadHoldsNobody(t *testing.T) {
	b := newBench(t)
	one := b.open()
	b.until(one.ID, "$ ")
	b.typed(one.ID, "stty raw; echo up-$((1+1)); sleep 1000\n")
	b.until(one.ID, "up-2")
	b.wait("busy", func() bool { return len(b.Busy()) == 1 })
	var err error
	for range 20 {
		if err = b.Write(one.ID, strings.Repeat("x", 100_000)); err != nil {
			break
		}
	}
	if kind, _ := problem.From(err); kind != problem.TerminalFull {
		t.Errorf("%v", err)
	}
	if err := b.End(one.ID, true); err != nil {
		t.Error(err)
	}
}

// TestAShellEndsThoughItsTerminalIsOpenElsewhere: this test has it open, as a program that
// cannot be killed would.
func TestAShellEndsThoughItsTerminalIsOpenElsewhere(t *testing.T) {
	b := newBench(t)
	one := b.open()
	b.typed(one.ID, "echo at $(tty) $((1+1))end\n")
	text := b.until(one.ID, " 2end")
	at := regexp.MustCompile(`at (/dev/\S+) 2end`).FindStringSubmatch(text)
	if at == nil {
		t.Fatalf("no terminal in %q", text)
	}
	other, err := os.OpenFile(at[1], os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	b.typed(one.ID, "exit 3\n")
	b.wait("over", func() bool { return b.newest(one.ID).Ended > 0 })
	if is := b.newest(one.ID); is.Code != 3 {
		t.Errorf("%+v", is)
	}
}

// TestEndingATerminalThatIsGoneSaysSoAgain: a page that missed it shows it still.
func TestEndingATerminalThatIsGoneSaysSoAgain(t *testing.T) {
	b := newBench(t)
	if err := b.End("gone", false); err != nil {
		t.Error(err)
	}
	if len(b.events) != 1 || b.events[0].Gone != "gone" {
		t.Errorf("%+v", b.events)
	}
}

func TestClosingWaitsNoLongerThanItMay(t *testing.T) {
	b := newBench(t)
	b.open()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("long enough"))
	if err := b.Close(ctx); err == nil {
		t.Error("it says that nothing is left")
	}
}
