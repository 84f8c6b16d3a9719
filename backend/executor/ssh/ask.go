package ssh

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/askpass"
	"beckon/backend/executor/worker"
)

// making is a connection that is being made. All who find no room wait for the same.
type making struct {
	done chan struct{} // closed when what follows is set
	made *connection
	err  error
}

// Reach makes a connection where none has room, and waits as long as the user takes to
// answer what ssh asks. Other methods do not wait for the user.
func (h *Host) Reach(ctx context.Context) error {
	c, err := h.connect(ctx, true)
	if err == nil {
		h.leave(c)
	}
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

// connect returns a connection that has room for a process, which it takes, and makes one
// where there is none. Who is patient waits for the user.
func (h *Host) connect(ctx context.Context, patient bool) (*connection, error) {
	for {
		c, m, err := h.find()
		if c != nil || err != nil {
			return c, err
		}
		if err := h.await(ctx, m, patient); err != nil {
			return nil, err
		}
	}
}

// find returns a connection that stands, or the one that is being made.
func (h *Host) find() (*connection, *making, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, nil, errClosing
	}
	for _, c := range h.live {
		if c.lives() && c.sessions < sessionsMost {
			c.sessions++
			return c, nil, nil
		}
	}
	if h.held != nil {
		return nil, nil, h.held
	}
	if h.making == nil {
		m := &making{done: make(chan struct{})}
		h.making = m
		h.work.Go(func() { h.make(m) })
	}
	return nil, h.making, nil
}

// await waits until a connection was made.
func (h *Host) await(ctx context.Context, m *making, patient bool) error {
	for {
		ask, changed := h.asks.Open()
		if ask != nil && !patient {
			return h.asksFirst()
		}
		select {
		case <-m.done:
			if m.err == nil && !m.made.lives() {
				return Explain(h.name, m.made.said.String(), errNoConnection)
			}
			return m.err
		case <-changed:
		case <-ctx.Done():
			if ask != nil {
				return h.asksFirst()
			}
			return context.Cause(ctx)
		}
	}
}

// asksFirst is why a machine is not reached while a question is open.
func (h *Host) asksFirst() error {
	return reason.Of(reason.HostAsks, "host", h.name).Err(beckon.ErrUnavailable, worker.ErrAsks)
}

// errClosing is why no connection is made any more.
var errClosing = problem.New(problem.Closing, fmt.Errorf("Beckon is closing: %w", beckon.ErrUnavailable))

// make makes a connection.
func (h *Host) make(m *making) {
	h.endDead()
	m.made, m.err = h.insist()
	h.mu.Lock()
	h.making = nil
	switch {
	case m.err != nil:
	case h.closed:
		defer m.made.end()
		m.made, m.err = nil, errClosing
	default:
		h.live = append(h.live, m.made)
	}
	h.mu.Unlock()
	close(m.done)
}

// endDead clears away the connections that are gone.
func (h *Host) endDead() {
	h.mu.Lock()
	all := h.live
	h.live = slices.DeleteFunc(slices.Clone(all), func(c *connection) bool { return !c.lives() })
	h.mu.Unlock()
	for _, c := range all {
		if !c.lives() {
			c.end()
		}
	}
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
			err = unreachable(reason.HostRefused, "host", h.name)
			return nil, h.hold(err)
		case denied && said.Secret:
			err = unreachable(reason.HostWrong, "host", h.name)
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
			return unreachable(reason.HostSilent, "host", c.host, "time", patience.String())
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

var (
	errNoConnection = errors.New("no connection")
	errRefused      = errors.New("refused")
)
