package phone

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"beckon/backend/assets"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/phone/door"
	"beckon/backend/loopback"
)

const (
	// mostAsk is how many requests of phones a listener answers at once, and mostOthers how
	// many connections it has that are silent, or of strangers.
	mostAsk, mostOthers = 32, 128
	// closeIn is how long requests that are at work may take to end.
	closeIn = 5 * time.Second
	// replyIn is how long a reply may take, its reader's network too. Streams have
	// their own limit.
	replyIn = time.Minute
)

// running is the server while it is on.
type running struct {
	addr, public string
	servers      []served
	over         sync.WaitGroup
}

// served is one listener.
type served struct {
	*loopback.Server
	listener net.Listener
	stop     context.CancelFunc // ends its streams
}

// trouble is what the user reads of why nothing is served.
type trouble struct {
	kind   remote.Trouble
	detail string
}

// listen takes the ports.
func (s *Server) listen(ctx context.Context, origin string, files assets.Files) (*running, trouble, error) {
	l, no, err := s.takePort(ctx)
	if err != nil {
		return nil, no, err
	}
	r := &running{addr: l.Addr().String()}
	o := loopback.Options{Origin: origin, MaxBody: mostBody, Linked: true, Refused: s.Refused}
	r.add(l, s.handler(files, o))
	if s.Public == "" {
		return r, trouble{}, nil
	}
	l, err = new(net.ListenConfig).Listen(ctx, "tcp", s.Public)
	if err != nil {
		r.close()
		return nil, trouble{remote.PortTaken, s.Public}, fmt.Errorf("listen on %s, as -public says: %w", s.Public, err)
	}
	r.public = l.Addr().String()
	l = tls.NewListener(l, &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return s.Certificate.Get(s.noteCertificate)
		},
	})
	o.Public = true
	r.add(l, s.handler(files, o))
	return r, trouble{}, nil
}

// noteCertificate says that a certificate that was replaced cannot be used, and nil
// once it can.
func (s *Server) noteCertificate(err error) {
	if err != nil {
		s.note(remote.Certificate, err.Error())
	} else if kind, _ := s.Trouble(); kind == remote.Certificate {
		s.note("", "")
	}
}

// ChosenPort returns the port to which the tunnel is to lead. At the first time it is
// chosen, and nothing listens there yet.
func (s *Server) ChosenPort(ctx context.Context) (int, error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	port, err := s.Port(ctx)
	if err != nil || port != 0 {
		return port, err
	}
	l, err := door.Choose(func(chosen int) error {
		port = chosen
		return s.SavePort(ctx, chosen)
	})
	if err != nil {
		return 0, err
	}
	return port, l.Close()
}

// takePort listens on the port that is remembered; at the first time on one that it
// chooses and remembers.
func (s *Server) takePort(ctx context.Context) (net.Listener, trouble, error) {
	port, err := s.Port(ctx)
	if err != nil {
		return nil, trouble{}, err
	}
	if port == 0 {
		l, err := door.Choose(func(port int) error { return s.SavePort(ctx, port) })
		return l, trouble{}, err
	}
	l, err := door.Local(port)
	if err != nil {
		number := strconv.Itoa(port)
		return nil, trouble{remote.PortTaken, number}, problem.New(problem.PhonePort,
			fmt.Errorf("another program listens on port %s, to which the tunnel of phones leads: %w: %w", number, err, beckon.ErrUnavailable), "port", number)
	}
	return l, trouble{}, nil
}

// add has h served on l.
func (r *running) add(l net.Listener, h http.Handler) {
	server := loopback.NewServer(h)
	base, stop := context.WithCancel(server.BaseContext(nil))
	server.BaseContext = func(net.Listener) context.Context { return base }
	// One request after another on a connection, so that those that are counted bound
	// the requests too.
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP1(true)
	server.WriteTimeout = replyIn
	server.ErrorLog = slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug)
	door.Bound(server, mostAsk, mostOthers)
	r.servers = append(r.servers, served{server, l, stop})
}

// serve begins to answer, and to forget phones that stay away.
func (r *running) serve(s *Server) {
	for _, one := range r.servers {
		r.over.Go(func() {
			if err := one.Serve(one.listener); !errors.Is(err, http.ErrServerClosed) {
				slog.Error("phones are not served any more", "err", err)
				s.note(remote.Unreachable, err.Error())
			}
		})
	}
	ctx := r.servers[0].BaseContext(nil)
	r.over.Go(func() { s.sweepIdle(ctx) })
}

// close ends all of it, and waits for that.
func (r *running) close() {
	for _, one := range r.servers {
		one.stop()
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeIn)
	defer cancel()
	for _, one := range r.servers {
		if err := one.Shutdown(ctx); err != nil {
			_ = one.Close()
		}
		_ = one.listener.Close() // where Serve never took it
	}
	r.over.Wait()
}
