package tunnel

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"beckon/tests/timeout"
)

// opened joins both ends over a pipe, as an agent has them, until the test ends.
func opened(t *testing.T, hosts Hosts) (proxy *url.URL, cut func()) {
	t.Helper()
	inside, outside := net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ready, over := make(chan struct{}), make(chan error, 2)
	go func() { over <- Command(inside, inside) }()
	go func() { over <- hosts.Serve(ctx, outside, func() { close(ready) }) }()
	cut = func() {
		cancel()
		_, _ = inside.Close(), outside.Close()
		for range 2 {
			select {
			case <-over:
			case <-time.After(timeout.For(30 * time.Second)):
				t.Error("an end goes on without a link")
			}
		}
	}
	select {
	case <-ready:
	case <-time.After(timeout.For(30 * time.Second)):
		t.Fatal("no end answers")
	}
	return &url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", Port)}, cut
}

// TestATunnelLeadsToItsHostsOnly, by requests and by connections, and what comes bit by bit
// arrives so.
func TestATunnelLeadsToItsHostsOnly(t *testing.T) {
	next := make(chan struct{})
	serve := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "one\n")
		_ = http.NewResponseController(w).Flush()
		<-next
		_, _ = io.WriteString(w, "two\n")
	})
	plain, secret := httptest.NewServer(serve), httptest.NewTLSServer(serve)
	defer plain.Close()
	defer secret.Close()
	other := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another host was reached") }))
	defer other.Close()
	proxy, cut := opened(t, append(Claude(plain.URL), strings.TrimPrefix(secret.URL, "https://")))
	defer cut()
	client := secret.Client()
	client.Timeout = time.Minute
	client.Transport.(*http.Transport).Proxy = http.ProxyURL(proxy)
	for _, address := range []string{plain.URL, secret.URL} {
		answer, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(answer.Body)
		if line, err := r.ReadString('\n'); line != "one\n" {
			t.Errorf("%q, %v", line, err)
		}
		next <- struct{}{}
		if rest, err := io.ReadAll(r); string(rest) != "two\n" {
			t.Errorf("%q, %v", rest, err)
		}
		answer.Body.Close()
	}
	if answer, err := client.Get(other.URL); err == nil {
		t.Errorf("another host answered: %s", answer.Status)
		answer.Body.Close()
	}
	if answer, err := client.Get("http://127.0.0.1:1/"); err != nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("%+v, %v", answer, err)
	} else {
		answer.Body.Close()
	}
}

// TestATunnelHoldsTLSToTheNameOfItsHost: behind the address of a host there may be others. An
// address has no name.
func TestATunnelHoldsTLSToTheNameOfItsHost(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	defer server.Close()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	named, address := "localhost:"+port, "127.0.0.1:"+port
	proxy, cut := opened(t, Hosts{named, address})
	defer cut()
	for _, c := range []struct {
		host, name string
		plain, let bool
	}{
		{host: named, name: "localhost", let: true},
		{host: named, name: "exfil.example"},
		{host: named, name: ""},
		{host: address, name: "", let: true},
		{host: address, name: "exfil.example"},
		{host: named, plain: true}, // the server wants TLS
	} {
		conn, err := net.Dial("tcp", proxy.Host)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(timeout.For(20 * time.Second)))
		_, _ = fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", c.host, c.host)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%+v: %v", c, err)
		}
		to := conn
		if !c.plain {
			to = tls.Client(conn, &tls.Config{ServerName: c.name, InsecureSkipVerify: true})
		}
		_, err = io.WriteString(to, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		said, _ := io.ReadAll(to)
		if let := err == nil && strings.Contains(string(said), "here"); let != c.let {
			t.Errorf("%+v: %q, %v", c, said, err)
		}
		_ = conn.Close()
	}
}

// TestOnlyTLSIsSpokenToThePortOfHTTPS, and to another port what its host speaks, all of it.
func TestOnlyTLSIsSpokenToThePortOfHTTPS(t *testing.T) {
	t.Parallel()
	for at, let := range map[string]bool{"api.anthropic.com:443": false, "127.0.0.1:8080": true} {
		inside, outside := net.Pipe()
		go func() { _, _ = io.WriteString(inside, "GET / HTTP/1.1\r\n\r\n") }()
		read, err := hello(t.Context(), outside, at)
		if (err == nil) != let || !strings.HasPrefix("GET /", string(read[:1])) {
			t.Errorf("%s: %q, %v", at, read, err)
		}
		_, _ = inside.Close(), outside.Close()
	}
}

func TestTheHostsOfClaude(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{"": "", "https://gateway.acme.com/v1": "gateway.acme.com:443", "http://127.0.0.1:8080": "127.0.0.1:8080", "http://proxy": "proxy:80", "::": ""} {
		hosts := Claude(base)
		if got := strings.Join(hosts[4:], ""); got != want {
			t.Errorf("%q leads to %q, want %q", base, got, want)
		}
	}
}
