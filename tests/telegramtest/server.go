// Package telegramtest is a Bot API server for tests, as strict as the real one
// or stricter, and the people who chat with its one bot.
//
// It holds chats, messages and updates in memory, and refuses what the service
// refuses: texts that are too long, entities beyond their text, buttons without
// meaning, edits that change nothing, a second poller. A request that a careful
// client never sends also fails the test, unless that expects it. It knows
// nothing of Beckon.
package telegramtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/tests/timeout"
)

// Token is the bot's.
const Token = "7700000001:AAtestTESTtestTESTtestTESTtestTEST00x"

// BotName is the bot's user name, and BotID its number.
const (
	BotName       = "beckon_test_bot"
	BotID   int64 = 7700000001
)

// patience is how long a wait of a test may take.
var patience = timeout.For(30 * time.Second)

// Server is the service. Its methods may be called from any goroutine.
type Server struct {
	URL string // to be given as the API's

	t       testing.TB
	http    *httptest.Server
	closing chan struct{}

	mu       sync.Mutex
	changed  chan struct{} // closed at each change, and replaced
	ahead    time.Duration // how far the clock was set forward
	chats    map[int64]*chat
	moved    map[int64]int64 // groups that became supergroups
	lastID   int
	updates  []update
	lastSeen int64    // number of the newest update
	allowed  []string // kinds of updates; nil: all
	poller   chan struct{}
	webhook  string // where updates go instead; empty: nowhere
	queries  []*query
	faults   []*Fault
	calls    []Call
	commands map[string][]Command
	wrong    []string
	tolerant bool
	edits    time.Duration // between two edits of a message
}

// Call is a request that the server got.
type Call struct {
	Method string
	Form   map[string]string
	Status int // of the reply; 0: the connection was dropped
}

// Fault is what becomes of a request, by script.
type Fault struct {
	Method string // "" for any
	// Status and the rest make the reply. A status of 500 and more has no
	// JSON in it, as of a proxy that fails.
	Status      int
	Description string
	RetryAfter  int
	// Drop closes the connection without a reply; Done carries out the
	// request before that.
	Drop, Done bool
	Times      int // how often; 0 for once
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{
		t: t, closing: make(chan struct{}), changed: make(chan struct{}),
		chats: map[int64]*chat{}, moved: map[int64]int64{}, commands: map[string][]Command{},
	}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	t.Cleanup(s.close)
	return s
}

func (s *Server) close() {
	close(s.closing)
	s.http.CloseClientConnections()
	s.http.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tolerant {
		for _, w := range s.wrong {
			s.t.Errorf("telegramtest: %s", w)
		}
	}
}

// Tolerate has the test go on where the client sends what it never should, and
// is about what happens then.
func (s *Server) Tolerate() { s.locked(func() { s.tolerant = true }) }

// LimitEdits refuses a second edit of a message within d with a 429.
func (s *Server) LimitEdits(d time.Duration) { s.locked(func() { s.edits = d }) }

// Advance sets the server's clock forward.
func (s *Server) Advance(d time.Duration) { s.locked(func() { s.ahead += d }) }

// Fail has the next requests that f is about fail.
func (s *Server) Fail(f Fault) { s.locked(func() { s.faults = append(s.faults, &f) }) }

// Calls returns the requests of a method, in order; of any where it is "".
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Call
	for _, c := range s.calls {
		if method == "" || c.Method == method {
			found = append(found, c)
		}
	}
	return found
}

// locked changes the server, and wakes those who wait for a change.
func (s *Server) locked(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.woken()
}

func (s *Server) woken() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) now() time.Time { return time.Now().Add(s.ahead) }

// failure is a reply that refuses.
type failure struct {
	status     int
	text       string
	retryAfter int
	migrateTo  int64
}

func refuse(status int, format string, args ...any) *failure {
	return &failure{status: status, text: fmt.Sprintf(format, args...)}
}

// misuse refuses what a careful client never sends.
func (s *Server) misuse(format string, args ...any) *failure {
	f := refuse(http.StatusBadRequest, "Bad Request: "+format, args...)
	s.wrong = append(s.wrong, f.text)
	return f
}

// request is one call as it came in.
type request struct {
	method string
	form   map[string]string
	files  map[string]File
	over   <-chan struct{} // closed when the caller went away
}

// File is a document that was sent.
type File struct {
	Name string
	Data []byte
}

// ServeHTTP is the Bot API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, method, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/bot"), "/")
	if token != Token {
		s.reply(w, nil, refuse(http.StatusUnauthorized, "Unauthorized"))
		return
	}
	form, files, err := read(r)
	if err != nil {
		s.reply(w, nil, refuse(http.StatusBadRequest, "Bad Request: %v", err))
		return
	}
	req := request{method, form, files, r.Context().Done()}
	fault := s.fault(method)
	if fault != nil && !fault.Done {
		s.noted(req, fault.Status)
		s.failed(w, *fault)
		return
	}
	result, refused := s.handle(req)
	status := http.StatusOK
	switch {
	case fault != nil:
		s.noted(req, 0)
		s.failed(w, *fault)
		return
	case refused != nil:
		status = refused.status
	}
	s.noted(req, status)
	s.reply(w, result, refused)
}

func (s *Server) noted(r request, status int) {
	s.locked(func() { s.calls = append(s.calls, Call{r.method, r.form, status}) })
}

func (s *Server) fault(method string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, f := range s.faults {
		if f.Method != "" && f.Method != method {
			continue
		}
		if f.Times--; f.Times <= 0 {
			s.faults = slices.Delete(s.faults, n, n+1)
		}
		now := *f // another request may count it meanwhile
		return &now
	}
	return nil
}

func (s *Server) failed(w http.ResponseWriter, f Fault) {
	if f.Drop {
		panic(http.ErrAbortHandler)
	}
	if f.Status >= http.StatusInternalServerError {
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, "<html>"+f.Description+"</html>")
		return
	}
	s.reply(w, nil, &failure{status: f.Status, text: f.Description, retryAfter: f.RetryAfter})
}

func (s *Server) reply(w http.ResponseWriter, result any, f *failure) {
	body := map[string]any{"ok": f == nil, "result": result}
	status := http.StatusOK
	if f != nil {
		status = f.status
		body = map[string]any{"ok": false, "error_code": f.status, "description": f.text}
		switch {
		case f.retryAfter > 0:
			body["parameters"] = map[string]any{"retry_after": f.retryAfter}
		case f.migrateTo != 0:
			body["parameters"] = map[string]any{"migrate_to_chat_id": f.migrateTo}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// read takes a form, as multipart or not; a call may have no body at all.
func read(r *http.Request) (map[string]string, map[string]File, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 50<<20))
	if err != nil || len(body) == 0 {
		return map[string]string{}, nil, err
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return nil, nil, err
	case kind == "multipart/form-data":
		return parts(multipart.NewReader(strings.NewReader(string(body)), params["boundary"]))
	case kind != "application/x-www-form-urlencoded":
		return nil, nil, fmt.Errorf("a form is wanted, and this is %s", kind)
	}
	values, err := url.ParseQuery(string(body))
	form := map[string]string{}
	for key := range values {
		form[key] = values.Get(key)
	}
	return form, nil, err
}

func parts(r *multipart.Reader) (map[string]string, map[string]File, error) {
	form, files := map[string]string{}, map[string]File{}
	for {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return form, files, nil
		}
		if err != nil {
			return nil, nil, err
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, nil, err
		}
		if part.FileName() != "" {
			files[part.FormName()] = File{part.FileName(), data}
			continue
		}
		form[part.FormName()] = string(data)
	}
}
