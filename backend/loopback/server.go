package loopback

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Server gives slow and silent peers up, and does not wait for them when it
// shuts down. A reply may take as long as it likes: a question waits for a
// person.
type Server struct {
	http.Server

	leaving context.Context // ends when Shutdown begins
	leave   context.CancelFunc

	mu     sync.Mutex
	silent map[net.Conn]struct{} // connections without a whole header yet
}

// NewServer returns a server for h. A caller that sets another BaseContext
// derives it from what this one returns.
func NewServer(h http.Handler) *Server {
	s := &Server{silent: map[net.Conn]struct{}{}}
	s.leaving, s.leave = context.WithCancel(context.Background())
	s.Server = http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ConnState:         s.note,
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.Background(), leavingKey{}, s.leaving)
		},
	}
	return s
}

// Shutdown is http.Server's, without its five seconds of patience with
// connections that have not sent a header, and Body's with theirs.
func (s *Server) Shutdown(ctx context.Context) error {
	s.leave()
	s.mu.Lock()
	for conn := range s.silent {
		_ = conn.Close()
	}
	s.mu.Unlock()
	return s.Server.Shutdown(ctx)
}

// note keeps track of the connections that have not sent a header yet. One
// that is accepted while Shutdown begins is closed here.
func (s *Server) note(conn net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(s.silent, conn)
	case s.leaving.Err() != nil:
		_ = conn.Close()
	default:
		s.silent[conn] = struct{}{}
	}
}

type leavingKey struct{}

// leaving is the context that ends when the request's server shuts down.
func leaving(r *http.Request) context.Context {
	if ctx, ok := r.Context().Value(leavingKey{}).(context.Context); ok {
		return ctx
	}
	return context.Background() // a recorder in a test has no server
}
