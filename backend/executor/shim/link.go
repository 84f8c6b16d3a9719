//go:build linux || darwin

package shim

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"beckon/backend/executor/shim/spool"
)

// link is a controller that is there. There is one at a time: a newer one pushes
// the older out, for a link that is half open must not lock the door.
type link struct {
	holder *holder
	conn   net.Conn
	ctx    context.Context
	cut    context.CancelFunc

	mu sync.Mutex // writes one frame after the other
}

// accept lets controllers in until the socket is closed.
func (h *holder) accept(socket net.Listener) {
	for {
		conn, err := socket.Accept()
		if err != nil {
			return
		}
		l := &link{holder: h, conn: conn}
		l.ctx, l.cut = context.WithCancel(h.ctx)
		go l.serve()
	}
}

// serve is a link's whole life.
func (l *link) serve() {
	defer func() { _ = l.conn.Close() }()
	defer l.cut()
	context.AfterFunc(l.ctx, func() { _ = l.conn.Close() })
	err := l.hear()
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
		_ = l.send(goneFrame(err))
	}
	h := l.holder
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.link == l {
		h.link, h.since = nil, time.Now()
		h.input.cutLine()
	}
}

// hear obeys the controller.
func (l *link) hear() error {
	r, buffer := bufio.NewReader(l.conn), make([]byte, frameMost)
	first, err := l.read(r, buffer)
	if err != nil {
		return err
	}
	var g greeting
	if first.Kind != frameHello || json.Unmarshal(first.Payload, &g) != nil {
		return errMalformed
	}
	if g.Version != Version {
		return fmt.Errorf("it speaks version %d, and that Beckon %d: %w", Version, g.Version, ErrRefused)
	}
	if g.End {
		l.endUnheard()
		return nil
	}
	at, err := l.holder.spool.From(g.From)
	if err != nil {
		return fmt.Errorf("%w: %w", err, ErrRefused)
	}
	if err := l.begin(); err != nil {
		return err
	}
	go l.speak(at, g.From)
	go l.beat()
	for {
		f, err := l.read(r, buffer)
		if err != nil {
			return err
		}
		if err := l.obey(f); err != nil {
			return err
		}
	}
}

// endUnheard ends the agent, and the shim with it, though nobody heard all that it said.
func (l *link) endUnheard() {
	h := l.holder
	h.end(false)
	<-h.over
	h.known.Do(func() { close(h.read) })
}

// begin makes the link the one that there is.
func (l *link) begin() error {
	h := l.holder
	h.mu.Lock()
	older := h.link
	h.link = l
	h.input.cutLine()
	received := h.input.last
	h.mu.Unlock()
	if older != nil {
		_ = older.send(goneFrame(errTaken))
		older.cut()
	}
	return l.send(jsonFrame(frameState, 0, condition{Version, received}))
}

func (l *link) read(r *bufio.Reader, buffer []byte) (frame, error) {
	_ = l.conn.SetReadDeadline(time.Now().Add(silence))
	return readFrame(r, buffer)
}

func (l *link) send(frames []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.conn.SetWriteDeadline(time.Now().Add(silence))
	_, err := l.conn.Write(frames)
	return err
}

// obey does what a frame says, unless a newer link took this one's place.
func (l *link) obey(f frame) error {
	h := l.holder
	switch f.Kind {
	case framePart, frameLine:
		return l.takeInput(f)
	case frameEOF:
		h.note(func() { h.last = f.N })
	case frameAck:
		select {
		case <-h.over:
			if f.N > h.exit.Lines { // the line beyond the last stands for the end
				h.known.Do(func() { close(h.read) })
				return nil
			}
		default:
		}
		return h.spool.Ack(f.N)
	case frameEnd:
		h.note(func() { h.unawaited = f.N == 1 })
		h.end(false)
	case framePing:
	default:
		return errMalformed
	}
	return nil
}

func (l *link) takeInput(f frame) (err error) {
	h := l.holder
	h.note(func() {
		if h.link != l {
			err = io.EOF
			return
		}
		var text []byte
		var whole bool
		if text, whole, err = h.input.takeFrame(f); err != nil || !whole || h.ending {
			return
		}
		h.queue, h.queued = append(h.queue, text), h.queued+len(text)
		if h.queued > inputMost {
			err = fmt.Errorf("more than %d bytes wait for an agent that does not read: %w", inputMost, errMalformed)
		}
	})
	return err
}

// speak sends what the agent prints, from line n on, and at its end how it ended.
func (l *link) speak(at *spool.Cursor, n int64) {
	defer l.cut()
	go l.acknowledge()
	frames, buffer := make([]byte, 0, 2*frameMost), make([]byte, frameMost)
	for {
		text, err := at.Next(l.ctx, buffer)
		if errors.Is(err, io.EOF) {
			break
		}
		frames, n = appendText(frames[:0], n, text)
		if err != nil || l.send(frames) != nil {
			return
		}
	}
	<-l.holder.over
	exit := l.holder.howItEnded()
	_ = l.send(jsonFrame(frameEOF, exit.Lines, exit))
	<-l.ctx.Done()
}

// acknowledge says which lines of input were written.
func (l *link) acknowledge() {
	said := int64(0)
	for {
		l.holder.mu.Lock()
		written, changed := l.holder.written, l.holder.changed
		l.holder.mu.Unlock()
		if written > said {
			said = written
			if l.send(appendFrame(nil, frameAck, said, nil)) != nil {
				return
			}
		}
		select {
		case <-changed:
		case <-l.ctx.Done():
			return
		}
	}
}

// beat shows that the link is not dead.
func (l *link) beat() {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if l.send(appendFrame(nil, framePing, 0, nil)) != nil {
				return
			}
		case <-l.ctx.Done():
			return
		}
	}
}
