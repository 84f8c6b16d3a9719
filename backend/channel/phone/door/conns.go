package door

import (
	"net"
	"net/http"
	"sync"
	"time"

	"beckon/backend/loopback"
)

// Bound lets a server have so many connections at once.
func Bound(server *loopback.Server, most int) {
	note, counted := server.ConnState, newConns(most)
	server.ConnState = func(c net.Conn, state http.ConnState) {
		note(c, state)
		counted.note(c, state)
	}
}

// conns bounds the connections of a listener. Where there are too many, one makes room
// that asks nothing at that moment, the longest silent first; where all ask, the
// newest does.
type conns struct {
	most  int
	mu    sync.Mutex
	busy  map[net.Conn]struct{}
	quiet map[net.Conn]time.Time // since when
}

func newConns(most int) *conns {
	return &conns{most: most, busy: map[net.Conn]struct{}{}, quiet: map[net.Conn]time.Time{}}
}

// note follows a connection, as http.Server.ConnState.
func (c *conns) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.busy, conn)
	delete(c.quiet, conn)
	switch state {
	case http.StateNew:
		if len(c.busy)+len(c.quiet) >= c.most && !c.makeRoom() {
			_ = conn.Close()
			return
		}
		c.quiet[conn] = time.Now()
	case http.StateIdle:
		c.quiet[conn] = time.Now()
	case http.StateActive:
		c.busy[conn] = struct{}{}
	case http.StateHijacked, http.StateClosed:
	}
}

// makeRoom ends the connection that was silent for the longest; mu is held.
func (c *conns) makeRoom() bool {
	var oldest net.Conn
	for conn, since := range c.quiet {
		if oldest == nil || since.Before(c.quiet[oldest]) {
			oldest = conn
		}
	}
	if oldest == nil {
		return false
	}
	delete(c.quiet, oldest)
	_ = oldest.Close()
	return true
}
