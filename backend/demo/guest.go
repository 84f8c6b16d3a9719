package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// This file is a page of one Beckon as a guest of another: the demo, which
// runs beside it as `beckon demo` in a browser. It opens the demo's one-time
// link, and passes calls and frames on; it knows no method and no event.
//
// The page asks for frames and waits a little for them, since that is a call like
// any other: in the window as over `serve`. What a page does not fetch is kept
// within a bound, and dropped beyond it, of which the page learns.

const (
	openIn = 10 * time.Second
	callIn = 2 * time.Minute
	// frameIn is how long a page waits for frames at most; Beckon's end waits for the
	// calls that are under way.
	frameIn = 2 * time.Second
	// mostReply bounds what the demo says at once, in bytes.
	mostReply = 64 << 20
	// mostClients bounds the pages that are guests at once. A page that is closed or
	// reloaded says nothing: the one that asked longest ago makes room.
	mostClients = 16
	// FollowedIn is how long after its last question for frames a page counts as one
	// that shows the demo.
	FollowedIn = 3 * frameIn
)

var (
	methodName = regexp.MustCompile(`^[A-Z][A-Za-z]{1,60}$`)
	clientName = regexp.MustCompile(`^[a-z0-9]{8,64}$`)
)

// GuestReply is what the demo says to a call: a result, or a beckon.Failure, as JSON.
type GuestReply struct {
	OK   bool   `json:"ok"`
	Body string `json:"body"`
}

// Guest is the way to one demo. Its methods may be called from any goroutine.
type Guest struct {
	base, key string
	cookie    *http.Cookie
	http      *http.Client
	ctx       context.Context // of the demo
	leave     context.CancelFunc

	mu      sync.Mutex // guards what follows
	streams map[string]*stream
	dropped map[string]bool // clients that made room, and are to attach again
	reading sync.WaitGroup
}

// OpenGuest opens a link that the demo printed, which works once.
func OpenGuest(ctx context.Context, link string) (*Guest, error) {
	at, err := url.Parse(link)
	if err != nil {
		return nil, err
	}
	g := &Guest{base: "http://" + at.Host, streams: map[string]*stream{}, dropped: map[string]bool{}}
	g.http = &http.Client{
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 4}, // no proxy: it is this machine
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	g.ctx, g.leave = context.WithCancel(context.WithoutCancel(ctx))
	ctx, cancel := context.WithTimeout(ctx, openIn)
	defer cancel()
	response, err := g.do(ctx, http.MethodGet, link, nil)
	if err != nil {
		return nil, errors.Join(ended(err), g.Close())
	}
	defer func() { _ = response.Body.Close() }() // nothing of it is read
	g.key = response.Header.Get("Beckon-Key")
	if cookies := response.Cookies(); len(cookies) > 0 {
		g.cookie = cookies[0]
	}
	if g.key == "" || g.cookie == nil {
		return nil, errors.Join(ended(fmt.Errorf("its link was answered with %s", response.Status)), g.Close())
	}
	return g, nil
}

// ended says what is left when the demo does not answer.
func ended(err error) error {
	return problem.New(problem.DemoEnded, fmt.Errorf("the demo has ended; nothing of yours was touched: %w: %w", err, beckon.ErrUnavailable))
}

// do sends a request to the demo.
func (g *Guest) do(ctx context.Context, method, to string, body io.Reader) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, to, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Beckon-Key", g.key)
	if g.cookie != nil {
		request.AddCookie(g.cookie)
	}
	return g.http.Do(request)
}

// Call calls a method of the demo with the JSON array of its arguments.
func (g *Guest) Call(ctx context.Context, method, args string) (GuestReply, error) {
	if !methodName.MatchString(method) {
		return GuestReply{}, beckon.Invalid("%q is no method", method)
	}
	ctx, cancel := context.WithTimeout(ctx, callIn)
	defer cancel()
	defer context.AfterFunc(g.ctx, cancel)()
	response, err := g.do(ctx, http.MethodPost, g.base+"/rpc/"+method, strings.NewReader(args))
	if err != nil {
		return GuestReply{}, ended(err)
	}
	defer func() { _ = response.Body.Close() }() // it was read
	body, err := io.ReadAll(io.LimitReader(response.Body, mostReply+1))
	switch {
	case err != nil:
		return GuestReply{}, ended(err)
	case len(body) > mostReply:
		return GuestReply{}, fmt.Errorf("the demo says more than %d bytes to %s", mostReply, method)
	case len(bytes.TrimSpace(body)) == 0:
		body = []byte("null")
	}
	return GuestReply{OK: response.StatusCode == http.StatusOK, Body: string(body)}, nil
}

// Frames returns the frames that the demo sent to a client since the last call,
// as a JSON array, and waits a little for one. The first call attaches the
// client and returns at once.
func (g *Guest) Frames(ctx context.Context, client string) (string, error) {
	if !clientName.MatchString(client) {
		return "", beckon.Invalid("a client is 8 to 64 small letters and digits")
	}
	s, begun, err := g.streamOf(ctx, client)
	if err != nil {
		return "", err
	}
	if begun {
		frames, _ := s.pop() // the next call reports the end
		return frames, nil
	}
	frames, open := s.takeFrames(ctx)
	if open {
		return frames, nil
	}
	g.mu.Lock()
	if g.streams[client] == s {
		delete(g.streams, client) // the next call begins again
	}
	g.mu.Unlock()
	if frames == "[]" {
		return "", ended(errors.New("it sends nothing any more"))
	}
	return frames, nil
}

// streamOf returns the stream of a client, and whether it began with this call.
func (g *Guest) streamOf(ctx context.Context, client string) (_ *stream, begun bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ctx.Err() != nil {
		return nil, false, ended(g.ctx.Err())
	}
	if s := g.streams[client]; s != nil {
		return s, false, nil
	}
	if len(g.streams) >= mostClients {
		g.makeRoom()
	}
	ctx, cancel := context.WithTimeout(ctx, openIn)
	defer cancel()
	conn, response, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(g.base, "http")+"/events?client="+client, &websocket.DialOptions{
		HTTPClient: g.http, CompressionMode: websocket.CompressionDisabled, Subprotocols: []string{"beckon." + g.key},
		HTTPHeader: http.Header{"Cookie": {g.cookie.String()}, "Origin": {g.base}},
	})
	if response != nil && response.Body != nil {
		_ = response.Body.Close() // the socket has the connection
	}
	if err != nil {
		return nil, false, ended(err)
	}
	conn.SetReadLimit(mostReply)
	reading, leave := context.WithCancel(g.ctx)
	s := newStream(leave, g.dropped[client])
	delete(g.dropped, client)
	g.streams[client] = s
	g.reading.Go(func() { s.read(reading, conn) })
	return s, true, nil
}

// makeRoom lets go of the client that asked longest ago; mu is held.
func (g *Guest) makeRoom() {
	var oldest string
	for client, s := range g.streams {
		if oldest == "" || s.asked().Before(g.streams[oldest].asked()) {
			oldest = client
		}
	}
	g.streams[oldest].leave()
	delete(g.streams, oldest)
	g.dropped[oldest] = true
}

// Leave lets go of a client, and reports whether others still show the demo.
func (g *Guest) Leave(client string) (others bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.streams[client]; s != nil {
		s.leave()
		delete(g.streams, client)
	}
	for _, s := range g.streams {
		others = others || time.Since(s.asked()) < FollowedIn
	}
	return others
}

// Close leaves the demo, and waits until nothing of it is read any more.
func (g *Guest) Close() error {
	g.leave()
	g.mu.Lock() // no stream begins after it
	clear(g.streams)
	g.mu.Unlock()
	g.reading.Wait()
	g.http.CloseIdleConnections()
	return nil
}
