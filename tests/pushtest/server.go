// Package pushtest plays a push service, and the browser of a phone that is subscribed
// there, for tests. It takes only what real services take, decrypts what it took, and
// fails the test over anything else.
package pushtest

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// host is what the service is called. Its client leads there, whatever the name.
const host = "push.example.com"

// mostBody is what services take, in bytes.
const mostBody = 4096

// Server is a push service.
type Server struct {
	t      testing.TB
	server *httptest.Server

	mu     sync.Mutex
	phones map[string]*Phone // by the path of their endpoint
}

// New returns a service that runs until the test is over.
func New(t testing.TB) *Server {
	s := &Server{t: t, phones: map[string]*Phone{}}
	s.server = httptest.NewTLSServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.server.Close)
	return s
}

// Client returns a client that reaches the service by its name, and nothing else. It
// follows no redirects.
func (s *Server) Client() *http.Client {
	to := s.server.Listener.Addr().String()
	return &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if !strings.HasPrefix(address, host+":") {
					return nil, fmt.Errorf("nobody is at %s", address)
				}
				return new(net.Dialer).DialContext(ctx, network, to)
			},
			TLSClientConfig:   &tls.Config{RootCAs: s.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}, //nolint:forcetypeassert // httptest's
			DisableKeepAlives: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// origin is whom a token is for.
const origin = "https://" + host

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	p := s.phones[r.URL.Path]
	s.mu.Unlock()
	if p == nil {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, mostBody+1))
	if err != nil || len(body) > mostBody {
		s.t.Errorf("a body of %d bytes, %v", len(body), err)
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err := authorized(r.Header.Get("Authorization"), p.application); err != nil {
		s.t.Errorf("the authorization: %v", err)
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	m, err := read(r, body, p)
	if err != nil {
		s.t.Errorf("a message that no service takes, or no phone reads: %v", err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.answer(w, m)
}
