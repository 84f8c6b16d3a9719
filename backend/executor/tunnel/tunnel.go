// Package tunnel lets an agent that has no network reach a few hosts through Beckon: a
// proxy for HTTP on its loopback, whose connections go over the link to where Beckon is.
// Which hosts there are is decided here, and nothing is decided in there.
package tunnel

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/yamux"
	"golang.org/x/net/netutil"
)

// Port is where the proxy is, on the loopback of where the agent is.
const Port = 8118

const (
	// dialIn is how long a host may take to answer a connection.
	dialIn = 20 * time.Second
	// headIn is how long a request's head may take, and headMost its size.
	headIn   = 30 * time.Second
	headMost = 64 << 10
	// connectionsMost is how many connections there may be at once: a hostile agent opens
	// as many as it can.
	connectionsMost = 64
)

// Environ are the variables by which programs find the proxy.
func Environ() (env []string) {
	at := "http://127.0.0.1:" + strconv.Itoa(Port)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		env = append(env, name+"="+at)
	}
	return append(env, "NO_PROXY=", "no_proxy=")
}

// Command is the end in there, `beckon shim tunnel`: it takes connections until the link
// ends.
func Command(stdin io.Reader, stdout io.Writer) error {
	listener, err := listen()
	if err != nil {
		return err
	}
	session, err := yamux.Client(struct {
		io.Reader
		io.Writer
		io.Closer
	}{stdin, stdout, listener}, config())
	if err != nil {
		return err
	}
	go func() {
		<-session.CloseChan()
		_ = listener.Close() // which ends what follows
	}()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return nil //nolint:nilerr // the link ended
		}
		stream, err := session.Open()
		if err != nil {
			_ = conn.Close()
			continue
		}
		go join(conn, stream)
	}
}

// listen waits for an earlier end to go, whose link broke without a word.
func listen() (listener net.Listener, err error) {
	for end := time.Now().Add(4 * silence); ; time.Sleep(silence / 20) {
		listener, err = new(net.ListenConfig).Listen(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(Port)))
		if err == nil || time.Now().After(end) {
			return listener, err
		}
	}
}

// silence is how long nothing may come over a link.
const silence = 10 * time.Second

func config() *yamux.Config {
	c := yamux.DefaultConfig()
	c.LogOutput, c.KeepAliveInterval, c.ConnectionWriteTimeout = io.Discard, silence/2, silence
	return c
}

// halfCloser is a connection that can say that nothing more is sent.
type halfCloser interface{ CloseWrite() error }

// join carries what two connections say to each other until both said all.
func join(a, b io.ReadWriteCloser) {
	done := make(chan struct{}, 2)
	carry := func(to, from io.ReadWriteCloser) {
		_, _ = io.Copy(to, from)
		if half, is := to.(halfCloser); is {
			_ = half.CloseWrite()
		} else {
			_ = to.Close() // a stream's Close says no more than that
		}
		done <- struct{}{}
	}
	go carry(a, b)
	go carry(b, a)
	<-done
	<-done
	_, _ = a.Close(), b.Close()
}

// Hosts are those that a tunnel leads to, each with its port.
type Hosts []string

// Claude are the hosts that claude needs, besides that of an address of its API that is
// another than the usual.
func Claude(baseURL string) Hosts {
	hosts := Hosts{"api.anthropic.com:443", "claude.ai:443", "platform.claude.com:443", "console.anthropic.com:443"}
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" {
		return hosts
	}
	return append(hosts, withPort(u.Host, u.Scheme))
}

func withPort(host, scheme string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	if scheme == "http" {
		return net.JoinHostPort(host, "80")
	}
	return net.JoinHostPort(host, "443")
}

// Serve is the end here: it carries out what is asked for over a link, until that ends or
// ctx does. ready is called when the other end takes connections.
func (h Hosts) Serve(ctx context.Context, link io.ReadWriteCloser, ready func()) error {
	session, err := yamux.Server(link, config())
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = session.Close() })()
	server := &http.Server{Handler: h.proxy(), ReadHeaderTimeout: headIn, MaxHeaderBytes: headMost, ErrorLog: log.New(io.Discard, "", 0)}
	defer func() { _ = server.Close() }()
	go func() {
		for ctx.Err() == nil && !session.IsClosed() {
			if _, err := session.Ping(); err == nil {
				ready()
				return
			}
		}
	}()
	err = server.Serve(netutil.LimitListener(session, connectionsMost))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (h Hosts) proxy() http.Handler {
	forward := &httputil.ReverseProxy{
		Rewrite:       func(*httputil.ProxyRequest) {}, // it names its host
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: dialIn}).DialContext},
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if r.Method != http.MethodConnect {
			host = withPort(r.URL.Host, r.URL.Scheme)
		}
		switch {
		case !slices.Contains(h, strings.ToLower(host)):
			http.Error(w, fmt.Sprintf("Beckon lets nothing from here reach %.200q: the executor's network is for Claude's API only.", host), http.StatusForbidden)
		case r.Method == http.MethodConnect:
			connect(r.Context(), w, host)
		default:
			forward.ServeHTTP(w, r)
		}
	})
}

// connect joins a request to the host that it wants.
func connect(ctx context.Context, w http.ResponseWriter, host string) {
	to, err := (&net.Dialer{Timeout: dialIn}).DialContext(ctx, "tcp", host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	conn, rest, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = to.Close()
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		_, _ = conn.Close(), to.Close()
		return
	}
	inside := buffered{conn, rest.Reader}
	begun, err := hello(ctx, inside, strings.ToLower(host))
	if err != nil {
		_, _ = conn.Close(), to.Close()
		slog.Warn("end a connection out of an executor", "err", err, "host", host)
		return
	}
	join(buffered{conn, io.MultiReader(bytes.NewReader(begun), rest.Reader)}, to)
}

// buffered is a connection of which something was read already.
type buffered struct {
	net.Conn
	r io.Reader
}

func (b buffered) Read(p []byte) (int, error) { return b.r.Read(p) }
