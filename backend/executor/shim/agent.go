package shim

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Dial opens a link: the stdin and stdout of a `beckon shim` where the agent is.
// Closing it ends that process.
type Dial func(context.Context) (io.ReadWriteCloser, error)

const (
	// window is how much input is on its way before Send waits.
	window = 1 << 20
	// LineMost is how long a line of the agent's may be.
	LineMost = 256 << 20
	// An acknowledgement waits for more lines, or it would be a packet for each of them.
	ackIn, ackLines = 250 * time.Millisecond, 16
	// The pauses between two attempts to link again.
	firstPause, lastPause = 50 * time.Millisecond, 15 * time.Second
)

// ErrEnded says that the agent listens no more.
var ErrEnded = errors.New("the agent has ended")

// Agent is an agent elsewhere, as its controller sees it: one that is always
// there, though the link to it may not be. Next belongs to one goroutine; the
// rest may be called from any.
type Agent struct {
	dial   Dial
	run    string
	onLink func(error) // nil: there is a link; else why there is none
	ctx    context.Context
	cancel context.CancelCauseFunc
	lines  chan Line // that were received
	last   sync.Once // closes it
	done   chan struct{}

	mu      sync.Mutex
	job     *Job // until it is known to run
	out     receiver
	acked   int64 // lines of output that the caller is done with
	quiet   int64 // up to which of them the link tells the shim by itself, in a moment
	sent    []Line
	queued  int // bytes of sent
	number  int64
	closing bool // no more input comes
	ending  bool
	quits   bool // nobody comes back for what it says
	exit    *Exit
	changed chan struct{} // closed when any of these is not what it was
}

// Line is one line, without its line feed, and its number.
type Line struct {
	N    int64
	Text []byte
}

// Start starts a job under the name of a run, unless that has an agent already,
// and follows it from its first line. onLink hears of each link, and of its end.
func Start(dial Dial, run string, job Job, onLink func(error)) *Agent {
	return follow(dial, run, &job, 0, onLink)
}

// Find follows the agent of a run from the line after the last that is known,
// which was acknowledged or is still spooled there.
func Find(dial Dial, run string, known int64, onLink func(error)) *Agent {
	return follow(dial, run, nil, known, onLink)
}

func follow(dial Dial, run string, job *Job, known int64, onLink func(error)) *Agent {
	a := &Agent{
		dial: dial, run: run, job: job, onLink: onLink, lines: make(chan Line), done: make(chan struct{}),
		out: receiver{last: known, most: LineMost}, acked: known, number: -1, changed: make(chan struct{}),
	}
	a.ctx, a.cancel = context.WithCancelCause(context.Background())
	go a.keep()
	return a
}

// keep links again and again, until the agent has ended or the link is refused.
func (a *Agent) keep() {
	defer close(a.done)
	defer a.closeLines()
	for pause := firstPause; a.ctx.Err() == nil; pause = min(2*pause, lastPause) {
		linked, err := a.link()
		if errors.Is(err, ErrRefused) || errors.Is(err, errMalformed) {
			a.cancel(err)
			if a.exited() == nil { // else the shim heard so, and is gone
				a.onLink(err)
			}
			return
		}
		if linked {
			pause = firstPause
		}
		if a.ctx.Err() == nil && a.exited() == nil {
			a.onLink(err)
		}
		select {
		case <-time.After(pause):
		case <-a.ctx.Done():
		}
	}
}

// link is one link's whole life. It reports whether it got as far as the agent.
func (a *Agent) link() (linked bool, err error) {
	conn, err := a.dial(a.ctx)
	if err != nil {
		return false, err
	}
	var speaking sync.WaitGroup
	defer speaking.Wait() // it knows what this link was told, and no other
	ctx, cut := context.WithCancel(a.ctx)
	defer cut()
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	dead := time.AfterFunc(silence, cut)
	defer dead.Stop()

	r, buffer := bufio.NewReader(conn), make([]byte, frameMost)
	a.mu.Lock()
	g := greeting{Version: Version, Run: a.run, Job: a.job, From: a.out.last + 1}
	a.out.cutLine()
	a.mu.Unlock()
	if _, err := conn.Write(jsonFrame(frameHello, 0, g)); err != nil {
		return false, err
	}
	if err := skipGreeting(r); err != nil {
		return false, err
	}
	for {
		f, err := readFrame(r, buffer)
		if err != nil {
			return linked, err
		}
		dead.Stop() // a line may wait here until it is taken
		if f.Kind == frameState && !linked {
			linked = true
			if err := a.begin(f); err != nil {
				return linked, err
			}
			a.onLink(nil)
			speaking.Go(func() { defer cut(); a.speak(ctx, conn) })
		} else if err := a.hear(f, linked); err != nil {
			return linked, err
		}
		dead.Reset(silence)
	}
}

// begin takes up where the shim is.
func (a *Agent) begin(f frame) error {
	var c condition
	if err := json.Unmarshal(f.Payload, &c); err != nil {
		return errMalformed
	}
	if c.Version != Version {
		return fmt.Errorf("the shim there speaks version %d, this Beckon %d: %w", c.Version, Version, ErrRefused)
	}
	a.note(func() {
		a.job = nil
		if a.number < 0 { // a Beckon before this one may have said something
			a.number = c.Received
		}
		a.forget(c.Received)
	})
	return nil
}

// forget drops the lines that the shim has. The caller holds mu.
func (a *Agent) forget(n int64) {
	for len(a.sent) > 0 && a.sent[0].N <= n {
		a.queued -= len(a.sent[0].Text)
		a.sent = a.sent[1:]
	}
}

// hear takes a frame of the shim's, which before its state can only refuse.
func (a *Agent) hear(f frame, linked bool) error {
	if !linked && f.Kind != frameGone {
		return errMalformed
	}
	switch f.Kind {
	case framePart, frameLine:
		text, whole, err := a.out.takeFrame(f)
		if err != nil || !whole {
			return err
		}
		select {
		case a.lines <- Line{f.N, text}:
		case <-a.ctx.Done():
		}
	case frameAck:
		a.note(func() { a.forget(f.N) })
	case frameEOF:
		var exit Exit
		if f.N != a.out.last || json.Unmarshal(f.Payload, &exit) != nil {
			return errMalformed
		}
		a.note(func() { a.exit = &exit })
		a.closeLines()
	case frameGone:
		return goneError(f)
	case framePing:
	default:
		return errMalformed
	}
	return nil
}

func (a *Agent) closeLines() { a.last.Do(func() { close(a.lines) }) }

// note changes what mu guards, and wakes those that wait for it.
func (a *Agent) note(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
	close(a.changed)
	a.changed = make(chan struct{})
}

// told is what a link has told the shim.
type told struct {
	input, acked int64
	ackedAt      time.Time
	eof, end     bool
	over         bool // the agent's end is known
}

// speak tells the shim what it does not know, until the link is cut. That its
// agent's end is known is the last thing: it leaves then, and the next link finds
// none.
func (a *Agent) speak(ctx context.Context, to io.Writer) {
	var t told
	alive := time.NewTicker(beat)
	defer alive.Stop()
	for {
		frames, changed, due := a.news(&t)
		if len(frames) == 0 {
			select {
			case <-changed:
				continue
			case <-due:
				continue
			case <-alive.C:
				frames = appendFrame(nil, framePing, 0, nil)
			case <-ctx.Done():
				return
			}
		}
		if _, err := to.Write(frames); err != nil {
			return
		}
	}
}

// news returns the frames of what is to be told, and when there may be others.
func (a *Agent) news(t *told) (frames []byte, changed <-chan struct{}, due <-chan time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range a.sent {
		if l.N > t.input {
			frames, t.input = appendLine(frames, l.N, l.Text), l.N
			break // one at a time, so that the rest does not wait for much
		}
	}
	// A shim that gets the end of the agent needs none of its input: the agent would go on with that for a moment.
	if a.closing && !a.ending && !t.eof && (len(a.sent) == 0 || t.input == a.number) {
		frames, t.eof = appendFrame(frames, frameEOF, a.number, nil), true
	}
	if a.acked > t.acked {
		if wait := ackIn - time.Since(t.ackedAt); wait > 0 && a.acked < t.acked+ackLines && len(frames) == 0 && a.exit == nil {
			a.quiet, due = t.acked+ackLines-1, time.After(wait)
		} else {
			a.quiet = 0
			frames, t.acked, t.ackedAt = appendFrame(frames, frameAck, a.acked, nil), a.acked, time.Now()
		}
	}
	if a.ending && !t.end {
		n := int64(0)
		if a.quits {
			n = 1
		}
		frames, t.end = appendFrame(frames, frameEnd, n, nil), true
	}
	if a.exit != nil && a.acked == a.exit.Lines && !t.over {
		frames, t.over = appendFrame(frames, frameAck, a.exit.Lines+1, nil), true
	}
	return frames, a.changed, due
}

// Next returns the next line, and io.EOF after the last; the shim goes once all are
// acknowledged. It returns another error where the agent cannot be reached any
// more, and trying again is no use.
func (a *Agent) Next() (Line, error) {
	if l, ok := <-a.lines; ok {
		return l, nil
	}
	if a.exited() != nil {
		return Line{}, io.EOF
	}
	return Line{}, context.Cause(a.ctx)
}

// Ack says that lines up to n are recorded here, so that the shim may forget
// them.
func (a *Agent) Ack(n int64) {
	a.mu.Lock()
	a.acked = max(a.acked, n)
	told := a.acked > a.quiet || a.exit != nil
	a.mu.Unlock()
	if told {
		a.note(func() {})
	}
}

// Send gives the agent a line, once the link is there; it waits for room, not for
// the agent. What was sent arrives, unless the agent ends before.
func (a *Agent) Send(ctx context.Context, text []byte) error {
	for {
		a.mu.Lock()
		changed := a.changed
		switch {
		case a.exit != nil || a.ending || a.closing || a.ctx.Err() != nil:
			a.mu.Unlock()
			return ErrEnded
		case a.number >= 0 && (a.queued == 0 || a.queued+len(text) <= window):
			a.number++
			a.sent, a.queued = append(a.sent, Line{a.number, append([]byte(nil), text...)}), a.queued+len(text)
			close(a.changed)
			a.changed = make(chan struct{})
			a.mu.Unlock()
			return nil
		}
		a.mu.Unlock()
		select {
		case <-changed:
		case <-a.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// CloseInput says that nothing more will be sent.
func (a *Agent) CloseInput() { a.note(func() { a.closing = true }) }

// End ends the agent and all that it started. It returns at once; the end comes
// by Next.
func (a *Agent) End() { a.note(func() { a.ending = true }) }

// Quit says that with the next End nobody comes back for what the agent said: its shim is
// then gone with it, though the link breaks.
func (a *Agent) Quit() { a.note(func() { a.quits = true }) }

// Exit is how the agent ended, once Next said so.
func (a *Agent) Exit() Exit {
	return *cmp.Or(a.exited(), &Exit{})
}

func (a *Agent) exited() *Exit {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.exit
}

// Close leaves the agent alone, which goes on.
func (a *Agent) Close() {
	a.cancel(ErrEnded)
	<-a.done
}
