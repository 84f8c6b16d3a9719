//go:build linux || darwin

package shim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/executor/shim/spool"

	"github.com/gofrs/flock"
)

const (
	// inputMost is how much input waits for an agent that does not read.
	inputMost = 64 << 20
	// stderrMost is how much of the end of stderr is kept.
	stderrMost = 64 << 10
)

// holder is the process that has the agent. Its working directory is its folder.
type holder struct {
	job    Job
	spool  *spool.Spool
	child  *process.Child
	stdin  *os.File
	ctx    context.Context // ends with the holder
	cancel context.CancelFunc
	over   chan struct{} // closed when exit is set
	exit   Exit

	mu      sync.Mutex
	input   receiver
	queue   [][]byte // lines that were received, and are not written yet
	queued  int
	written int64
	last    int64         // line of input, once the controller said so; else -1
	changed chan struct{} // closed when queue, last or written is not what it was
	link    *link         // the controller that is there; nil: none
	since   time.Time     // when the last one left
	ending  bool
	alone   bool // since nobody came back
	// unawaited says that nobody comes back, once this link is over.
	unawaited bool
	read      chan struct{} // closed when the controller knows how the agent ended
	known     sync.Once
}

var errHeld = errors.New("the run has a shim already")

// hold is the shim's own process. Ready is what the bridge that started it waits
// for: its end says that the agent runs, here or in another shim, and a text why it does not.
func hold(run string, stdin io.Reader, ready io.WriteCloser) error {
	err := serve(run, stdin, ready)
	if err != nil && !errors.Is(err, errHeld) {
		fmt.Fprintln(ready, err)
	}
	return err
}

// serve starts the agent of the job on stdin, and returns when nobody needs it any
// more.
func serve(run string, stdin io.Reader, ready io.WriteCloser) error {
	dir, err := RunFolder(run)
	if err != nil {
		return err
	}
	var job Job
	if err := json.NewDecoder(stdin).Decode(&job); err != nil {
		return fmt.Errorf("read the job: %w", err)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chdir(dir)); err != nil {
		return err
	}
	lock := flock.New(lockFile)
	if ok, err := lock.TryLock(); err != nil || !ok {
		return errors.Join(errHeld, err)
	}
	defer func() { _ = lock.Close() }()
	defer os.RemoveAll(dir)
	h, err := start(job)
	if err != nil {
		return err
	}
	defer h.cancel()
	_ = os.Remove(socketFile) // of a shim that was killed
	socket, err := new(net.ListenConfig).Listen(context.Background(), "unix", socketFile)
	if err != nil {
		_ = h.child.Kill()
		return err
	}
	if err := ready.Close(); err != nil {
		slog.Warn("say that the agent runs", "err", err)
	}
	go h.accept(socket)
	h.watch()
	return socket.Close()
}

// start starts the agent.
func start(job Job) (*holder, error) {
	s, err := spool.New(".", job.spoolBytes())
	if err != nil {
		return nil, err
	}
	var theirs, ours [3]*os.File
	for i := range theirs {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		theirs[i], ours[i] = w, r
		if i == 0 {
			theirs[i], ours[i] = r, w
		}
		defer theirs[i].Close()
	}
	child, err := process.Start(context.Background(), process.Spec{
		Path: job.Path, Args: job.Args, Dir: job.Dir, Env: job.Env,
		Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2],
	})
	if err != nil {
		return nil, err
	}
	h := &holder{
		job: job, spool: s, child: child, stdin: ours[0], over: make(chan struct{}),
		read: make(chan struct{}), input: receiver{most: inputMost}, last: -1, changed: make(chan struct{}), since: time.Now(),
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	go h.feed()
	go h.follow(ours[1], ours[2])
	return h, nil
}

// follow spools what the agent prints, and notes how it ended.
func (h *holder) follow(stdout, stderr *os.File) {
	last, drained := &process.Tail{Most: stderrMost}, make(chan struct{})
	go func() { _, _ = io.Copy(last, stderr); close(drained) }()
	buffer, err := make([]byte, frameMost), error(nil)
	for err == nil {
		var n int
		if n, err = stdout.Read(buffer); n > 0 {
			if kept := h.spool.Write(h.ctx, buffer[:n]); kept != nil {
				h.exit.Trouble = "what the agent printed could not be kept, so it was ended: " + kept.Error()
				_ = h.child.Kill()
				break
			}
		}
	}
	stdout.Close()
	h.exit.Status = h.child.Wait()
	<-drained
	h.exit.Stderr = last.String()
	if h.exit.Lines, err = h.spool.Close(h.ctx); err != nil && h.exit.Trouble == "" {
		h.exit.Trouble = err.Error()
	}
	close(h.over)
	h.stdin.Close() // frees a write that nobody reads
}

// feed writes lines to the agent, whole and one after the other.
func (h *holder) feed() {
	defer h.stdin.Close()
	for {
		text, changed, done := h.nextInput()
		switch {
		case done:
			return
		case text == nil:
			select {
			case <-changed:
			case <-h.over:
				return
			}
			continue
		}
		if _, err := h.stdin.Write(append(text, '\n')); err != nil {
			return // it does not listen any more
		}
		h.note(func() { h.written++; h.queued -= len(text) })
	}
}

func (h *holder) nextInput() (text []byte, changed <-chan struct{}, done bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) > 0 {
		text = h.queue[0]
		h.queue = h.queue[1:]
		return text, nil, false
	}
	return nil, h.changed, h.last >= 0 && h.written >= h.last && !h.ending
}

// note changes what mu guards, and wakes those that wait for it.
func (h *holder) note(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
	close(h.changed)
	h.changed = make(chan struct{})
}

// isRemoved reports whether the shim's folder is gone, so that nobody can reach it any more.
func isRemoved() bool {
	_, err := os.Lstat(socketFile)
	return errors.Is(err, fs.ErrNotExist)
}

// watch waits until nobody needs the shim: its controller knows the agent's end, or quit,
// or nobody came within the lease, or can come.
func (h *holder) watch() {
	lease := h.job.lease()
	look := time.NewTicker(min(lease/4+time.Millisecond, time.Second))
	defer look.Stop()
	for {
		select {
		case <-h.read:
			return
		case <-look.C:
		}
		h.mu.Lock()
		alone := h.link == nil && (h.unawaited || time.Since(h.since) > lease || isRemoved())
		h.mu.Unlock()
		if !alone {
			continue
		}
		select {
		case <-h.over:
			return
		default:
			h.end(true)
		}
	}
}

// end ends the agent by a ladder: SIGINT, then SIGKILL. Its stdin stays open, for an agent
// whose stdin closes over an open question goes on without the answer. It returns at once.
func (h *holder) end(alone bool) {
	begun := false
	h.note(func() {
		if begun = h.ending; begun {
			return
		}
		h.ending, h.queue, h.alone = true, nil, alone
		h.since = time.Now() // who was late has as long again to hear of it
	})
	if begun {
		return
	}
	go func() {
		if h.child.Interrupt() == nil {
			select {
			case <-h.over:
				return
			case <-time.After(h.job.grace()):
			}
		}
		_ = h.child.Kill()
	}()
}

// howItEnded is what a controller hears, once over is closed.
func (h *holder) howItEnded() Exit {
	h.mu.Lock()
	defer h.mu.Unlock()
	exit := h.exit
	exit.Alone = h.alone
	return exit
}
