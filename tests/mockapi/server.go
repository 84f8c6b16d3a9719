package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type server struct {
	script  *Script
	full    bool
	sysAux  *regexp.Regexp
	started time.Time

	mu      sync.Mutex
	cursors map[string]int
	logw    io.Writer
	seq     int

	ids atomic.Int64
}

func (s *server) record(v map[string]any) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	v["seq"] = s.seq
	v["t_ms"] = time.Since(s.started).Milliseconds()
	if s.logw != nil {
		b, err := json.Marshal(v)
		if err == nil {
			_, _ = s.logw.Write(append(b, '\n'))
		}
	}
	return s.seq
}

// next picks the turn for a main-loop request.
func (s *server) next(sess, newest string) (Turn, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.script.Rules {
		r := &s.script.Rules[i]
		if r.re.MatchString(newest) && (r.Times == 0 || r.used < r.Times) {
			r.used++
			return r.Turn, fmt.Sprintf("rule %d", i)
		}
	}
	key := ""
	if s.script.Cursor == "session" {
		key = sess
	}
	n := s.cursors[key]
	s.cursors[key] = n + 1
	turns := s.script.Turns
	switch {
	case n < len(turns):
		return turns[n], fmt.Sprintf("turn %d", n)
	case len(turns) > 0 && s.script.Exhausted == "loop":
		return turns[n%len(turns)], fmt.Sprintf("turn %d (loop)", n%len(turns))
	case len(turns) > 0 && s.script.Exhausted == "last":
		return turns[len(turns)-1], "last turn"
	}
	return Turn{Text: s.script.OnExhausted}, "exhausted"
}

func (s *server) auxTurn(r *messagesRequest) (Turn, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hay := textOf(r.System) + "\n" + r.lastUserText()
	for i := range s.script.Aux {
		a := &s.script.Aux[i]
		if a.re.MatchString(hay) && (a.Times == 0 || a.used < a.Times) {
			a.used++
			return a.Turn, fmt.Sprintf("aux rule %d", i)
		}
	}
	zero := 0
	t := Turn{DelayMS: &zero}
	switch {
	case strings.Contains(hay, "security monitor for autonomous"):
		t.Text = "<block>no</block>" // the auto-mode classifier: allow
	case strings.Contains(hay, "side question from the user"):
		t.Text = "A side answer."
	case strings.Contains(hay, "title"):
		t.Text = `{"title":"Mock session","branch":"mock-session"}`
	case len(r.Tools) == 1:
		t.Tool, t.Input = r.Tools[0].Name, map[string]any{}
	default:
		t.Text = "ok"
	}
	return t, "aux default"
}

func (s *server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	path := req.URL.Path
	rec := map[string]any{"method": req.Method, "path": req.URL.RequestURI(), "headers": told(req.Header)}
	switch {
	case req.Method == http.MethodPost && strings.HasSuffix(path, "/v1/messages/count_tokens"):
		rec["kind"] = "count_tokens"
		s.record(rec)
		writeJSON(w, 200, map[string]any{"input_tokens": len(body) / 4})
	case req.Method == http.MethodPost && strings.HasSuffix(path, "/v1/messages"):
		s.messages(w, req, body, rec)
	default:
		rec["kind"] = "other"
		if len(body) > 0 && len(body) < 4096 {
			rec["body"] = string(body)
		}
		s.record(rec)
		if req.Method == http.MethodHead || path == "/" {
			w.WriteHeader(200)
			return
		}
		writeJSON(w, 404, errBody("not_found_error", "no such endpoint in the mock: "+path, ""))
	}
}

// told returns the headers that a test may ask about. Of credentials it says
// only that they are there.
func told(h http.Header) map[string]string {
	told := map[string]string{}
	for _, k := range []string{
		"User-Agent", "Anthropic-Beta", "Anthropic-Version", "X-App",
		"X-Claude-Code-Session-Id", "X-Stainless-Retry-Count", "X-Stainless-Timeout", "Authorization", "X-Api-Key",
	} {
		if v := h.Get(k); v != "" {
			if k == "Authorization" || k == "X-Api-Key" {
				v = "(present)"
			}
			told[k] = v
		}
	}
	return told
}

// messages answers a request for the model's next turn.
func (s *server) messages(w http.ResponseWriter, req *http.Request, body []byte, rec map[string]any) {
	var r messagesRequest
	if err := json.Unmarshal(body, &r); err != nil {
		rec["kind"], rec["error"] = "bad", err.Error()
		s.record(rec)
		writeJSON(w, 400, errBody("invalid_request_error", err.Error(), ""))
		return
	}
	kind := r.kind(s.sysAux)
	sess := cmp.Or(req.Header.Get("X-Claude-Code-Session-Id"), r.Metadata.UserID)
	var t Turn
	var src string
	if kind == "main" {
		t, src = s.next(sess, r.lastUserText())
	} else {
		t, src = s.auxTurn(&r)
	}
	rec["kind"], rec["answered_by"], rec["session"] = kind, src, sess
	r.describe(rec, s.full)
	n := s.record(rec)
	if t.WaitMS > 0 && !sleep(req, time.Duration(t.WaitMS)*time.Millisecond) {
		s.record(map[string]any{"kind": "client_gone", "request": n, "during": "wait"})
		return
	}
	if err := s.reply(w, req, &r, t, fmt.Sprintf("req_mock_%04d", n)); err != nil {
		s.record(map[string]any{"kind": "client_gone", "request": n, "during": "stream", "error": err.Error()})
	}
}

// reply sends the turn, or the error that the script has in its place.
func (s *server) reply(w http.ResponseWriter, req *http.Request, r *messagesRequest, t Turn, id string) error {
	w.Header().Set("Request-Id", id)
	for k, v := range t.Headers {
		w.Header().Set(k, v)
	}
	if t.Error == nil {
		return s.answer(w, req, r, t)
	}
	for k, v := range t.Error.Headers {
		w.Header().Set(k, atTime(v))
	}
	if t.Error.RawBody != "" {
		w.WriteHeader(t.Error.Status)
		_, _ = io.WriteString(w, t.Error.RawBody)
		return nil
	}
	writeJSON(w, t.Error.Status, errBody(cmp.Or(t.Error.Type, "api_error"), cmp.Or(t.Error.Message, "scripted error"), id))
	return nil
}

// atTime returns a header's value; one such as "+20s" is the time so long from now, in Unix
// seconds.
func atTime(value string) string {
	if after, err := time.ParseDuration(value); err == nil && strings.HasPrefix(value, "+") {
		return strconv.FormatInt(time.Now().Add(after).Unix(), 10)
	}
	return value
}

func sleep(req *http.Request, d time.Duration) bool {
	tm := time.NewTimer(d)
	defer tm.Stop()
	select {
	case <-tm.C:
		return true
	case <-req.Context().Done():
		return false
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func errBody(typ, msg, reqID string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": typ, "message": msg}, "request_id": reqID}
}

func head(s string, n int) string {
	if len(s) > n {
		return s[:n] + "..."
	}
	return s
}
