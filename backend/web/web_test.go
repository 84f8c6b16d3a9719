package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/feed"
	"beckon/backend/web"
	"beckon/tests/client"
	"beckon/tests/loopbacktest"
	"beckon/tests/timeout"
)

// api is what the tests call, in every shape that a method may have.
type api struct{}

func methods() map[string]any {
	var a api
	return map[string]any{"Echo": a.Echo, "Fail": a.Fail, "Nothing": a.Nothing, "Plain": a.Plain, "Panic": a.Panic, "NaN": a.NaN, "Torn": a.Torn, "Null": a.Null, "Task": a.Task}
}

// torn cannot be encoded to its end.
type torn struct {
	Text   string
	Number float64
}

type order struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

func (api) Echo(o order, times int, tags []string) (order, error) {
	o.Count *= times
	o.Name += strings.Join(tags, "+")
	return o, nil
}

func (api) Fail(word string) error {
	for _, err := range []error{
		beckon.ErrNotFound, beckon.ErrConflict, beckon.ErrInvalid, beckon.ErrUntrusted, beckon.ErrUnavailable, beckon.ErrUnmerged, beckon.ErrDiskFull,
	} {
		if beckon.Code(err) == word {
			return fmt.Errorf("the task is gone: %w", err)
		}
	}
	return fmt.Errorf("disk full")
}
func (api) Nothing()                                {}
func (api) Plain() string                           { return "plain" }
func (api) Panic()                                  { panic("boom") }
func (api) NaN() float64                            { return math.NaN() }
func (api) Torn() torn                              { return torn{strings.Repeat("long ", 50_000), math.NaN()} }
func (api) Null() []string                          { return nil }
func (api) Task(t beckon.Task) (beckon.Task, error) { return t, t.Move(beckon.Done) }

var script = strings.Repeat("export const answer = 42;\n", 1000)

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // into memory
	_ = z.Close()
	return b.String()
}

func dist() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"index.html": file("<!doctype html><title>Beckon</title>"), "favicon.svg": file("<svg/>"),
		"assets/app-Ab3_x9-Q.js.gz": file(zipped(script)), "assets/pre-12345678.css": file("a{}"),
		"assets/pre-12345678.css.br": file("BROTLI"), "assets/pre-12345678.css.gz": file("GZIP"),
	}
}

// site is a running server.
type site struct {
	*web.Server
	feed *feed.Feed
	log  *client.Log
}

func start(t *testing.T) site {
	t.Helper()
	s := site{feed: feed.New(), log: &client.Log{}}
	server, err := web.New(web.Config{
		Methods: methods(), Feed: s.feed, Assets: dist(), Log: slog.New(slog.NewTextHandler(s.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	s.Server = server
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), timeout.For(10*time.Second))
		defer cancel()
		if err := server.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s site) base() string { return "http://" + s.Addr() }

// browser is a client with cookies, as a person's, that follows no redirect.
type browser struct {
	t    *testing.T
	http *http.Client
	key  string // empty before the link
}

func newBrowser(t *testing.T) browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return browser{t: t, http: &http.Client{
		Jar: jar, Transport: transport, Timeout: timeout.For(20 * time.Second),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// visitor is a browser that has opened the link.
func visitor(t *testing.T, s site) browser {
	t.Helper()
	b := newBrowser(t)
	res := b.get(s.NewURL())
	if res.status != http.StatusSeeOther {
		t.Fatalf("the link: %d %s", res.status, res.body)
	}
	b.key = res.header.Get("Beckon-Key")
	return b
}

type response struct {
	status int
	header http.Header
	body   string
}

func (b browser) get(url string, headers ...string) response {
	b.t.Helper()
	return b.do(http.MethodGet, url, "", headers...)
}

func (b browser) do(method, url, body string, headers ...string) response {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response{res.StatusCode, res.Header, string(text)}
}

func (b browser) rpc(s site, method, args string) response {
	b.t.Helper()
	return b.do(http.MethodPost, s.base()+"/rpc/"+method, args, "Content-Type", "application/json", "Beckon-Key", b.key)
}

func (b browser) cookie(s site) *http.Cookie {
	b.t.Helper()
	u, _ := url.Parse(s.base())
	cookies := b.http.Jar.Cookies(u)
	if len(cookies) != 1 {
		b.t.Fatalf("%d cookies", len(cookies))
	}
	return cookies[0]
}

// authorize adds all that the page sends.
func (b browser) authorize(s site) func(*http.Request) {
	cookie := b.cookie(s)
	return func(r *http.Request) {
		r.AddCookie(cookie)
		withKey(r, b.key)
	}
}

// withKey adds the key in each way in which it is sent.
func withKey(r *http.Request, key string) {
	r.Header.Set("Beckon-Key", key)
	r.Header.Set("Sec-WebSocket-Protocol", "beckon."+key)
}

var routes = []string{
	"GET /", "GET /task/KES-1", "GET /assets/app-Ab3_x9-Q.js", "POST /rpc/Echo", "GET /events?client=abcdefgh12345678",
}

func TestForeignPagesReachNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	loopbacktest.Server{
		URL: s.base(), Routes: routes, Body: `[{"name":"x","count":1},1,[]]`, Authorize: b.authorize(s),
	}.Attacks(t)
}

func TestStrangersReachNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	cookie := b.cookie(s)
	with := func(name, value string) func(*http.Request) {
		return func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
			withKey(r, b.key)
		}
	}
	v := cookie.Value
	loopbacktest.Server{
		URL: s.base(), Routes: append(routes, "GET /no/such.file", "POST /rpc/NoSuch"), Body: `[]`,
		Authorize: func(*http.Request) {},
	}.Strangers(t, map[string]func(*http.Request){
		"nothing": func(*http.Request) {}, "key alone": func(r *http.Request) { withKey(r, b.key) },
		"blank": with(cookie.Name, ""), "cut": with(cookie.Name, v[:len(v)-1]),
		"longer": with(cookie.Name, v+"A"), "made up": with(cookie.Name, strings.Repeat("A", len(v))),
		"other case": with(cookie.Name, swapCase(v)), "another name": with("beckon", v), "key as cookie": with(cookie.Name, b.key),
		"link":   with(cookie.Name, s.URL()[strings.Index(s.URL(), "=")+1:]),
		"bearer": func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+v) },
	})
}

// A browser sends the cookie to every server on 127.0.0.1.
func TestTheCookieAloneDoesNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	one, other := visitor(t, s), visitor(t, s)
	cookie, key := one.cookie(s), one.key
	with := func(key string) func(*http.Request) {
		return func(r *http.Request) {
			r.AddCookie(cookie)
			withKey(r, key)
		}
	}
	loopbacktest.Server{
		URL: s.base(), Routes: []string{"POST /rpc/Plain", "POST /rpc/NoSuch", "GET /events?client=abcdefgh12345678"}, Body: `[]`,
		Authorize: func(*http.Request) {},
	}.Strangers(t, map[string]func(*http.Request){
		"no key": func(r *http.Request) { r.AddCookie(cookie) }, "blank": with(""), "cut": with(key[:len(key)-1]),
		"longer": with(key + "A"), "other case": with(swapCase(key)), "another session's": with(other.key), "the cookie": with(cookie.Value),
		"as a cookie": func(r *http.Request) {
			r.AddCookie(cookie)
			r.AddCookie(&http.Cookie{Name: cookie.Name, Value: key})
		},
		"in the address": func(r *http.Request) {
			r.AddCookie(cookie)
			r.URL.RawQuery += "&key=" + key
		},
		"of the other way": func(r *http.Request) {
			r.AddCookie(cookie)
			withKey(r, key)
			if r.Method == http.MethodPost {
				r.Header.Del("Beckon-Key")
			} else {
				r.Header.Del("Sec-WebSocket-Protocol")
			}
		},
	})
}

// A server on another port can set cookies of the same name.
func TestAForeignCookieOfTheSameNameLocksNobodyOut(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	u, _ := url.Parse(s.base() + "/rpc/")
	b.http.Jar.SetCookies(u, []*http.Cookie{{Name: b.cookie(s).Name, Value: "planted", Path: "/rpc"}})
	if res := b.rpc(s, "Plain", `[]`); res.status != 200 {
		t.Errorf("%d %s", res.status, res.body)
	}
}

func swapCase(s string) string {
	if up := strings.ToUpper(s); up != s {
		return up
	}
	return strings.ToLower(s)
}

func TestALinkOpensBeckonOnceAndLeavesNoTokenBehind(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := newBrowser(t)
	if res := b.get(s.base() + "/"); res.status != 401 || !strings.Contains(res.body, "Open the link that") {
		t.Errorf("before the link: %d %s", res.status, res.body)
	}
	res := b.get(s.URL())
	b.key = res.header.Get("Beckon-Key")
	if res.status != http.StatusSeeOther || res.header.Get("Location") != "/#key="+b.key || len(b.key) < 43 {
		t.Fatalf("the link: %d to %q with the key %q", res.status, res.header.Get("Location"), b.key)
	}
	set := res.header.Get("Set-Cookie")
	if !strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Strict") || len(b.cookie(s).Value) < 43 {
		t.Errorf("the cookie is %q", set)
	}
	token := s.URL()[strings.Index(s.URL(), "=")+1:]
	if strings.Contains(set, token) || b.key == token || strings.Contains(set, b.key) {
		t.Error("two of the link's token, the cookie and the key are the same")
	}
	if res := b.get(s.base() + "/"); res.status != 200 || !strings.Contains(res.body, "<title>Beckon") {
		t.Errorf("after the link: %d %s", res.status, res.body)
	}
	thief := newBrowser(t)
	for _, who := range []browser{thief, b} {
		if res := who.get(s.URL()); res.status != 401 || !strings.Contains(res.body, "For a new link") || res.header["Set-Cookie"] != nil {
			t.Errorf("the link a second time: %d %s", res.status, res.body)
		}
	}
	b.socket(s)
	b.rpc(s, "Panic", `[]`)
	for _, secret := range []string{token, b.cookie(s).Value, b.key} {
		if strings.Contains(s.log.String(), secret) {
			t.Error("the log has a secret")
		}
	}
}

func TestAnotherLinkLetsAnotherBrowserIn(t *testing.T) {
	t.Parallel()
	s := start(t)
	one, two := visitor(t, s), visitor(t, s)
	if one.cookie(s).Value == two.cookie(s).Value || one.key == two.key {
		t.Error("two browsers have the same secret")
	}
	for _, b := range []browser{one, two} {
		if res := b.rpc(s, "Plain", `[]`); res.status != 200 {
			t.Errorf("%d %s", res.status, res.body)
		}
	}
}

func TestOneLinkOpenedManyTimesAtOnceLetsOneIn(t *testing.T) {
	t.Parallel()
	s := start(t)
	var wg sync.WaitGroup
	in := make(chan bool, 50)
	for range 50 {
		b := newBrowser(t)
		wg.Go(func() { in <- b.get(s.URL()).status == http.StatusSeeOther })
	}
	wg.Wait()
	close(in)
	admitted := 0
	for ok := range in {
		if ok {
			admitted++
		}
	}
	if admitted != 1 {
		t.Errorf("%d browsers came in by one link", admitted)
	}
}

func TestCallsGiveWhatTheMethodGives(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	for _, c := range []struct {
		method, args string
		status       int
		body         string
	}{
		{"Echo", `[{"name":"n","count":3}, 2, ["a","b"]]`, 200, `{"name":"na+b","count":6}`},
		{"Echo", `[{"name":"n","count":3}, 2, null]`, 200, `{"name":"n","count":6}`},
		{"Nothing", `[]`, 200, `null`},
		{"Plain", `[]`, 200, `"plain"`},
		{"Null", `[]`, 200, `null`},
		{"Fail", `["not_found"]`, 404, `{"code":"not_found","message":"the task is gone: not found"}`},
		{"Fail", `["conflict"]`, 409, `{"code":"conflict","message":"the task is gone: conflict"}`},
		{"Fail", `["invalid"]`, 400, `{"code":"invalid","message":"the task is gone: invalid"}`},
		{"Fail", `["untrusted"]`, 403, `{"code":"untrusted","message":"the task is gone: untrusted"}`},
		{"Fail", `["unavailable"]`, 503, `{"code":"unavailable","message":"the task is gone: unavailable"}`},
		{"Fail", `["unmerged"]`, 409, `{"code":"unmerged","message":"the task is gone: unmerged"}`},
		{"Fail", `["disk_full"]`, 507, `{"code":"disk_full","message":"the task is gone: the disk is full"}`},
		{"Fail", `["?"]`, 500, `{"code":"internal","message":"disk full"}`},
	} {
		if res := b.rpc(s, c.method, c.args); res.status != c.status || res.body != c.body {
			t.Errorf("%s%s: %d %q, want %d %s", c.method, c.args, res.status, res.body, c.status, c.body)
		}
	}
}

func TestWrongCallsAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	for _, c := range []struct {
		method, args string
		status       int
	}{
		{"NoSuch", `[]`, 404},
		{"hidden", `[]`, 404},
		{"echo", `[]`, 404},
		{"Echo%2f..", `[]`, 404},
		{"Plain", ``, 400},
		{"Plain", `{}`, 400},
		{"Plain", `[`, 400},
		{"Plain", `[] []`, 400},
		{"Plain", `[1]`, 400},
		{"Plain", `nil`, 400},
		{"Echo", `[]`, 400},
		{"Echo", `[{}, 1]`, 400},
		{"Echo", `[{}, 1, [], 4]`, 400},
		{"Echo", `[{"title":"x"}, 1, []]`, 400},
		{"Echo", `[{}, "1", []]`, 400},
		{"Echo", `[{}, 1.5, []]`, 400},
		{"Echo", `[null, 1, []]`, 400},
		{"Echo", `[{}, null, []]`, 400},
		{"Echo", `[{}, 1e99, []]`, 400},
		{"Echo", `[{}, 1, [1]]`, 400},
		{"Task", `[{"status":"queued"}]`, 409},
	} {
		res := b.rpc(s, c.method, c.args)
		var e struct{ Code, Message string }
		if err := json.Unmarshal([]byte(res.body), &e); err != nil || res.status != c.status || e.Code == "" || e.Message == "" {
			t.Errorf("%s%s: %d %s, want %d", c.method, c.args, res.status, res.body, c.status)
		}
	}
	for _, method := range []string{"GET", "HEAD", "DELETE"} {
		if res := b.do(method, s.base()+"/rpc/Plain", "", "Beckon-Key", b.key); res.status != 405 {
			t.Errorf("%s: %d %s", method, res.status, res.body)
		}
	}
}

func TestAPanicIsAnErrorAndTheServerLives(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	for _, method := range []string{"Panic", "NaN"} {
		if res := b.rpc(s, method, `[]`); res.status != 500 || !strings.HasPrefix(res.body, `{"code":"internal"`) {
			t.Errorf("%s: %d %s", method, res.status, res.body)
		}
	}
	if res := b.rpc(s, "Panic", `[]`); !strings.Contains(res.body, `"problem":"bug"`) || strings.Contains(res.body, "nothing was changed") {
		t.Errorf("the page reads %s", res.body)
	}
	if !strings.Contains(s.log.String(), "boom") || !strings.Contains(s.log.String(), "method=Panic") {
		t.Errorf("the log says %q", s.log)
	}
	if res := b.rpc(s, "Plain", `[]`); res.status != 200 {
		t.Errorf("after the panic: %d %s", res.status, res.body)
	}
}

// An answer that proves wrong when half of it is sent must not look like a whole one.
func TestAnAnswerThatCannotBeFinishedIsCutOff(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base()+"/rpc/Torn", strings.NewReader(`[]`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Beckon-Key", b.key)
	res, err := b.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("%d, and %d bytes as if that were all", res.StatusCode, len(text))
	}
	if res := b.rpc(s, "Plain", `[]`); res.status != 200 {
		t.Errorf("after it: %d %s", res.status, res.body)
	}
}

func TestMethodsThatCanNotBeCalledAreNoticedAtOnce(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("an API with three results was taken")
		}
	}()
	_, _ = web.New(web.Config{Methods: map[string]any{"Three": three}, Feed: feed.New(), Assets: dist(), Log: slog.Default()})
}

func three() (int, int, error) { return 0, 0, nil }

func TestAThousandStuckConnectionsDoNotStallACall(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	for i := range 1000 {
		conn, err := net.DialTimeout("tcp", s.Addr(), 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		text := "GET / HTTP/1.1\r\nHost: " + s.Addr() + "\r\nX-Slow: "
		if i%2 == 0 {
			text = "POST /rpc/Plain HTTP/1.1\r\nHost: " + s.Addr() + "\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n["
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		began := time.Now()
		if res := b.rpc(s, "Plain", `[]`); res.status != 200 {
			t.Fatalf("%d %s", res.status, res.body)
		}
		if took := time.Since(began); took > timeout.For(2*time.Second) {
			t.Errorf("a call took %v", took)
		}
	}
}
