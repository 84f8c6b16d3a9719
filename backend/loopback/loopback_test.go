package loopback_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/loopback"
	"beckon/tests/loopbacktest"
	"beckon/tests/timeout"
)

func TestOnlyLoopbackAddressesAreListenedOn(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{
		"", ":0", "0.0.0.0:0", "[::]:0", "[::ffff:0.0.0.0]:0", "[::ffff:127.0.0.1]:0", "192.168.0.10:0", "10.0.0.1:0",
		"169.254.1.1:0", "[fe80::1%lo]:0", "[::1%lo]:0", "example.com:0", "localhost.:0", "LOCALHOST:0", "127.1:0", "127.0.0.2:0",
		"127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:-1", "127.0.0.1:65536", "127.0.0.1:0x50", "::1:0", "*:0", "unix:/x",
	} {
		if l, err := loopback.Listen(addr); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%q: %v, want %v", addr, err, beckon.ErrInvalid)
			if l != nil {
				l.Close()
			}
		}
	}
}

func TestLoopbackAddressesAreListenedOnAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"127.0.0.1:0", "localhost:0", "[::1]:0"} {
		l, err := loopback.Listen(addr)
		if err != nil {
			if strings.HasPrefix(addr, "[") {
				t.Logf("this machine has no IPv6: %v", err)
				continue
			}
			t.Fatal(err)
		}
		defer l.Close()
		at := l.Addr().(*net.TCPAddr)
		if !at.IP.IsLoopback() || at.Port == 0 {
			t.Errorf("%s listens on %v", addr, at)
		}
		for _, ip := range otherAddresses(t) {
			conn, err := net.DialTimeout("tcp", net.JoinHostPort(ip, fmt.Sprint(at.Port)), time.Second)
			if err == nil {
				conn.Close()
				t.Errorf("%s can be reached at %s", addr, ip)
			}
		}
	}
}

// otherAddresses lists this machine's addresses that others can reach.
func otherAddresses(t *testing.T) []string {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			list = append(list, n.IP.String())
		}
	}
	return list
}

// echo replies with the length of the body that it was given.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		loopback.WriteError(w, http.StatusInternalServerError, "internal", err.Error())
		return
	}
	fmt.Fprint(w, len(body))
})

// serve runs h until the test ends, and returns its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	l, err := loopback.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := loopback.NewServer(h)
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		<-done
	})
	return l.Addr().String()
}

func checked() http.Handler {
	return loopback.Middleware(loopback.Body(echo, loopback.Options{}), loopback.Options{})
}

func TestForeignPagesReachNothing(t *testing.T) {
	t.Parallel()
	loopbacktest.Server{
		URL:       "http://" + serve(t, checked()),
		Authorize: func(*http.Request) {},
		Routes:    []string{"GET /", "POST /rpc/X", "DELETE /mcp", "GET /health"},
		Body:      `[]`,
	}.Attacks(t)
}

// A tunnel leads to the server by one name, and by no other.
func TestForeignPagesReachNothingThroughATunnel(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"https://studio-pc.tail1234.ts.net", "https://beckon.example:8443"} {
		o := loopback.Options{Origin: origin}
		loopbacktest.Server{
			URL:       "http://" + serve(t, loopback.Middleware(loopback.Body(echo, o), o)),
			Origin:    origin,
			Authorize: func(*http.Request) {},
			Routes:    []string{"GET /", "POST /api/x", "DELETE /api/x"},
			Body:      `[]`,
		}.Attacks(t)
	}
}

func TestAPublicServerHasNoNameOfThisMachine(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]struct {
		loopback.Options
		status string
	}{
		"behind a tunnel":          {loopback.Options{Origin: "https://phone.test"}, "200"},
		"with its own certificate": {loopback.Options{Origin: "https://phone.test", Public: true}, "421"},
		"without a name":           {loopback.Options{Public: true}, "421"},
	} {
		addr := serve(t, loopback.Middleware(echo, o.Options))
		if got := raw(t, addr, "GET / HTTP/1.1\r\nHost: "+addr+"\r\n\r\n"); !strings.Contains(got, o.status) {
			t.Errorf("%s: %q, want %s", name, got, o.status)
		}
	}
}

func TestALinkOnAnotherSiteLeadsToThePageWhereThatIsAllowed(t *testing.T) {
	t.Parallel()
	linked, closed := serve(t, loopback.Middleware(echo, loopback.Options{Linked: true})), serve(t, checked())
	for name, c := range map[string]struct{ addr, request, headers, status string }{
		"allowed":            {linked, "GET / HTTP/1.1", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n", "200"},
		"not allowed":        {closed, "GET / HTTP/1.1", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n", "403"},
		"another path":       {linked, "GET /api/me HTTP/1.1", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n", "403"},
		"with a query":       {linked, "GET /?x HTTP/1.1", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n", "403"},
		"a form":             {linked, "POST / HTTP/1.1", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nContent-Length: 0\r\n", "403"},
		"a frame":            {linked, "GET / HTTP/1.1", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n", "403"},
		"a script's request": {linked, "GET / HTTP/1.1", "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: empty\r\n", "403"},
	} {
		if got := raw(t, c.addr, c.request+"\r\nHost: "+c.addr+"\r\nSec-Fetch-Site: cross-site\r\n"+c.headers+"\r\n"); !strings.Contains(got, c.status) {
			t.Errorf("%s: %q, want %s", name, got, c.status)
		}
	}
}

// Requests that Go's own client would not send.
func TestRawRequestsWithTwoMindsAboutTheHostAreRefused(t *testing.T) {
	t.Parallel()
	addr := serve(t, checked())
	for name, c := range map[string]struct{ request, status string }{
		"honest":        {"GET / HTTP/1.1\r\nHost: " + addr + "\r\n\r\n", "200"},
		"ours, by name": {"GET / HTTP/1.1\r\nHost: localhost" + addr[strings.Index(addr, ":"):] + "\r\n\r\n", "200"},
		"absolute":      {"GET http://evil.test/ HTTP/1.1\r\nHost: " + addr + "\r\n\r\n", "421"},
		"twice":         {"GET / HTTP/1.1\r\nHost: " + addr + "\r\nHost: evil.test\r\n\r\n", "400"},
		"none":          {"GET / HTTP/1.1\r\n\r\n", "400"},
		"empty":         {"GET / HTTP/1.1\r\nHost:\r\n\r\n", "421"},
		"old":           {"GET / HTTP/1.0\r\n\r\n", "421"},
		"connect":       {"CONNECT evil.test:443 HTTP/1.1\r\nHost: " + addr + "\r\n\r\n", "421"},
		"long header":   {"GET / HTTP/1.1\r\nHost: " + addr + "\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", "431"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := raw(t, addr, c.request); !strings.HasPrefix(got, "HTTP/1.1 "+c.status) && !strings.HasPrefix(got, "HTTP/1.0 "+c.status) {
				t.Errorf("got %q, want %s", got, c.status)
			}
		})
	}
}

// raw sends text and returns the reply's first line.
func raw(t *testing.T, addr, text string) string {
	t.Helper()
	conn := dial(t, addr)
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := net.DialTimeout("tcp", addr, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(timeout.For(20 * time.Second)))
	return conn
}

// A middleware that is asked outside a real connection must not guess its names.
func TestNothingIsServedWithoutALoopbackConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		status := piped(t, checked(), "GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n")
		if !strings.Contains(status, "421") {
			t.Errorf("got %q, want 421", status)
		}
	})
}

func TestEachRefusalIsCountedOnce(t *testing.T) {
	t.Parallel()
	var refused atomic.Int64
	o := loopback.Options{MaxBody: 9, Refused: func() { refused.Add(1) }}
	addr := serve(t, loopback.Middleware(loopback.Body(echo, o), o))
	post := "POST / HTTP/1.1\r\nHost: " + addr + "\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]struct {
		request, status string
		counts          int64
	}{
		"honest":         {post + "Content-Length: 2\r\n\r\n[]", "200", 0},
		"a foreign host": {"GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n", "421", 1},
		"another site":   {post + "Origin: http://evil.test\r\nContent-Length: 2\r\n\r\n[]", "403", 1},
		"a preflight":    {"OPTIONS / HTTP/1.1\r\nHost: " + addr + "\r\n\r\n", "403", 1},
		"a form":         {"POST / HTTP/1.1\r\nHost: " + addr + "\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n[]", "415", 1},
		"a long body":    {post + "Content-Length: 10\r\n\r\n[       ]x", "413", 1},
	} {
		before := refused.Load()
		if got := raw(t, addr, c.request); !strings.Contains(got, c.status) || refused.Load()-before != c.counts {
			t.Errorf("%s: %d counted of %q, want %d of %s", name, refused.Load()-before, got, c.counts, c.status)
		}
	}
}

// Whose network breaks off has tried nothing.
func TestABodyThatBreaksOffIsNoAttempt(t *testing.T) {
	t.Parallel()
	var refused atomic.Int64
	o, over := loopback.Options{Refused: func() { refused.Add(1) }}, make(chan struct{})
	body := loopback.Body(echo, o)
	addr := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(over)
		body.ServeHTTP(w, r)
	}))
	conn := dial(t, addr)
	if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n["); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	select {
	case <-over:
	case <-time.After(timeout.For(30 * time.Second)):
		t.Fatal("it waits for the rest")
	}
	if n := refused.Load(); n != 0 {
		t.Errorf("%d counted", n)
	}
}

func TestABodyThatDribblesIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		status := piped(t, loopback.Body(echo, loopback.Options{}), "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n[")
		if !strings.Contains(status, "408") || time.Since(began) > time.Minute {
			t.Errorf("got %q after %v, want 408 within a minute", status, time.Since(began))
		}
	})
}

func TestAHeaderThatDribblesIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		piped(t, echo, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
		if time.Since(began) > time.Minute {
			t.Errorf("the connection lived for %v", time.Since(began))
		}
	})
}

// piped serves one connection in memory, so that time is the bubble's, and
// returns the reply's first line, empty where there is none.
func piped(t *testing.T, h http.Handler, text string) string {
	t.Helper()
	client, server := net.Pipe()
	l := &oneConn{conns: make(chan net.Conn, 1), closed: make(chan struct{})}
	l.conns <- server
	s := loopback.NewServer(h)
	go s.Serve(l)
	go io.WriteString(client, text)
	line, _ := bufio.NewReader(client).ReadString('\n')
	client.Close()
	s.Close()
	synctest.Wait()
	return line
}

// oneConn is a listener in memory.
type oneConn struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *oneConn) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *oneConn) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *oneConn) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func TestAThousandStuckConnectionsStallNobody(t *testing.T) {
	t.Parallel()
	addr := serve(t, checked())
	for i := range 1000 {
		conn := dial(t, addr)
		text := "GET / HTTP/1.1\r\nHost: " + addr + "\r\nX-Slow: "
		if i%2 == 0 {
			text = "POST / HTTP/1.1\r\nHost: " + addr + "\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n["
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		began := time.Now()
		if got := raw(t, addr, "GET / HTTP/1.1\r\nHost: "+addr+"\r\n\r\n"); !strings.Contains(got, "200") {
			t.Fatalf("got %q", got)
		}
		if took := time.Since(began); took > timeout.For(2*time.Second) {
			t.Errorf("an honest request took %v", took)
		}
	}
}

// Who quits Beckon does not wait for a peer that says nothing.
func TestShutdownWaitsForNoHalfRequest(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":          "",
		"half a header":    "GET / HTTP/1.1\r\nHost: ADDR\r\nX-Slow: ",
		"half a body":      "POST / HTTP/1.1\r\nHost: ADDR\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[",
		"a second, halved": "GET / HTTP/1.1\r\nHost: ADDR\r\n\r\nGET / HTTP/1.1\r\nX-Slow: ",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := loopback.Listen("127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			reading := make(chan struct{})
			s := loopback.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					close(reading)
				}
				checked().ServeHTTP(w, r)
			}))
			accepted := make(chan struct{}, 1)
			note := s.ConnState
			s.ConnState = func(c net.Conn, state http.ConnState) {
				note(c, state)
				if state == http.StateNew {
					accepted <- struct{}{}
				}
			}
			done := make(chan error, 1)
			go func() { done <- s.Serve(l) }()
			conn := dial(t, l.Addr().String())
			if _, err := io.WriteString(conn, strings.ReplaceAll(text, "ADDR", l.Addr().String())); err != nil {
				t.Fatal(err)
			}
			<-accepted
			if strings.HasPrefix(text, "POST") {
				<-reading
			}
			ctx, cancel := context.WithTimeout(t.Context(), timeout.For(20*time.Second))
			defer cancel()
			began := time.Now()
			if err := s.Shutdown(ctx); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > timeout.For(3*time.Second) {
				t.Errorf("shutting down took %v", took)
			}
			<-done
		})
	}
}

func TestDeepJSONIsRefusedAndDeepTextIsNot(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", loopback.MaxDepth)
	for text, ok := range map[string]bool{
		"": true, `{"a":[1,{"b":[]}]}`: true, deep: true, deep + "[": false,
		`"` + deep + `[[["`: true, `"\"` + deep + `[[["`: true, `"\\"` + deep + "[": false,
		strings.Repeat("[]", 1000): true, strings.Repeat("{", 100_000): false,
	} {
		if err := loopback.CheckDepth([]byte(text)); (err == nil) != ok {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}
