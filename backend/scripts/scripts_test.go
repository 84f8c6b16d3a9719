//go:build linux || darwin

package scripts_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/scripts"
	"beckon/backend/store"
	"beckon/tests/timeout"
)

// waitMost is how long a test waits for what must come.
var waitMost = timeout.For(30 * time.Second)

// tree is a worktree whose git does what it is set to.
type tree struct {
	mu     sync.Mutex
	ready  bool
	copies [][]string
	// included is what the project's folder itself wants copied.
	included []string
	copyErr  error
	content  string
}

func (x *tree) Prepared(context.Context) (bool, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ready, nil
}

func (x *tree) SetPrepared(context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready = true
	return nil
}

func (x *tree) Included() ([]string, error) { return x.included, nil }

func (x *tree) CopyIgnored(_ context.Context, patterns []string) ([]string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.copies = append(x.copies, patterns)
	return nil, x.copyErr
}

// bench is a task whose worktree is a folder.
type bench struct {
	*scripts.Scripts
	t       *testing.T
	store   *store.Store
	tree    tree
	task    beckon.Task
	project beckon.Project
	dir     string // of the data
	held    error
	mu      sync.Mutex
	told    []beckon.ScriptRun
}

func newBench(t *testing.T, set beckon.ScriptSet) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), tree: tree{content: "c0ffee"}}
	b.project = beckon.Project{Key: "KES", Name: "kestrel", Dir: t.TempDir(), Git: true, Trusted: true, Mode: beckon.ModeAuto, Policy: beckon.Wait, Scripts: set}
	b.task = beckon.Task{Title: "Parse", Worktree: t.TempDir(), Branch: "kes-1", Base: "main", Status: beckon.Backlog, Policy: beckon.Wait, Mode: beckon.ModeAuto}
	b.open()
	if err := b.store.AddProject(t.Context(), &b.project); err != nil {
		t.Fatal(err)
	}
	b.task.ProjectID = b.project.ID
	if err := b.store.CreateTask(t.Context(), &b.task); err != nil {
		t.Fatal(err)
	}
	return b
}

// open opens the data, as a Beckon that begins does.
func (b *bench) open() {
	b.t.Helper()
	s, err := store.Open(b.t.Context(), b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { s.Close() })
	b.store = s
	b.Scripts = scripts.New(scripts.Config{
		Rows: s.Scripts, Ports: &scripts.Ports{Rows: s.Ports}, Dir: filepath.Join(b.dir, "scripts"), Task: s.Task, Project: s.Project,
		Tree: func(beckon.Task, beckon.Project) scripts.Tree { return &b.tree },
		Content: func(context.Context, beckon.Task, beckon.Project) (string, error) {
			b.tree.mu.Lock()
			defer b.tree.mu.Unlock()
			return b.tree.content, nil
		},
		Held: func(string) error { return b.held },
		Publish: func(e beckon.Event) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.told = append(b.told, *e.Script)
		},
	})
	b.t.Cleanup(b.Close)
	if err := b.Start(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// until waits until the command of that kind stands as it should.
func (b *bench) until(kind beckon.ScriptKind, what string, is func(beckon.ScriptRun) bool) beckon.ScriptRun {
	b.t.Helper()
	var last beckon.ScriptRun
	for end := time.Now().Add(waitMost); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		all, err := b.All(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		for _, run := range all {
			if run.Kind == kind {
				if last = run; is(run) {
					return run
				}
			}
		}
	}
	b.t.Fatalf("%s is never %s: %+v", kind, what, last)
	return last
}

func over(r beckon.ScriptRun) bool { return r.State != beckon.ScriptRunning }

func (b *bench) output(kind beckon.ScriptKind) string {
	b.t.Helper()
	out, err := b.Output(b.task.ID, kind, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	return out.Text
}

func (b *bench) begin(kind beckon.ScriptKind) {
	b.t.Helper()
	if _, err := b.Run(b.t.Context(), b.task.ID, kind); err != nil {
		b.t.Fatal(err)
	}
}

func isKind(err error, kind problem.Kind) bool {
	got, _ := problem.From(err)
	return got == kind
}

func TestACheckSaysHowItEndedAndWhatItPrinted(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Check: "pwd\necho \"$BECKON_TASK on $BECKON_BRANCH from $BECKON_BASE\"\necho bad >&2\nfalse\necho never"})
	b.begin(beckon.ScriptCheck)
	run := b.until(beckon.ScriptCheck, "over", over)
	if run.State != beckon.ScriptFailed || run.Code != 1 || run.Content != "c0ffee" || run.Ended < run.Started {
		t.Errorf("%+v", run)
	}
	where, err := filepath.EvalSymlinks(b.task.Worktree)
	if want := fmt.Sprintf("%s\n%s on kes-1 from main\nbad\n", where, b.task.Key); err != nil || b.output(beckon.ScriptCheck) != want {
		t.Errorf("printed %q, not %q, %v", b.output(beckon.ScriptCheck), want, err)
	}
	b.Close()
	b.store.Close()
	b.open()
	if again := b.until(beckon.ScriptCheck, "over", over); again.State != beckon.ScriptFailed || again.Length != run.Length || !strings.Contains(b.output(beckon.ScriptCheck), "bad") {
		t.Errorf("after a restart %+v", again)
	}
}

// set makes the files of the task what the name stands for.
func (x *tree) set(content string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.content = content
}

// look has the task looked at and returns how its check is then.
func (b *bench) look() beckon.ScriptRun {
	b.t.Helper()
	if err := b.LookAtCheck(b.t.Context(), b.task.ID); err != nil {
		b.t.Fatal(err)
	}
	return b.until(beckon.ScriptCheck, "over", over)
}

// What a check said is about the files that it ran on: updated, resolved or edited by
// hand, they are others.
func TestACheckIsOutdatedWhenTheFilesAreOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Check: "true"})
	if err := b.LookAtCheck(t.Context(), b.task.ID); err != nil {
		t.Errorf("a task whose check never ran: %v", err)
	}
	b.tree.set("one")
	b.begin(beckon.ScriptCheck)
	if run := b.until(beckon.ScriptCheck, "over", over); run.Content != "one" || b.look().Outdated {
		t.Errorf("right after it ran: %+v", run)
	}
	b.tree.set("two")
	b.mu.Lock()
	b.told = nil
	b.mu.Unlock()
	for range 2 {
		if !b.look().Outdated {
			t.Error("with other files it is not outdated")
		}
	}
	b.mu.Lock()
	if len(b.told) != 1 || !b.told[0].Outdated || b.told[0].State != beckon.ScriptPassed {
		t.Errorf("it was told as %+v, want it once", b.told)
	}
	b.mu.Unlock()
	b.tree.set("one")
	if b.look().Outdated {
		t.Error("with its own files again it is outdated")
	}
	b.tree.set("two")
	b.look()
	b.begin(beckon.ScriptCheck)
	if run := b.until(beckon.ScriptCheck, "over", over); run.Content != "two" || run.Outdated {
		t.Errorf("run again it is %+v", run)
	}
}

func TestWhatFailedItsCheckIsNotMerged(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Check: "test -e fixed"})
	passed := func() error { return b.Passed(t.Context(), b.task, b.project) }
	if err := passed(); err != nil {
		t.Errorf("a task whose check never ran: %v", err)
	}
	b.begin(beckon.ScriptCheck)
	b.until(beckon.ScriptCheck, "over", over)
	err := passed()
	if kind, data := problem.From(err); kind != problem.CheckFailed || data["key"] != b.task.Key || !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("its check failed: %v", err)
	}
	b.tree.set("other")
	if err := passed(); err != nil {
		t.Errorf("its check failed on other files: %v", err)
	}
	if err := os.WriteFile(filepath.Join(b.task.Worktree, "fixed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b.begin(beckon.ScriptCheck)
	b.until(beckon.ScriptCheck, "over", over)
	if err := passed(); err != nil {
		t.Errorf("its check succeeded: %v", err)
	}
}

// Many a check writes a report: what failed is to be asked about all the same.
func TestACheckThatFailedIsAboutTheFilesThatItLeft(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{"false": "with report", "true": "before"} {
		b := newBench(t, beckon.ScriptSet{Check: "until test -e go; do sleep 0.01; done; " + command})
		b.tree.set("before")
		b.begin(beckon.ScriptCheck)
		b.tree.set("with report")
		if err := os.WriteFile(filepath.Join(b.task.Worktree, "go"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if run := b.until(beckon.ScriptCheck, "over", over); run.Content != want {
			t.Errorf("%s is about %q, want %q", command, run.Content, want)
		}
	}
}

func TestSetupRunsOnceForAWorktree(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Setup: "echo x >> ready", Copied: []string{".env"}})
	for range 2 {
		if err := b.Prepare(t.Context(), b.task, b.project); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(b.task.Worktree, "ready"))
	if err != nil || string(text) != "x\n" || len(b.tree.copies) != 1 {
		t.Errorf("%q, %v, copied %q", text, err, b.tree.copies)
	}
}

func TestWhatTheFolderItselfWantsCopiedIsTheDefault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ own, want []string }{{nil, []string{"*.key"}}, {[]string{".env"}, []string{".env"}}} {
		b := newBench(t, beckon.ScriptSet{Copied: c.own})
		b.tree.included = []string{"*.key"}
		if err := b.Prepare(t.Context(), b.task, b.project); err != nil || !b.tree.ready {
			t.Fatalf("%v, ready: %t", err, b.tree.ready)
		}
		if len(b.tree.copies) != 1 || !slices.Equal(b.tree.copies[0], c.want) {
			t.Errorf("copied %q, want %q", b.tree.copies, c.want)
		}
	}
	b := newBench(t, beckon.ScriptSet{})
	if err := b.Prepare(t.Context(), b.task, b.project); err != nil || b.tree.ready {
		t.Errorf("a worktree for which nothing was done counts as ready: %v", err)
	}
}

func TestNoAgentStartsInAWorktreeThatIsNotReady(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Setup: "test -e fixed"})
	err := b.Prepare(t.Context(), b.task, b.project)
	if !isKind(err, problem.SetupFailed) || b.tree.ready {
		t.Fatalf("%v, ready: %t", err, b.tree.ready)
	}
	if err := os.WriteFile(filepath.Join(b.task.Worktree, "fixed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Prepare(t.Context(), b.task, b.project); err != nil || !b.tree.ready {
		t.Errorf("after it was mended: %v", err)
	}

	b = newBench(t, beckon.ScriptSet{Setup: "false"})
	if err := b.Skip(t.Context(), b.task.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.Prepare(t.Context(), b.task, b.project); err != nil {
		t.Errorf("one that the user takes as it is: %v", err)
	}

	b = newBench(t, beckon.ScriptSet{Setup: "true", Copied: []string{".env"}})
	b.tree.copyErr = beckon.ErrConflict
	if err := b.Prepare(t.Context(), b.task, b.project); !errors.Is(err, beckon.ErrConflict) || b.tree.ready {
		t.Errorf("files that could not be copied: %v", err)
	}
}

// alive reports whether any process has a file of this name as its sign of life.
func beats(t *testing.T, file string) bool {
	t.Helper()
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		time.Sleep(20 * time.Millisecond)
		if now, err := os.ReadFile(file); err == nil && len(now) > len(before) {
			return true
		}
	}
	return false
}

// beating prints once it beats, from a process that hides in a session of its own.
const beating = "(trap '' HUP TERM; while :; do echo x >> beat; sleep 0.02; done) &\nuntil test -s beat; do sleep 0.02; done\necho on\nwait"

func TestNothingOfACommandIsLeft(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*bench){
		"stopped":         func(b *bench) { b.Stop(b.task.ID, beckon.ScriptDev) },
		"worktree leaves": func(b *bench) { b.Clear(b.task.ID) },
		"Beckon ends":     func(b *bench) { b.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, beckon.ScriptSet{Dev: beating})
			b.begin(beckon.ScriptDev)
			b.until(beckon.ScriptDev, "on", func(r beckon.ScriptRun) bool { return r.Length >= 3 })
			end(b)
			if beats(t, filepath.Join(b.task.Worktree, "beat")) {
				t.Error("its process lives on")
			}
			if name == "Beckon ends" {
				b.store.Close()
				b.open()
				if run := b.until(beckon.ScriptDev, "over", over); run.State != beckon.ScriptLost {
					t.Errorf("%+v", run)
				}
			} else if run := b.until(beckon.ScriptDev, "over", over); run.State != beckon.ScriptStopped {
				t.Errorf("%+v", run)
			}
		})
	}
}

func TestSetupEndsWithTheRunThatWantedIt(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Setup: beating})
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the user stopped the task")
	ended := make(chan error, 1)
	go func() { ended <- b.Prepare(ctx, b.task, b.project) }()
	b.until(beckon.ScriptSetup, "on", func(r beckon.ScriptRun) bool { return r.Length >= 3 })
	cancel(why)
	select {
	case err := <-ended:
		if !errors.Is(err, why) || b.tree.ready {
			t.Errorf("%v, ready: %t", err, b.tree.ready)
		}
	case <-time.After(waitMost):
		t.Fatal("it goes on")
	}
	if beats(t, filepath.Join(b.task.Worktree, "beat")) {
		t.Error("its process lives on")
	}
}

func TestACommandRunsOnceAtATimeAndNotWhereItMayNot(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Dev: "echo on; sleep 100"})
	b.begin(beckon.ScriptDev)
	if _, err := b.Run(t.Context(), b.task.ID, beckon.ScriptDev); !isKind(err, problem.CommandRuns) {
		t.Errorf("twice: %v", err)
	}
	if _, err := b.Run(t.Context(), b.task.ID, beckon.ScriptCheck); !isKind(err, problem.NoCommand) {
		t.Errorf("one that the project lacks: %v", err)
	}
	b.Stop(b.task.ID, beckon.ScriptDev)
	b.held = beckon.ErrConflict
	if _, err := b.Run(t.Context(), b.task.ID, beckon.ScriptDev); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("while its worktree may be removed: %v", err)
	}
	b.held = nil
	if _, err := b.store.UpdateProject(t.Context(), b.project.ID, func(p *beckon.Project) error { p.Trusted = false; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Run(t.Context(), b.task.ID, beckon.ScriptDev); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("in a project that nobody trusts: %v", err)
	}
	b.Close()
	if _, err := b.Run(t.Context(), b.task.ID, beckon.ScriptDev); err == nil {
		t.Error("it began while Beckon ends")
	}
}

func TestTheAddressOfAServerIsFoundInWhatItPrints(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Dev: `printf 'see http://example.com:80/\n  Local:  http://localhost:\033[1m51'; sleep 0.3; printf '73\033[22m/app/\n'; sleep 100`})
	b.begin(beckon.ScriptDev)
	run := b.until(beckon.ScriptDev, "served", func(r beckon.ScriptRun) bool { return r.URL != "" })
	if run.URL != "http://localhost:5173/app/" {
		t.Errorf("%q", run.URL)
	}
	b.Stop(b.task.ID, beckon.ScriptDev)
	if run := b.until(beckon.ScriptDev, "over", over); run.URL != "" {
		t.Errorf("a server that ended is offered at %q", run.URL)
	}
}

func TestAServerThatPrintsNoAddressIsFoundAtItsPort(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Dev: `echo "$PYTHONUNBUFFERED $BECKON_PORT"; sleep 100`})
	b.begin(beckon.ScriptDev)
	b.until(beckon.ScriptDev, "on", func(r beckon.ScriptRun) bool { return strings.HasSuffix(b.output(beckon.ScriptDev), "\n") })
	port, is := strings.CutPrefix(strings.TrimSpace(b.output(beckon.ScriptDev)), "1 ")
	if !is {
		t.Fatalf("what Python prints comes late: %q", b.output(beckon.ScriptDev))
	}
	if run := b.until(beckon.ScriptDev, "on", func(beckon.ScriptRun) bool { return true }); run.URL != "" {
		t.Errorf("nobody listens, and it is offered at %q", run.URL)
	}
	served, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer served.Close()
	run := b.until(beckon.ScriptDev, "served", func(r beckon.ScriptRun) bool { return r.URL != "" })
	if run.URL != "http://localhost:"+port {
		t.Errorf("%q", run.URL)
	}
}

func TestWhatPrintsForHoursDoesNotFillTheDisk(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Check: "head -c 9000000 /dev/zero | tr '\\0' x; echo; echo the end"})
	b.begin(beckon.ScriptCheck)
	run := b.until(beckon.ScriptCheck, "over", over)
	if run.Length != 9000009 {
		t.Errorf("printed %d bytes", run.Length)
	}
	var size int64
	files, err := os.ReadDir(filepath.Join(b.dir, "scripts", b.task.ID))
	for _, f := range files {
		info, infoErr := f.Info()
		err = errors.Join(err, infoErr)
		size += info.Size()
	}
	if err != nil || size > 5<<20 {
		t.Errorf("%d bytes are kept, %v", size, err)
	}
	out, err := b.Output(b.task.ID, beckon.ScriptCheck, 0)
	if err != nil || !strings.HasSuffix(out.Text, "\nthe end\n") || out.Next != run.Length || out.Next-out.From > 256<<10 {
		t.Errorf("the end of it is %d to %d, %v", out.From, out.Next, err)
	}
	if more, err := b.Output(b.task.ID, beckon.ScriptCheck, out.Next); err != nil || more.Text != "" || more.Next != out.Next {
		t.Errorf("after the end %+v, %v", more, err)
	}
	if _, err := b.Output("../../etc", beckon.ScriptCheck, 0); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("another path: %v", err)
	}
}

func TestACommandMayNameItsInterpreter(t *testing.T) {
	t.Parallel()
	b := newBench(t, beckon.ScriptSet{Check: "#!/usr/bin/env -S sh -u\necho $0\n"})
	b.begin(beckon.ScriptCheck)
	if run := b.until(beckon.ScriptCheck, "over", over); run.State != beckon.ScriptPassed || !strings.HasSuffix(b.output(beckon.ScriptCheck), "check.sh\n") {
		t.Errorf("%+v, %q", run, b.output(beckon.ScriptCheck))
	}
}
