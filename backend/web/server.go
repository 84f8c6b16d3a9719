// Package web is `beckon serve`: the same calls, frames and page as in the
// window, over loopback HTTP and WebSocket.
//
//	GET  /?token=…         once: exchanges the printed link for a cookie and a key
//	GET  /…                the page; wants the cookie
//	POST /rpc/<Method>     a JSON array of arguments in, the result out;
//	                       wants the cookie and the header Beckon-Key: KEY
//	GET  /events?client=…  WebSocket: frames as JSON text;
//	                       wants the cookie and the subprotocol beckon.KEY
//
// Errors are {"code","message"}. Every request passes loopback.Middleware first. The
// package knows no method by name: whatever the API exports is callable.
package web

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"

	"beckon/backend/assets"
	"beckon/backend/feed"
	"beckon/backend/loopback"
)

// Config is what a server is made of.
type Config struct {
	// Methods are the functions that the page may call, by their names. They are no
	// methods of a value that are found by reflection: a program that does that is
	// linked with every method of everything.
	Methods map[string]any
	Feed    *feed.Feed
	Assets  fs.FS // the built page, index.html at its root
	Log     *slog.Logger
}

// Server serves one API to the browsers of one user.
type Server struct {
	feed     *feed.Feed
	log      *slog.Logger
	methods  map[string]method
	assets   assets.Files
	links    tokenStore
	sessions sessions
	pieces   sync.Pool // of *pieces; see encode

	http     *loopback.Server
	stop     context.CancelFunc // ends what outlives its request: the sockets
	sockets  sync.WaitGroup
	listener net.Listener
	first    string
}

// New returns a server that does not listen yet. It panics when one of the
// methods cannot be called over the wire.
func New(c Config) (*Server, error) {
	files, err := assets.Read(c.Assets)
	if err != nil {
		return nil, err
	}
	s := &Server{
		feed: c.Feed, log: c.Log, methods: methodsOf(c.Methods), assets: files,
		sessions: sessions{idle: idleLife, total: totalLife},
	}
	s.http = loopback.NewServer(s.handler())
	base, stop := context.WithCancel(s.http.BaseContext(nil))
	s.stop = stop
	s.http.BaseContext = func(net.Listener) context.Context { return base }
	s.http.ErrorLog = slog.NewLogLogger(c.Log.Handler(), slog.LevelWarn)
	return s, nil
}

// handler is every check in its order: where the request comes from, who asks,
// what it carries.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /rpc/{method}", s.rpc)
	mux.HandleFunc("/rpc/", onlyPost)
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("/", s.page)
	o := loopback.Options{}
	return loopback.Middleware(assets.SecurityHeaders(s.admit(loopback.Body(mux, o))), o)
}

// Listen takes the address, which must be this machine's own; see
// loopback.Listen.
func (s *Server) Listen(addr string) error {
	l, err := loopback.Listen(addr)
	if err != nil {
		return err
	}
	s.listener = l
	s.first = s.NewURL()
	return nil
}

// Addr returns the address that it listens on, as 127.0.0.1:PORT.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// URL returns the first link, http://127.0.0.1:PORT/?token=…, which opens
// Beckon in one browser, once. Listen must have succeeded.
func (s *Server) URL() string { return s.first }

// NewURL returns another such link.
func (s *Server) NewURL() string {
	return "http://" + s.Addr() + "/?" + tokenParam + "=" + s.links.issue()
}

// Serve answers requests until Close, and then returns nil.
func (s *Server) Serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends the sockets, waits for the calls at work until ctx ends, and
// leaves nothing running.
func (s *Server) Close(ctx context.Context) error {
	s.stop()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	if s.listener != nil {
		_ = s.listener.Close() // where Serve never took it
	}
	s.sockets.Wait()
	return err
}

// admit lets those through who have a session, and opens one for an unused
// link. The page itself is no secret and needs the cookie only; whatever it
// does and sees needs the key too.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet && r.URL.Path == "/" && r.URL.Query().Has(tokenParam):
			s.exchange(w, r)
		case r.URL.Path == "/events":
			_, key := protocolOf(r)
			s.admitKey(w, r, key, next)
		case strings.HasPrefix(r.URL.Path, "/rpc/"):
			s.admitKey(w, r, r.Header.Get(keyHeader), next)
		case s.sessions.find(s.cookies(r)) == nil:
			writePage(w, http.StatusUnauthorized, strangerPage)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (s *Server) admitKey(w http.ResponseWriter, r *http.Request, key string, next http.Handler) {
	session := s.sessions.use(s.cookies(r), key)
	if session == nil {
		loopback.WriteError(w, http.StatusUnauthorized, "unauthorized",
			"This browser is not signed in. Open the link that beckon serve printed last.")
		return
	}
	next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), sessionKey{}, session)))
}
