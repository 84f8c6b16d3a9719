package door

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"beckon/backend/loopback"
)

// Bound lets a server answer so many requests of those who are known at once, and have so
// many connections besides. Its handler calls Known.
func Bound(server *loopback.Server, known, others int) {
	note, counted := server.ConnState, newConns(known, others)
	server.ConnState = func(c net.Conn, state http.ConnState) {
		note(c, state)
		counted.note(c, state)
	}
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, func() bool { return counted.known(c) })
	}
}

type connKey struct{}

// Known says that a request, of which ctx is, comes from somebody who is known: no
// stranger takes the place of its connection until it is answered. It reports false where
// too many such requests are at work.
func Known(ctx context.Context) bool {
	note, bound := ctx.Value(connKey{}).(func() bool)
	return !bound || note()
}

// conns bounds the connections of a listener. Where too many are silent, or have requests
// of strangers, the oldest of them makes room for the next.
type conns struct {
	mostKnown, mostOthers int

	mu     sync.Mutex
	busy   map[net.Conn]struct{}  // with a request of somebody who is known
	others map[net.Conn]time.Time // since when they are silent, or ask as strangers
}

func newConns(known, others int) *conns {
	return &conns{mostKnown: known, mostOthers: others, busy: map[net.Conn]struct{}{}, others: map[net.Conn]time.Time{}}
}

// note follows a connection, as http.Server.ConnState.
func (c *conns) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	since, there := c.others[conn]
	delete(c.busy, conn)
	delete(c.others, conn)
	switch state {
	case http.StateNew:
		if len(c.others) >= c.mostOthers {
			c.makeRoom()
		}
		c.others[conn] = time.Now()
	case http.StateIdle:
		c.others[conn] = time.Now()
	case http.StateActive:
		if !there { // who sent a header has waited no less for that
			since = time.Now()
		}
		c.others[conn] = since
	case http.StateHijacked, http.StateClosed:
	}
}

// known keeps a connection until its request is answered, unless too many are kept.
func (c *conns) known(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, there := c.others[conn] // else it was ended
	if !there || len(c.busy) >= c.mostKnown {
		return false
	}
	delete(c.others, conn)
	c.busy[conn] = struct{}{}
	return true
}

// makeRoom ends the oldest connection of nobody who is known; mu is held.
func (c *conns) makeRoom() {
	var oldest net.Conn
	for conn, since := range c.others {
		if oldest == nil || since.Before(c.others[oldest]) {
			oldest = conn
		}
	}
	delete(c.others, oldest)
	_ = oldest.Close()
}
