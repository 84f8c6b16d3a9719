package ssh

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/askpass"
	"beckon/backend/executor/worker"
)

// making is a connection that is being made. All who need one wait for the same.
type making struct {
	done chan struct{} // closed when what follows is set
	made *connection
	err  error
}

// Reach makes a connection where there is none, and waits as long as the user takes to
// answer what ssh asks. Other methods do not wait for the user.
func (h *Host) Reach(ctx context.Context) error {
	_, err := h.connect(ctx, true)
	return err
}

// Ask returns what ssh asks and the user has not answered; nil for nothing.
func (h *Host) Ask() *executing.Ask {
	ask, _ := h.asks.Open()
	return ask
}

// Answer gives the user's answer to what ssh asks; see askpass.Asks.
func (h *Host) Answer(id string, r executing.Reply) error { return h.asks.Answer(id, r) }

// Held reports whether the machine is not reached before Release, since the user said no
// to what ssh asked, or what was entered was wrong.
func (h *Host) Held() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.held != nil
}

// Release has ssh ask again what was refused.
func (h *Host) Release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = nil
}

// connect returns the connection, and makes one where there is none. Who is not patient
// does not wait for the user.
func (h *Host) connect(ctx context.Context, patient bool) (*connection, error) {
	h.mu.Lock()
	live, m := h.live, h.making
	switch {
	case h.closed:
		h.mu.Unlock()
		return nil, errClosing
	case live != nil && live.lives():
		h.mu.Unlock()
		return live, nil
	case h.held != nil:
		defer h.mu.Unlock()
		return nil, h.held
	case m == nil:
		m = &making{done: make(chan struct{})}
		h.making = m
		h.work.Go(func() { h.make(m) })
	}
	h.mu.Unlock()
	for {
		ask, changed := h.asks.Open()
		if ask != nil && !patient {
			return nil, h.asksFirst()
		}
		select {
		case <-m.done:
			return m.made, m.err
		case <-changed:
		case <-ctx.Done():
			if ask != nil {
				return nil, h.asksFirst()
			}
			return nil, context.Cause(ctx)
		}
	}
}

// asksFirst is why a machine is not reached while a question is open.
func (h *Host) asksFirst() error {
	return worker.Unreachable(fmt.Sprintf("%s is not reached before you answer what ssh asks, in the Inbox", h.name))
}

// errClosing is why no connection is made any more.
const errClosing = worker.Unreachable("Beckon is closing")

// make makes a connection.
func (h *Host) make(m *making) {
	h.mu.Lock()
	dead := h.live
	h.live = nil
	h.mu.Unlock()
	dead.end()
	m.made, m.err = h.insist()
	h.mu.Lock()
	h.making = nil
	if h.closed && m.err == nil {
		defer m.made.end()
		m.made, m.err = nil, errClosing
	}
	h.live = m.made
	h.mu.Unlock()
	close(m.done)
}

// insist starts ssh until there is a connection, or a reason why not: once, and again each
// time that it failed after the user answered, for the host may have hung up meanwhile.
func (h *Host) insist() (*connection, error) {
	h.asks.Begin()
	defer h.asks.Begin()
	for asked := 0; ; {
		c, denied, err := h.share(h.ctx)
		if err == nil {
			return c, nil
		}
		for ask, changed := h.asks.Open(); ask != nil; ask, changed = h.asks.Open() { // it outlives its ssh
			select {
			case <-changed:
			case <-h.ctx.Done():
				return nil, errClosing
			}
		}
		said := h.asks.Said()
		switch {
		case said.Refused:
			err = worker.Unreachable(fmt.Sprintf("You said no to what ssh asked, so nothing was sent to %s. Try now asks again.", h.name))
			return nil, h.hold(err)
		case denied && said.Secret:
			err = worker.Unreachable(fmt.Sprintf("%s does not let you in with what you entered. Try now asks again.", h.name))
			return nil, h.hold(err)
		case denied || said.Yes == asked || h.ctx.Err() != nil:
			return nil, err
		}
		asked = said.Yes
	}
}

// hold keeps ssh from asking again by itself.
func (h *Host) hold(err error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = err
	return err
}

// isDenied reports whether ssh said that trying again changes nothing.
func isDenied(said string) bool {
	return strings.Contains(said, "Permission denied") || strings.Contains(said, "Host key verification failed") || strings.Contains(said, "Too many authentication failures")
}

// stand waits until the connection stands, no longer than the host deserves patience. The
// time that the user takes to answer does not count.
func (c *connection) stand(ctx context.Context, asks *askpass.Asks, patience time.Duration) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		if _, err := os.Lstat(c.socket()); err == nil {
			return nil
		}
		ask, changed := asks.Open()
		var soon, tooLate <-chan time.Time
		if ask == nil {
			soon, tooLate = time.After(lookEvery), late.C
		}
		select {
		case <-soon:
		case <-changed:
			if asks.Said().Refused {
				return errRefused
			}
			late.Reset(patience)
		case <-c.gone:
			return Explain(c.host, c.said.String(), errNoConnection)
		case <-tooLate:
			return worker.Unreachable(fmt.Sprintf("%s does not answer: no connection within %s", c.host, patience))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

var (
	errNoConnection = errors.New("no connection")
	errRefused      = errors.New("refused")
)
