// Package loopbacktest attacks a server as a hostile web page, a rebound name
// or a flood would. Each server of Beckon that listens on loopback passes the
// same cases.
//
// The attacks carry valid credentials, since a browser would add them: only
// what is wrong with the request itself may stop it.
package loopbacktest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"beckon/tests/timeout"
)

// patience is how long any single reply may take.
var patience = timeout.For(20 * time.Second)

// Server is what is attacked.
type Server struct {
	URL string // http://127.0.0.1:PORT, without a path
	// Origin is the public one that the requests come by; empty: they come by URL.
	Origin string
	// TLS is how a client trusts a server whose URL is of https.
	TLS *tls.Config
	// Authorize adds valid credentials to a request.
	Authorize func(*http.Request)
	// Routes are the requests that it serves, each as "METHOD /path". Those
	// with POST are sent Body.
	Routes []string
	Body   string
	// MaxBody is how many bytes of one it takes; 0: loopback's own limit.
	MaxBody int
}

// attack is a way to spoil an honest request, and the reply it deserves.
type attack struct {
	name   string
	spoil  func(*http.Request)
	status int
}

// Attacks runs every attack against every route. Each route must also serve
// the honest request, so that the refusals prove something.
func (s Server) Attacks(t *testing.T) {
	t.Helper()
	for _, route := range s.Routes {
		t.Run(route, func(t *testing.T) {
			switch got := s.do(t, s.request(t, route)); got.status {
			case 400, 401, 403, 404, 405, 413, 415, 421, 500:
				t.Fatalf("the honest request: status %d, %s", got.status, got.body)
			}
			for _, a := range s.attacks(strings.HasPrefix(route, "POST")) {
				t.Run(a.name, func(t *testing.T) {
					r := s.request(t, route)
					a.spoil(r)
					if got := s.do(t, r); got.status != a.status {
						t.Errorf("status %d, want %d: %s", got.status, a.status, got.body)
					}
				})
			}
		})
	}
}

func (s Server) attacks(post bool) []attack {
	list := append(hostAttacks(s.port()), originAttacks(s.origin())...)
	list = append(list, s.forwardAttacks()...)
	list = append(list, preflight())
	if s.Origin != "" {
		list = append(list, s.publicAttacks()...)
	}
	if post {
		list = append(list, bodyAttacks(cmp.Or(s.MaxBody, 1<<20))...)
	}
	return list
}

func (s Server) port() string { return s.URL[strings.LastIndex(s.URL, ":")+1:] }

// origin is that of the server's own pages, as these requests come to it.
func (s Server) origin() string { return cmp.Or(s.Origin, s.URL) }

// host is the name that the requests have for the server.
func (s Server) host() string {
	_, host, _ := strings.Cut(s.origin(), "://")
	return host
}

// forwardAttacks say in the headers of tunnels what is not so.
func (s Server) forwardAttacks() []attack {
	forward := func(r *http.Request) {
		host := s.host()
		for _, name := range []string{"X-Forwarded-Host", "X-Forwarded-Server", "X-Original-Host", "X-Host", "X-HTTP-Host-Override"} {
			r.Header.Set(name, host)
		}
		r.Header.Set("Forwarded", "for=127.0.0.1;host="+host+";proto=https")
		r.Header.Set("X-Forwarded-Proto", "https")
		r.Header.Set("X-Forwarded-For", "127.0.0.1")
		r.Header.Set("X-Real-IP", "127.0.0.1")
		r.Header.Set("Tailscale-User-Login", "owner@example.com")
	}
	return []attack{
		{"another host, forwarded as ours", func(r *http.Request) { r.Host = "evil.test"; forward(r) }, 421},
		{"another origin, forwarded as ours", func(r *http.Request) {
			forward(r)
			r.Header.Set("Origin", "https://evil.test")
		}, 403},
	}
}

// publicAttacks play with the name by which a tunnel leads here.
func (s Server) publicAttacks() []attack {
	host, list := s.host(), []attack{}
	name, _, _ := strings.Cut(host, ":")
	for _, host := range []string{
		host + ".evil.test", "evil." + host, name + ".", strings.ToUpper(host), name + ":1", name + ":" + s.port(), name + ":443", "user@" + host, host + "0",
	} {
		list = append(list, attack{"host " + host, func(r *http.Request) { r.Host = host }, 421})
	}
	return append(list,
		attack{"our address at this machine as the origin", func(r *http.Request) { r.Header.Set("Origin", s.URL) }, 403},
		attack{"the name of another tunnel", func(r *http.Request) {
			r.Host = "other.tail1234.ts.net"
			r.Header.Set("Origin", "https://other.tail1234.ts.net")
		}, 421})
}

func hostAttacks(port string) []attack {
	hosts := []string{
		"evil.test:" + port, "evil.test", "127.0.0.1.evil.test:" + port, "localhost.evil.test:" + port,
		"127.0.0.1", "localhost", "[::1]", "127.0.0.1:1", "127.0.0.1:" + port + "0", "localhost:",
		"0.0.0.0:" + port, "[::]:" + port, "[::ffff:127.0.0.1]:" + port, "[::ffff:7f00:1]:" + port,
		"localhost.:" + port, "127.0.0.1.:" + port, "LOCALHOST:" + port, "LocalHost:" + port,
		"127.1:" + port, "2130706433:" + port, "0x7f.0.0.1:" + port, "0177.0.0.1:" + port, "127.0.0.2:" + port,
		"192.168.0.10:" + port, "beckon.localhost:" + port, "user@127.0.0.1:" + port,
	}
	list := make([]attack, 0, 2*len(hosts))
	for _, host := range hosts {
		list = append(list,
			attack{"host " + host, func(r *http.Request) { r.Host = host }, 421},
			attack{"host and origin " + host, func(r *http.Request) {
				r.Host = host
				r.Header.Set("Origin", "http://"+host)
			}, 421})
	}
	return list
}

func originAttacks(url string) []attack {
	list := []attack{}
	for _, origin := range []string{
		"null", "", "file://", "wails://wails", "wails://wails.localhost:34115", "http://evil.test", "https://evil.test",
		"http://127.0.0.1", "http://127.0.0.1:1", "http://localhost:3000", url + ".evil.test", url + "/", strings.ToUpper(url),
		strings.Replace(url, "http:", "https:", 1), strings.Replace(url, "https:", "http:", 1), strings.Replace(url, "127.0.0.1", "localhost", 1),
		"chrome-extension://abcdefghijklmnop", "vscode-webview://x", url + " http://evil.test",
	} {
		if origin == url {
			continue // what is replaced is not in it
		}
		list = append(list, attack{"origin " + origin, func(r *http.Request) { r.Header["Origin"] = []string{origin} }, 403})
	}
	for _, site := range []string{"cross-site", "same-site", "SAME-ORIGIN", "unheard-of"} {
		list = append(list, attack{"sec-fetch-site " + site, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", site) }, 403})
	}
	return append(list,
		attack{"a link in a frame of another site", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, 403},
		attack{"two origins", func(r *http.Request) { r.Header["Origin"] = []string{url, "http://evil.test"} }, 403},
		attack{"upgrade from a foreign page", func(r *http.Request) {
			r.Header.Set("Connection", "Upgrade")
			r.Header.Set("Upgrade", "websocket")
			r.Header.Set("Sec-WebSocket-Version", "13")
			r.Header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
			r.Header.Set("Origin", "http://evil.test")
		}, 403})
}

func preflight() attack {
	return attack{"preflight", func(r *http.Request) {
		r.Method = http.MethodOptions
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Private-Network", "true")
	}, 403}
}

func bodyAttacks(most int) []attack {
	list := []attack{}
	for _, kind := range []string{
		"", "text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
		"application/json+x", "text/json", "application/json; charset=utf-7", "application/json, text/plain", "*/*",
	} {
		list = append(list, attack{"content type " + kind, func(r *http.Request) { r.Header["Content-Type"] = []string{kind} }, 415})
	}
	return append(list,
		attack{"no content type", func(r *http.Request) { r.Header.Del("Content-Type") }, 415},
		attack{"two content types", func(r *http.Request) { r.Header.Add("Content-Type", "text/plain") }, 415},
		attack{"long body", func(r *http.Request) { setBody(r, long(), true) }, 413},
		attack{"long body of unknown length", func(r *http.Request) { setBody(r, long(), false) }, 413},
		attack{"nested body", func(r *http.Request) { setBody(r, []byte(strings.Repeat("[", most/10)), true) }, 400},
		attack{"nested objects", func(r *http.Request) { setBody(r, []byte(strings.Repeat(`{"a":`, most/10)), true) }, 400})
}

func long() []byte { return bytes.Repeat([]byte(" "), 1<<20+1) }

func setBody(r *http.Request, body []byte, declared bool) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), -1
	if declared {
		r.ContentLength = int64(len(body))
	}
}

// Strangers sends every route with credentials that are none, blank, cut,
// lengthened or made up, and wants 401. spoil is called with each of them; it
// makes a bad credential of a good one.
func (s Server) Strangers(t *testing.T, bad map[string]func(*http.Request)) {
	t.Helper()
	for _, route := range s.Routes {
		for name, spoil := range bad {
			t.Run(route+" "+name, func(t *testing.T) {
				r := s.request(t, route)
				spoil(r)
				if got := s.do(t, r); got.status != http.StatusUnauthorized {
					t.Errorf("status %d, want 401: %s", got.status, got.body)
				}
			})
		}
	}
}

func (s Server) request(t *testing.T, route string) *http.Request {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		setBody(r, []byte(s.Body), true)
		r.Header.Set("Content-Type", "application/json")
	}
	if s.Origin != "" {
		r.Host = s.host()
		r.Header.Set("Origin", s.Origin)
	}
	s.Authorize(r)
	return r
}

type reply struct {
	status int
	body   string
}

// do sends r on a connection of its own and checks what every reply must be.
func (s Server) do(t *testing.T, r *http.Request) reply {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: s.TLS}
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body := []byte{}
	if res.Header.Get("Content-Type") != "text/event-stream" { // which has no end
		body, _ = io.ReadAll(io.LimitReader(res.Body, 4<<10))
	}
	for name := range res.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the reply has %s: %s", name, res.Header.Get(name))
		}
	}
	if res.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Error("the reply lets the browser guess its type")
	}
	return reply{res.StatusCode, string(body)}
}
