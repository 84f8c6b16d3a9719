//go:build linux

package shim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"beckon/tests/client"
	"beckon/tests/races"
	"beckon/tests/timeout"
)

// patience is how long a test waits for what must happen.
var patience = timeout.For(60 * time.Second)

// TestMain plays the shim and the agent where the test binary is run as one.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "shim" && os.Args[1] != "agent" {
		os.Exit(m.Run())
	}
	var err error
	if os.Args[1] == "agent" {
		err = agent(os.Args[2:])
	} else {
		err = Command(os.Args[2:], os.Stdin, os.Stdout, Here{Environ: func(extra []string) []string { return append(os.Environ(), extra...) }, Serve: serveCall})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// agent prints "out N" so many times, lines of a random length, and "in LINE" for
// each line it gets, and leaves a process in a session of its own behind.
func agent(args []string) error {
	lines, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	left := exec.Command("sleep", "1000")
	left.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := left.Start(); err != nil {
		return err
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	all.Go(func() {
		for n := range lines {
			mu.Lock()
			fmt.Printf("out %s\n", numbered(n+1, 100_000))
			mu.Unlock()
		}
	})
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, inputMost)
	for in.Scan() {
		n, err := check(in.Text())
		if err != nil {
			return err
		}
		mu.Lock()
		fmt.Printf("in %s\n", numbered(n, 1))
		mu.Unlock()
	}
	all.Wait()
	fmt.Fprintln(os.Stderr, "that was all")
	os.Exit(3)
	return nil
}

// numbered returns a text that says its number and how long it is.
func numbered(n, most int) []byte {
	filler := strings.Repeat("x", rand.IntN(200)+rand.IntN(2)*rand.IntN(2)*rand.IntN(most))
	return fmt.Appendf(nil, "%d %d %s", n, len(filler), filler)
}

// check returns the number of a text that is whole.
func check(text string) (n int, err error) {
	var size int
	if _, err := fmt.Sscanf(text, "%d %d ", &n, &size); err != nil {
		return n, fmt.Errorf("%.40q: %w", text, err)
	}
	if !strings.HasSuffix(text, " "+strings.Repeat("x", size)) || len(text) != len(fmt.Sprintf("%d %d ", n, size))+size {
		return n, fmt.Errorf("%.40q of %d bytes is not whole", text, len(text))
	}
	return n, nil
}

// place is another machine: a folder for its shims, and links to them.
type place struct {
	t    *testing.T
	home string
	mark string // in the environment of all that runs there
	cuts atomic.Int32
}

func (p *place) shims() string { return filepath.Join(p.home, Folder, "shims") }

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, home: t.TempDir(), mark: fmt.Sprintf("SHIM_TEST=%d-%d", os.Getpid(), rand.Int64())}
	t.Cleanup(func() {
		for _, pid := range p.alive() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return p
}

// conn is the stdin and stdout of a bridge.
type conn struct {
	io.Reader
	io.WriteCloser
	cmd  *exec.Cmd
	over sync.Once
}

func (c *conn) Close() error {
	c.over.Do(func() {
		c.WriteCloser.Close()
		_ = c.cmd.Process.Kill()
		go c.cmd.Wait()
	})
	return nil
}

func (p *place) dial(context.Context) (io.ReadWriteCloser, error) {
	cmd := exec.Command(os.Args[0], "shim")
	cmd.Env = append(os.Environ(), "HOME="+p.home, p.mark, races.Env)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = w
	defer w.Close()
	return &conn{Reader: r, WriteCloser: stdin, cmd: cmd}, cmd.Start()
}

// cutsOfAWalk is how often a link is cut, so that a walk comes to its end.
const cutsOfAWalk = 25

// cutting dials links that end after a random number of bytes in either direction,
// in the middle of anything, or when their process is killed.
func (p *place) cutting(ctx context.Context) (io.ReadWriteCloser, error) {
	c, err := p.dial(ctx)
	if err != nil || p.cuts.Load() >= cutsOfAWalk {
		return c, err
	}
	k := c.(*conn)
	var once sync.Once
	cut := func() { once.Do(func() { p.cuts.Add(1) }); k.Close() }
	switch rand.IntN(3) {
	case 0:
		k.Reader = &brief{Reader: k.Reader, cut: cut}
	case 1:
		k.Reader = &limited{Reader: k.Reader, left: rand.IntN(500_000), cut: cut}
	case 2:
		k.Reader = &brief{Reader: k.Reader, cut: cut}
		k.WriteCloser = &stingy{k.WriteCloser, rand.IntN(20_000), cut}
	}
	return k, nil
}

// brief is a link that lives for a moment from its first word on.
type brief struct {
	io.Reader
	once sync.Once
	cut  func()
}

func (b *brief) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.once.Do(func() { time.AfterFunc(time.Duration(rand.IntN(25))*time.Millisecond, b.cut) })
	return n, err
}

type limited struct {
	io.Reader
	left int
	cut  func()
}

func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		l.cut()
		return 0, io.ErrUnexpectedEOF
	}
	n, err := l.Reader.Read(b[:min(len(b), l.left)])
	l.left -= n
	return n, err
}

type stingy struct {
	io.WriteCloser
	left int
	cut  func()
}

func (s *stingy) Write(b []byte) (int, error) {
	if len(b) > s.left {
		n, _ := s.WriteCloser.Write(b[:s.left])
		s.left = 0
		s.cut()
		return n, io.ErrClosedPipe
	}
	s.left -= len(b)
	return s.WriteCloser.Write(b)
}

// alive returns the processes that run there.
func (p *place) alive() (pids []int) {
	found, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range found {
		text, err := os.ReadFile(name)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err == nil && pid != os.Getpid() && bytes.Contains(text, []byte(p.mark)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (p *place) until(what string, so func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if so() {
			return
		}
	}
	p.t.Fatalf("not within %s: %s", patience, what)
}

// empty waits until nothing is left there.
func (p *place) empty() {
	p.t.Helper()
	p.until("nothing runs, and no folder is left", func() bool {
		left, err := os.ReadDir(p.shims())
		return len(p.alive()) == 0 && (len(left) == 0 || errors.Is(err, os.ErrNotExist))
	})
}

func (p *place) job(lines int) Job {
	return Job{Path: os.Args[0], Args: []string{"agent", strconv.Itoa(lines)}, Dir: p.home, Env: []string{races.Env}, GraceMs: 500, SpoolBytes: 1 << 20}
}

func silent(error) {}

// counted checks that what an agent prints is each line once and in order.
type counted struct {
	n       int64
	out, in int
}

// next takes the agent's next line and acknowledges it; more is false after the last.
func (c *counted) next(t *testing.T, a *Agent) (l Line, more bool) {
	t.Helper()
	l, err := a.Next()
	if errors.Is(err, io.EOF) {
		return l, false
	}
	if err != nil {
		t.Fatal(err)
	}
	c.take(t, l)
	a.Ack(l.N)
	return l, true
}

func (c *counted) take(t *testing.T, l Line) {
	t.Helper()
	kind, rest, _ := strings.Cut(string(l.Text), " ")
	n, err := check(rest)
	if err != nil {
		t.Fatal(err)
	}
	c.n++
	due := map[string]*int{"out": &c.out, "in": &c.in}[kind]
	if *due++; l.N != c.n || n != *due {
		t.Fatalf("line %d, %q %d, where line %d, %d was due", l.N, kind, n, c.n, *due)
	}
}

// TestEachLineArrivesOnceAndInOrderHoweverOftenTheLinkIsCut, in both directions,
// and though Beckon dies in between; nothing is left at the end.
func TestEachLineArrivesOnceAndInOrderHoweverOftenTheLinkIsCut(t *testing.T) {
	t.Parallel()
	const walks, outs, ins = 12, 1200, 300
	var cuts atomic.Int32
	t.Run("walks", func(t *testing.T) {
		for walk := range walks {
			t.Run(strconv.Itoa(walk), func(t *testing.T) {
				p := newPlace(t)
				defer func() { cuts.Add(p.cuts.Load()) }()
				a, c := Start(p.cutting, "walk", p.job(outs), silent), &counted{}
				// Who waited here until a line was taken would read none meanwhile, and an
				// agent whose lines nobody reads takes none in the end.
				may, sent := make(chan struct{}, ins), make(chan error, 1)
				go func() { sent <- sendAll(t.Context(), a, may, ins) }()
				for allowed := 0; ; {
					if allowed < ins && rand.IntN(3) == 0 {
						may <- struct{}{}
						allowed++
					}
					if _, more := c.next(t, a); !more {
						break
					}
				}
				if err := <-sent; err != nil {
					t.Error(err)
				}
				exit := a.Exit()
				<-a.done
				if c.out != outs || c.in != ins || exit.Code != 3 || exit.Lines != outs+ins || exit.Stderr != "that was all\n" {
					t.Errorf("%d of %d, %d of %d, and then %+v", c.out, outs, c.in, ins, exit)
				}
				p.empty()
			})
		}
	})
	t.Logf("%d cuts", cuts.Load())
	if cuts.Load() < 100 {
		t.Errorf("%d cuts are too few to say anything", cuts.Load())
	}
}

// sendAll sends so many lines, one for each time that it may, and closes the input.
func sendAll(ctx context.Context, a *Agent, may <-chan struct{}, lines int) error {
	defer a.CloseInput()
	for n := range lines {
		select {
		case <-may:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := a.Send(ctx, numbered(n+1, 60_000)); err != nil {
			return err
		}
	}
	return nil
}

// TestABeckonThatComesBackGoesOnWhereItWas: what was not recorded comes again,
// what was sent does not.
func TestABeckonThatComesBackGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const outs, ins = 400, 40
	a, c := Start(p.dial, "run", p.job(outs), silent), &counted{}
	for sent := 0; ; {
		for range 4 {
			if sent < ins {
				if err := a.Send(t.Context(), numbered(sent+1, 60_000)); err != nil {
					t.Fatal(err)
				}
				sent++
			}
		}
		if sent == ins {
			a.CloseInput()
		}
		l, more := c.next(t, a)
		if !more {
			break
		}
		if l.N%50 == 0 && sent < ins {
			p.until("what was sent is there", func() bool { a.mu.Lock(); defer a.mu.Unlock(); return len(a.sent) == 0 })
			a.Close()
			a = Find(p.dial, "run", c.n, silent)
		}
	}
	if c.out != outs || c.in != ins {
		t.Errorf("%d of %d, %d of %d", c.out, outs, c.in, ins)
	}
	p.empty()
}

// TestAFloodThatNobodyReadsIsBounded: the agent waits, nothing is dropped, and
// neither memory nor disk grow.
func TestAFloodThatNobodyReadsIsBounded(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const outs = 10_000 // about 130 MB
	linked := make(chan struct{})
	var once sync.Once
	a := Start(p.dial, "flood", p.job(outs), func(err error) {
		if err == nil {
			once.Do(func() { close(linked) })
		}
	})
	<-linked
	a.Close()
	spooled := func() (n int64) {
		files, _ := filepath.Glob(filepath.Join(p.shims(), "flood", "out-*"))
		for _, f := range files {
			if info, err := os.Stat(f); err == nil {
				n += info.Size()
			}
		}
		return n
	}
	was := int64(-1)
	p.until("the agent waits", func() bool {
		now := spooled()
		full := now == was && now >= 1<<20
		was = now
		return full
	})
	if most := int64(1<<20 + 200_000); was > most {
		t.Errorf("%d bytes are spooled, more than %d", was, most)
	}
	a, c := Find(p.dial, "flood", 0, silent), &counted{}
	a.CloseInput()
	for {
		l, more := c.next(t, a)
		if !more {
			break
		}
		if l.N == outs/2 {
			if kb := p.holderMemory("flood"); kb > 100<<10 {
				t.Errorf("the shim takes %d KB", kb)
			}
		}
	}
	if c.out != outs {
		t.Errorf("%d of %d lines", c.out, outs)
	}
	p.empty()
}

// holderMemory returns the most that a shim's process ever took, in KB.
func (p *place) holderMemory(run string) (kb int) {
	for _, pid := range p.alive() {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if !bytes.HasSuffix(line, []byte("\x00hold\x00"+run+"\x00")) {
			continue
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		for l := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(l, "VmHWM:"); ok {
				kb, _ = strconv.Atoi(strings.Fields(rest)[0])
			}
		}
	}
	if kb == 0 {
		p.t.Error("no shim was found")
	}
	return kb
}

// TestNothingIsLeftOfAnAgentThatIsEnded, whatever it started.
func TestNothingIsLeftOfAnAgentThatIsEnded(t *testing.T) {
	t.Parallel()
	for name, finish := range map[string]func(p *place, a *Agent){
		"by its controller": func(_ *place, a *Agent) { a.End() },
		"with its shim": func(p *place, a *Agent) {
			for _, pid := range p.alive() {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				if bytes.Contains(line, []byte("\x00hold\x00")) {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		},
		"by its lease": func(p *place, a *Agent) {
			a.Close()
			p.until("the agent is ended", func() bool { return len(p.alive()) == 1 }) // the shim
			b := Find(p.dial, "run", 1, silent)
			if _, err := b.Next(); !errors.Is(err, io.EOF) || !b.Exit().Alone {
				p.t.Errorf("who comes back hears %v and %+v", err, b.Exit())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			job := p.job(1)
			job.LeaseMs = 5000
			a := Start(p.dial, "run", job, silent)
			l, err := a.Next()
			if err != nil {
				t.Fatal(err)
			}
			a.Ack(l.N)
			finish(p, a)
			p.until("nothing runs", func() bool { return len(p.alive()) == 0 })
			switch _, err := a.Next(); {
			case name == "by its controller" && !errors.Is(err, io.EOF), name == "with its shim" && !errors.Is(err, ErrNone):
				t.Errorf("the controller hears %v", err)
			}
		})
	}
}

func isShell(pid int) bool {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return bytes.HasPrefix(line, []byte("/bin/sh\x00"))
}

// TestWhoIsEndedDoesNothingMore: an agent whose stdin closes goes on as the CLI does with
// a question open, so no end of an agent closes it.
func TestWhoIsEndedDoesNothingMore(t *testing.T) {
	t.Parallel()
	for name, finish := range map[string]func(p *place, a *Agent){
		"by its controller": func(_ *place, a *Agent) { a.End() },
		"by its controller, whose input has ended": func(_ *place, a *Agent) {
			a.End()
			a.CloseInput()
		},
		"by the next start": func(p *place, a *Agent) {
			a.Close()
			conn, err := connect(filepath.Join(p.shims(), "run"))
			if err != nil {
				p.t.Fatal(err)
			}
			defer conn.Close()
			if _, err := conn.Write(jsonFrame(frameHello, 0, greeting{Version: Version, Run: "run", End: true})); err != nil {
				p.t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, conn)
		},
		"by its lease": func(_ *place, a *Agent) { a.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			job := Job{Path: "/bin/sh", Args: []string{"-c", `echo asks; while read -r _; do :; done; echo went on >more`}, Dir: p.home, LeaseMs: 5000}
			a := Start(p.dial, "run", job, silent)
			if _, err := a.Next(); err != nil {
				t.Fatal(err)
			}
			finish(p, a)
			p.until("the agent is gone", func() bool { return !slices.ContainsFunc(p.alive(), isShell) })
			if _, err := os.Stat(filepath.Join(p.home, "more")); err == nil {
				t.Error("it went on without an answer")
			}
			a.Close()
		})
	}
}

// TestAnAgentThatNobodyCanReachIsEnded: once its folder is removed it works on while its link
// is there, and no longer.
func TestAnAgentThatNobodyCanReachIsEnded(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	a := Start(p.dial, "run", Job{Path: "/bin/sh", Args: []string{"-c", `echo asks; read -r line; echo "$line"; read -r line`}, Dir: p.home}, silent)
	if _, err := a.Next(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(p.home, Folder)); err != nil {
		t.Fatal(err)
	}
	if err := a.Send(t.Context(), []byte("green")); err != nil {
		t.Fatal(err)
	}
	if l, err := a.Next(); err != nil || string(l.Text) != "green" {
		t.Errorf("it says %q, %v", l.Text, err)
	}
	a.Close()
	p.until("nothing runs", func() bool { return len(p.alive()) == 0 })
	b := Find(p.dial, "run", 2, silent)
	if _, err := b.Next(); !errors.Is(err, ErrNone) || !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "folder there was removed") {
		t.Errorf("who comes back hears %v", err)
	}
}

// TestNothingWaitsForABeckonThatQuit: the shim of an agent that it ended goes with the agent,
// though nobody heard all that was said.
func TestNothingWaitsForABeckonThatQuit(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	a := Start(p.dial, "run", Job{Path: "/bin/sh", Args: []string{"-c", `trap 'echo unheard; exit' INT; echo asks; while :; do sleep 0.01; done`}, Dir: p.home}, silent)
	if _, err := a.Next(); err != nil {
		t.Fatal(err)
	}
	a.Quit()
	a.End()
	if l, err := a.Next(); err != nil || string(l.Text) != "unheard" {
		t.Fatalf("it says %q, %v", l.Text, err)
	}
	a.Close()
	p.empty()
}

// TestAgentsAreEndedSideBySide: one that takes its time keeps no other from being told.
func TestAgentsAreEndedSideBySide(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	grace := timeout.For(5 * time.Second).Milliseconds()
	for run, last := range map[string]string{"one": "while ! [ -e two ]; do sleep 0.01; done; echo left >one", "two": "echo left >two"} {
		job := Job{Path: "/bin/sh", Args: []string{"-c", `trap '` + last + `; exit' INT; echo works; while :; do sleep 0.01; done`}, Dir: p.home, GraceMs: grace}
		a := Start(p.dial, run, job, silent)
		if _, err := a.Next(); err != nil {
			t.Fatal(err)
		}
		a.Close()
	}
	if err := Call(t.Context(), p.dial, "end", nil, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(p.home, "one")); err != nil {
		t.Error("the one that waited for the other was killed")
	}
	p.empty()
}

// TestOneControllerAtATime: a newer one has the agent, and the older hears so.
func TestOneControllerAtATime(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	older := Start(p.dial, "run", p.job(1), silent)
	if _, err := older.Next(); err != nil {
		t.Fatal(err)
	}
	newer := Find(p.dial, "run", 0, silent)
	if l, err := newer.Next(); err != nil || l.N != 1 {
		t.Errorf("line %d, %v", l.N, err)
	}
	if _, err := older.Next(); !errors.Is(err, ErrRefused) || errors.Is(err, ErrNone) {
		t.Errorf("the older hears %v", err)
	}
	newer.Ack(1)
	newer.End()
	if _, err := newer.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	p.empty()
}

// TestWhatCannotBeStartedSaysWhy, and leaves nothing.
func TestWhatCannotBeStartedSaysWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		run  string
		job  *Job
		want string
	}{
		"no program":   {"run", &Job{Path: "/no/such/claude", Dir: "/"}, "no such file"},
		"no folder":    {"run", &Job{Path: os.Args[0], Dir: "/no/such/folder"}, "no such file"},
		"not started":  {"run", nil, "the agent is not there any more"},
		"name of path": {"../run", &Job{Path: os.Args[0]}, "no name of a run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			a := follow(p.dial, c.run, c.job, 0, silent)
			if _, err := a.Next(); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("it says %v", err)
			}
			p.empty()
		})
	}
}

// TestALinkThatSaysNothingIsCut, as one that is half open.
func TestALinkThatSaysNothingIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		a := Find(func(context.Context) (io.ReadWriteCloser, error) {
			if dials.Add(1) == 2 {
				return talk{strings.NewReader(newMagic() + string(goneFrame(ErrNone)))}, nil
			}
			r, w := io.Pipe()
			go func() {
				_, _ = io.WriteString(w, newMagic()+string(jsonFrame(frameState, 0, condition{Version: Version})))
			}()
			return half{talk{r}, r}, nil
		}, "run", 0, silent)
		began := time.Now()
		if _, err := a.Next(); !errors.Is(err, ErrNone) || dials.Load() != 2 {
			t.Errorf("after %d links it hears %v", dials.Load(), err)
		}
		if since := time.Since(began); since < silence || since > 2*silence {
			t.Errorf("it was cut after %s", since)
		}
	})
}

// TestAcknowledgementsAreFewerThanLines, and the last is not owed for long.
func TestAcknowledgementsAreFewerThanLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lines, every = 100, 20 * time.Millisecond
		r, w := io.Pipe()
		said := &sayings{Reader: r}
		a := Find(func(context.Context) (io.ReadWriteCloser, error) { return said, nil }, "run", 0, silent)
		_, _ = io.WriteString(w, newMagic()+string(jsonFrame(frameState, 0, condition{Version: Version})))
		for n := range lines {
			_, _ = w.Write(appendLine(nil, int64(n+1), []byte("a line")))
			l, err := a.Next()
			if err != nil {
				t.Fatal(err)
			}
			a.Ack(l.N)
			time.Sleep(every)
		}
		time.Sleep(ackIn)
		synctest.Wait()
		acks := said.of(frameAck)
		if most := int(lines*every/ackIn) + 2; len(acks) > most || len(acks) == 0 || acks[len(acks)-1] != lines {
			t.Errorf("%d lines were acknowledged as %d", lines, acks)
		}
		w.Close()
		a.Close()
	})
}

// sayings is a link that keeps what is written to it.
type sayings struct {
	io.Reader
	client.Log
}

func (s *sayings) Close() error { return nil }

// of returns the numbers of the frames of one kind.
func (s *sayings) of(kind string) (numbers []int64) {
	r, buffer := bufio.NewReader(strings.NewReader(s.String())), make([]byte, frameMost)
	for {
		f, err := readFrame(r, buffer)
		if err != nil {
			return numbers
		}
		if f.Kind == kind {
			numbers = append(numbers, f.N)
		}
	}
}

// half is a link that is read from until it is closed.
type half struct {
	talk
	r *io.PipeReader
}

func (h half) Close() error { return h.r.Close() }

// talk is a link whose other end says what a test wants.
type talk struct{ io.Reader }

func (talk) Write(b []byte) (int, error) { return len(b), nil }
func (talk) Close() error                { return nil }

// TestAHostileMachineIsRefused, and takes no memory.
func TestAHostileMachineIsRefused(t *testing.T) {
	t.Parallel()
	began := newMagic() + string(jsonFrame(frameState, 0, condition{Version, 0}))
	for name, text := range map[string]string{
		"a greeting without end":  strings.Repeat("Welcome! ", greetingMost),
		"a greeting of lines":     strings.Repeat("Welcome!\n", greetingMost),
		"another version":         magic + "9 x\n",
		"no state":                newMagic() + "line 1 2\nab",
		"another version's shim":  newMagic() + string(jsonFrame(frameState, 0, condition{Version: 9})),
		"a frame too long":        began + "line 1 999999999\n",
		"a header without end":    began + strings.Repeat("x", 1<<20),
		"a negative size":         began + "line 1 -1\n",
		"no number":               began + "line one 1\nx",
		"a line too early":        began + "line 2 1\nx",
		"an end too early":        began + string(jsonFrame(frameEOF, 7, Exit{})),
		"an end that is no JSON":  began + "eof 0 1\nx",
		"a kind that is unknown":  began + "dance 0 0\n",
		"a state that is no JSON": newMagic() + "state 0 1\nx",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := Find(func(context.Context) (io.ReadWriteCloser, error) { return talk{strings.NewReader(text + "\n")}, nil }, "run", 0, silent)
			done := make(chan error, 1)
			go func() { _, err := a.Next(); done <- err }()
			select {
			case err := <-done:
				if !errors.Is(err, errMalformed) && !errors.Is(err, ErrRefused) {
					t.Errorf("it hears %v", err)
				}
			case <-time.After(patience):
				t.Error("it tries again and again")
				a.Close()
			}
		})
	}
}

// TestAGreetingIsSkipped, as login scripts print, with and without a line feed.
func TestAGreetingIsSkipped(t *testing.T) {
	t.Parallel()
	for _, greeting := range []string{"", "Welcome to host!\n\x1b[0m", strings.Repeat("motd\n", 2000), "last login: never"} {
		p := newPlace(t)
		a := Start(func(ctx context.Context) (io.ReadWriteCloser, error) {
			c, err := p.dial(ctx)
			if err == nil {
				c.(*conn).Reader = io.MultiReader(strings.NewReader(greeting), c.(*conn).Reader)
			}
			return c, err
		}, "run", p.job(1), silent)
		l, err := a.Next()
		if err != nil {
			t.Fatalf("after %.20q: %v", greeting, err)
		}
		a.Ack(l.N)
		a.End()
		if _, err := a.Next(); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
		p.empty()
	}
}

// serveCall says what it was given, and fails where it was given nothing.
func serveCall(ctx context.Context, name string, params json.RawMessage) (any, error) {
	switch {
	case name == "end":
		_, err := EndOthers(ctx, "", nil)
		return struct{}{}, err
	case name == "wait":
		<-ctx.Done()
		return nil, context.Cause(ctx)
	case string(params) == "null":
		return nil, errors.New("there is nothing to say")
	}
	return map[string]any{"name": name, "params": params}, nil
}

func TestACallIsAnswered(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var said struct{ Name, Params string }
	if err := Call(t.Context(), p.dial, "echo", "a word", &said); err != nil || said.Name != "echo" || said.Params != "a word" {
		t.Errorf("%+v, %v", said, err)
	}
	var failed FailedCall
	if err := Call(t.Context(), p.dial, "echo", nil, &said); !errors.As(err, &failed) || failed != "there is nothing to say" {
		t.Errorf("a call that failed: %v", err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 200*time.Millisecond, errors.New("that is long enough"))
	defer cancel()
	if err := Call(ctx, p.dial, "wait", nil, &said); err == nil || err.Error() != "that is long enough" {
		t.Errorf("a call that was given up: %v", err)
	}
	for end := time.Now().Add(patience); len(p.alive()) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d processes are left", len(p.alive()))
		}
	}
}
