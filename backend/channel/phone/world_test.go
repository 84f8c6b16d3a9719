package phone

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/access"
	"beckon/backend/channel/phone/view"
	"beckon/backend/mask"
	"beckon/backend/store"
	"beckon/backend/store/away"
	"beckon/tests/timeout"
)

// patience is how long anything here may take.
var patience = timeout.For(30 * time.Second)

const tunnel = "https://studio-pc.tail1234.ts.net"

var everything = remote.Rights{Questions: true, Plans: true, Commands: true, Steer: true, Elsewhere: true, Lines: true}

// world is a server, what is asked at its desk, and the phones that come.
type world struct {
	*Server
	t       *testing.T
	store   *store.Store
	dir     string
	desk    *desk
	port    atomic.Int64
	changes atomic.Int64
	refused atomic.Int64
	clock   atomic.Int64 // milliseconds that the time is ahead
	stands  atomic.Int64 // the time that it always is, Unix milliseconds; 0: it goes on
}

// newWorld makes a server that is off.
func newWorld(t *testing.T, edit ...func(*Config)) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), desk: &desk{asked: map[string]view.Asked{}}}
	s, err := store.Open(t.Context(), w.dir)
	if err != nil {
		t.Fatal(err)
	}
	w.store = s
	t.Cleanup(func() { _ = s.Close() })
	w.build(edit...)
	return w
}

// build makes another server for the same phones.
func (w *world) build(edit ...func(*Config)) {
	c := Config{
		Book: w.store.Devices, Codes: &access.Codes{}, Desk: w.desk,
		Assets: fstest.MapFS{"index.html": file("<!doctype html><title>Phone</title>"), "sw.js": file("self"), "assets/app-12345678.js": file("app")},
		View:   view.View{Host: "studio-pc", Mask: mask.Text, Zone: time.UTC}, Origin: func() string { return tunnel },
		Port:     func(context.Context) (int, error) { return int(w.port.Load()), nil },
		SavePort: func(_ context.Context, port int) error { w.port.Store(int64(port)); return nil },
		Changed:  func() { w.changes.Add(1) },
		Refused:  func() { w.refused.Add(1) },
	}
	for _, e := range edit {
		e(&c)
	}
	w.Server = New(c)
	w.now = func() time.Time {
		if at := w.stands.Load(); at != 0 {
			return time.UnixMilli(at)
		}
		return time.Now().Add(time.Duration(w.clock.Load()) * time.Millisecond)
	}
	w.strangers.rate, w.strangers.burst = 1e9, 1e9
	w.t.Cleanup(w.Server.Stop)
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// start makes one that serves.
func start(t *testing.T, edit ...func(*Config)) *world {
	t.Helper()
	w := newWorld(t, edit...)
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) url() string {
	addr, _ := w.Listens()
	return "http://" + addr
}

// client is a browser of a phone.
type client struct {
	w      *world
	cookie string
	key    string
	id     string
	http   *http.Client
}

func (w *world) stranger() *client {
	transport := &http.Transport{}
	w.t.Cleanup(transport.CloseIdleConnections)
	return &client{w: w, http: &http.Client{Transport: transport, Timeout: patience}}
}

// pairs pairs a phone by a code of the desk.
func (w *world) pairs(name string) *client {
	w.t.Helper()
	c := w.stranger()
	code, _, err := w.Codes.Issue()
	if err != nil {
		w.t.Fatal(err)
	}
	res := c.post("/api/pair", map[string]string{"code": code, "name": name, "language": "de-CH"})
	if res.status != http.StatusOK {
		w.t.Fatalf("pairing: %d %s", res.status, res.body)
	}
	for _, cookie := range (&http.Response{Header: res.header}).Cookies() {
		c.cookie = cookie.Value
	}
	var given struct{ Key string }
	if err := json.Unmarshal([]byte(res.body), &given); err != nil || given.Key == "" {
		w.t.Fatalf("%s, %v", res.body, err)
	}
	c.key = given.Key
	all, err := w.Book.All(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range all {
		if d.Name == name {
			c.id = d.ID
		}
	}
	return c
}

// phone pairs a phone that may do this.
func (w *world) phone(name string, rights remote.Rights) *client {
	w.t.Helper()
	c := w.pairs(name)
	if err := errors.Join(w.Confirm(w.t.Context(), c.id), w.Allow(w.t.Context(), c.id, rights)); err != nil {
		w.t.Fatal(err)
	}
	w.patient(c.id)
	return c
}

// patient lets a phone ask as often as it likes.
func (w *world) patient(id string) {
	asks := &w.visitors.of(id).asks
	asks.mu.Lock()
	defer asks.mu.Unlock()
	asks.rate, asks.burst = 1e9, 1e9
}

type reply struct {
	status int
	header http.Header
	body   string
}

// code is that of an error.
func (r reply) code() string {
	var e struct{ Code string }
	_ = json.Unmarshal([]byte(r.body), &e)
	return e.Code
}

func (c *client) request(method, path, body string) *http.Request {
	r, err := http.NewRequestWithContext(c.w.t.Context(), method, c.w.url()+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Host = strings.TrimPrefix(tunnel, "https://")
	r.Header.Set("Origin", tunnel)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.cookie != "" {
		c.authorize(r)
	}
	return r
}

// authorize adds all that the page sends.
func (c *client) authorize(r *http.Request) {
	r.Header.Set("Cookie", cookieName+"="+c.cookie)
	r.Header.Set(keyHeader, c.key)
}

func (c *client) do(r *http.Request) reply {
	c.w.t.Helper()
	res, err := c.http.Do(r)
	if err != nil {
		c.w.t.Error(err)
		return reply{}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		c.w.t.Error(err)
	}
	return reply{res.StatusCode, res.Header, string(text)}
}

func (c *client) get(path string) reply {
	c.w.t.Helper()
	return c.do(c.request(http.MethodGet, path, ""))
}

func (c *client) post(path string, body any) reply {
	c.w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.w.t.Fatal(err)
	}
	return c.do(c.request(http.MethodPost, path, string(text)))
}

// events are those of an open page.
type events struct {
	t    *testing.T
	body io.Closer
	text *bufio.Reader
}

// events opens a page's stream.
func (c *client) events() *events {
	c.w.t.Helper()
	r := c.request(http.MethodGet, "/api/events", "")
	ctx, cancel := context.WithTimeout(c.w.t.Context(), patience)
	res, err := (&http.Client{Transport: c.http.Transport}).Do(r.WithContext(ctx))
	if err != nil {
		c.w.t.Fatal(err)
	}
	c.w.t.Cleanup(func() { cancel(); _ = res.Body.Close() })
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		c.w.t.Fatalf("the stream: %d %v", res.StatusCode, res.Header)
	}
	return &events{t: c.w.t, body: res.Body, text: bufio.NewReader(res.Body)}
}

// next returns the next event; an empty name: the stream ended.
func (e *events) next() (name, data string) {
	e.t.Helper()
	for {
		line, err := e.text.ReadString('\n')
		if err != nil {
			return "", ""
		}
		if rest, is := strings.CutPrefix(line, "event: "); is {
			name = strings.TrimSpace(rest)
		}
		if rest, is := strings.CutPrefix(line, "data: "); is {
			data = strings.TrimSpace(rest)
		}
		if line == "\n" && name != "" {
			return name, data
		}
	}
}

// until reads to the event of that name which has the text.
func (e *events) until(name, text string) string {
	e.t.Helper()
	for {
		got, data := e.next()
		if got == "" {
			e.t.Fatalf("the stream ended before %s with %q", name, text)
		}
		if got == name && strings.Contains(data, text) {
			return data
		}
	}
}

// desk is one where the first answer wins.
type desk struct {
	mu      sync.Mutex
	asked   map[string]view.Asked
	entries []beckon.Entry
	done    []string
	said    map[string]string
	read    chan struct{} // hears of each card that is read; nil: nobody does
}

func (d *desk) did(format string, args ...any) {
	d.done = append(d.done, fmt.Sprintf(format, args...))
}

// log is all that was done, in its order.
func (d *desk) log() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.done)
}

// ask puts a question on the desk.
func (d *desk) ask(q beckon.Question) beckon.Question {
	d.mu.Lock()
	defer d.mu.Unlock()
	q.Settlement = beckon.Open
	if q.Asked == 0 {
		q.Asked = int64(len(d.asked) + 1)
	}
	a := view.Asked{Question: q}
	if q.TaskID != "" {
		a.Key, a.Title, a.Project = "KES-47", "Paint", view.Project{Name: "kestrel", Color: 2}
	}
	d.asked[q.ID] = a
	return q
}

// colour is a question as agents ask.
func colour(id string) beckon.Question {
	return beckon.Question{ID: id, TaskID: "task", RunID: "run", Kind: beckon.Ask, ToolUseID: "use", Items: []beckon.QuestionItem{{
		Text: "Which colour?", Options: []beckon.Option{{Label: "Blue"}, {Label: "Red"}},
	}}}
}

func (d *desk) Asked(_ context.Context, id string) (view.Asked, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a, ok := d.asked[id]
	if !ok {
		return a, beckon.ErrNotFound
	}
	return a, nil
}

func (d *desk) list(open bool) []view.Asked {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := []view.Asked{}
	for _, a := range d.asked {
		if (a.Question.Settlement == beckon.Open) == open {
			all = append(all, a)
		}
	}
	return all
}

func (d *desk) Open(context.Context) ([]view.Asked, error)            { return d.list(true), nil }
func (d *desk) Answered(context.Context, int64) ([]view.Asked, error) { return d.list(false), nil }

func (d *desk) Entries(context.Context, beckon.Question) ([]beckon.Entry, error) {
	if d.read != nil {
		d.read <- struct{}{}
	}
	return d.entries, nil
}

func (d *desk) Answer(_ context.Context, id string, a beckon.Answer, by string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	asked := d.asked[id]
	if asked.Question.Settlement != beckon.Open {
		return fmt.Errorf("answered by %s: %w", asked.Question.Answer.ByName, beckon.ErrConflict)
	}
	a.By, a.ByName, a.At = beckon.ByPhone, by, beckon.Now()
	asked.Question.Settlement, asked.Question.Answer, asked.Question.Settled = beckon.Answered, &a, a.At
	d.asked[id] = asked
	labels := []string{string(a.Verdict)}
	for _, i := range a.Items {
		labels = append(labels, i.Labels...)
	}
	d.did("answer %s %s by %s", id, strings.Join(labels, ","), by)
	return nil
}

func (d *desk) Hold(_ context.Context, id string, held bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.did("hold %s %v", id, held)
	return nil
}

func (d *desk) Stop(_ context.Context, taskID string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if taskID != "task" {
		return beckon.ErrNotFound
	}
	d.did("stop %s", taskID)
	return nil
}

func (d *desk) Message(_ context.Context, taskID, text, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.said == nil {
		d.said = map[string]string{}
	}
	if d.said[name] == "" {
		d.said[name] = text
		d.did("message %s %s", taskID, text)
	}
	return nil
}

// subscriptions are those of a test.
type subscriptions struct {
	mu   sync.Mutex
	by   map[string][]byte
	book away.Devices
}

// pushes has phones sent messages.
func pushes(c *Config) { c.Push = &subscriptions{by: map[string][]byte{}, book: c.Book} }

func (s *subscriptions) Key(context.Context) (string, error) { return "vapid", nil }

func (s *subscriptions) Subscribe(ctx context.Context, device string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !json.Valid(text) || !bytes.Contains(text, []byte("endpoint")) {
		return beckon.Invalid("this is no subscription")
	}
	s.by[device] = text
	return s.book.Subscribe(ctx, device, string(text))
}

func (s *subscriptions) Unsubscribe(ctx context.Context, device string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.by, device)
	return s.book.Subscribe(ctx, device, "")
}
