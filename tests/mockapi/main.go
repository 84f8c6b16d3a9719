// Command mockapi is a scripted stand-in for the Anthropic Messages API.
//
// It exists so that the real `claude` CLI can be run without any network: it
// plays back a scripted conversation over SSE and records every request the
// CLI makes, so that a test can assert what the model would have seen.
//
//	mockapi -addr 127.0.0.1:8899 -script script.json -log requests.ndjson
//
// See README.md for the script format. Standard library only.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Script is the top level of a script file.
type Script struct {
	// Turns answers main-loop requests, one turn per request, in order.
	Turns []Turn `json:"turns"`
	// Cursor is "global" (default: one cursor for the whole server) or
	// "session" (each CLI session walks through Turns on its own).
	Cursor string `json:"cursor,omitempty"`
	// Exhausted says what happens once Turns is used up: "text" (default,
	// answer OnExhausted), "loop" (start again) or "last" (repeat the last).
	Exhausted   string `json:"exhausted,omitempty"`
	OnExhausted string `json:"on_exhausted,omitempty"`
	// Rules are tried before Turns; the first whose When matches the newest
	// user text (and which is not used up) supplies the turn.
	Rules []Rule `json:"rules,omitempty"`
	// Aux answers requests that are not part of the main loop; the first rule
	// whose When matches the system prompt or the newest user text wins.
	Aux []Rule `json:"aux,omitempty"`
	// Defaults for every turn.
	DelayMS int    `json:"delay_ms,omitempty"` // pause between two deltas
	Chunk   int    `json:"chunk,omitempty"`    // runes in one delta (default 24)
	Usage   *Usage `json:"usage,omitempty"`
}

// Rule is a turn chosen by content rather than by position.
type Rule struct {
	When  string `json:"when"`            // regular expression
	Turn  Turn   `json:"turn"`            //
	Times int    `json:"times,omitempty"` // 0: no limit

	re   *regexp.Regexp
	used int
}

// Turn is one answer of the model: either the shorthand fields (Text, Tool)
// or Blocks, or an HTTP error, or a stream that misbehaves.
type Turn struct {
	Thinking string  `json:"thinking,omitempty"`
	Text     string  `json:"text,omitempty"`
	Tool     string  `json:"tool,omitempty"`
	Input    any     `json:"input,omitempty"`
	Blocks   []Block `json:"blocks,omitempty"`

	StopReason string `json:"stop_reason,omitempty"` // default end_turn / tool_use
	Usage      *Usage `json:"usage,omitempty"`
	DelayMS    *int   `json:"delay_ms,omitempty"` // between deltas, overrides Script.DelayMS
	WaitMS     int    `json:"wait_ms,omitempty"`  // before the first byte of the answer
	Chunk      int    `json:"chunk,omitempty"`

	Headers map[string]string `json:"headers,omitempty"` // extra response headers
	Error   *APIError         `json:"error,omitempty"`   // answer with an HTTP error
	// CutAfter closes the connection after that many deltas (1-based); 0: never.
	CutAfter int `json:"cut_after,omitempty"`
	// Times repeats this turn for that many requests (default 1).
	Times int `json:"times,omitempty"`
}

// Block is one content block of an answer.
type Block struct {
	Thinking string `json:"thinking,omitempty"`
	Text     string `json:"text,omitempty"`
	Tool     string `json:"tool,omitempty"`
	ID       string `json:"id,omitempty"` // tool_use id; default generated
	Input    any    `json:"input,omitempty"`
}

// APIError is an HTTP error answer in the Messages API's format.
type APIError struct {
	Status  int               `json:"status"`
	Type    string            `json:"type,omitempty"`
	Message string            `json:"message,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	RawBody string            `json:"raw_body,omitempty"`
}

// Usage is reported with a turn.
type Usage struct {
	InputTokens              int `json:"input_tokens"`
	CacheCreationInputTokens int `json:"cache_creation_input_tokens"`
	CacheReadInputTokens     int `json:"cache_read_input_tokens"`
	OutputTokens             int `json:"output_tokens"`
}

func loadScript(path string) (*Script, error) {
	s := &Script{}
	if path != "" {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		dec := json.NewDecoder(bytes.NewReader(b))
		dec.DisallowUnknownFields()
		if err := dec.Decode(s); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if s.Chunk <= 0 {
		s.Chunk = 24
	}
	if s.OnExhausted == "" {
		s.OnExhausted = "(end of script)"
	}
	for _, list := range [][]Rule{s.Rules, s.Aux} {
		for i := range list {
			re, err := regexp.Compile(list[i].When)
			if err != nil {
				return nil, fmt.Errorf("rule %q: %w", list[i].When, err)
			}
			list[i].re = re
		}
	}
	var flat []Turn
	for _, t := range s.Turns {
		for n := max(t.Times, 1); n > 0; n-- {
			flat = append(flat, t)
		}
	}
	s.Turns = flat
	return s, nil
}

func (t Turn) blocks() []Block {
	if len(t.Blocks) > 0 {
		return t.Blocks
	}
	var out []Block
	if t.Thinking != "" {
		out = append(out, Block{Thinking: t.Thinking})
	}
	if t.Text != "" {
		out = append(out, Block{Text: t.Text})
	}
	if t.Tool != "" {
		out = append(out, Block{Tool: t.Tool, Input: t.Input})
	}
	return out
}

// messagesRequest holds what the server needs to know of a /v1/messages body.
type messagesRequest struct {
	Model        string          `json:"model"`
	MaxTokens    int             `json:"max_tokens"`
	Stream       bool            `json:"stream"`
	System       json.RawMessage `json:"system"`
	Messages     []message       `json:"messages"`
	Tools        []tool          `json:"tools"`
	ToolChoice   json.RawMessage `json:"tool_choice,omitempty"`
	Thinking     json.RawMessage `json:"thinking,omitempty"`
	OutputConfig json.RawMessage `json:"output_config,omitempty"`
	Temperature  json.RawMessage `json:"temperature,omitempty"`
	Metadata     struct {
		UserID string `json:"user_id"`
	} `json:"metadata"`
}

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type tool struct {
	Name        string          `json:"name"`
	Type        string          `json:"type,omitempty"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
}

// textOf flattens a content value (string or array of blocks) to its text.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct {
		Type    string          `json:"type"`
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return ""
	}
	var sb strings.Builder
	for _, b := range blocks {
		switch {
		case b.Type == "text":
			sb.WriteString(b.Text)
			sb.WriteByte('\n')
		case len(b.Content) > 0:
			sb.WriteString(textOf(b.Content))
			sb.WriteByte('\n')
		}
	}
	return sb.String()
}

func (r *messagesRequest) lastUserText() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return textOf(r.Messages[i].Content)
		}
	}
	return ""
}

// kind tells a main-loop request ("main") from an auxiliary one ("aux":
// session titles, summaries, the auto-mode classifier and the like). A
// main-loop request offers tools and forces none of them; auxiliary ones
// offer none, or force one. Side questions (/btw) do offer tools, and are
// known by their text. The model's name is no criterion: most auxiliary
// requests use the main model.
func (r *messagesRequest) kind(sysAux *regexp.Regexp) string {
	if len(r.Tools) < 1 {
		return "aux"
	}
	if strings.Contains(head(r.lastUserText(), 200), "This is a side question from the user") {
		return "aux"
	}
	if sysAux != nil && sysAux.MatchString(textOf(r.System)) {
		return "aux"
	}
	if len(r.ToolChoice) > 0 {
		var tc struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(r.ToolChoice, &tc)
		if tc.Type == "tool" || tc.Type == "any" {
			return "aux"
		}
	}
	return "main"
}

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
	rec := map[string]any{"method": req.Method, "path": req.URL.RequestURI()}
	hdr := map[string]string{}
	for _, k := range []string{
		"User-Agent", "Anthropic-Beta", "Anthropic-Version", "X-App",
		"X-Claude-Code-Session-Id", "X-Stainless-Retry-Count", "X-Stainless-Timeout", "Authorization", "X-Api-Key",
	} {
		if v := req.Header.Get(k); v != "" {
			if k == "Authorization" || k == "X-Api-Key" {
				v = "(present)"
			}
			hdr[k] = v
		}
	}
	rec["headers"] = hdr

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

func (s *server) messages(w http.ResponseWriter, req *http.Request, body []byte, rec map[string]any) {
	var r messagesRequest
	if err := json.Unmarshal(body, &r); err != nil {
		rec["kind"], rec["error"] = "bad", err.Error()
		s.record(rec)
		writeJSON(w, 400, errBody("invalid_request_error", err.Error(), ""))
		return
	}
	kind := r.kind(s.sysAux)
	sess := req.Header.Get("X-Claude-Code-Session-Id")
	if sess == "" {
		sess = r.Metadata.UserID
	}
	var t Turn
	var src string
	if kind == "main" {
		t, src = s.next(sess, r.lastUserText())
	} else {
		t, src = s.auxTurn(&r)
	}

	rec["kind"], rec["answered_by"], rec["session"] = kind, src, sess
	rec["model"], rec["max_tokens"], rec["stream"] = r.Model, r.MaxTokens, r.Stream
	names := []string{}
	for _, tl := range r.Tools {
		names = append(names, tl.Name)
	}
	rec["tool_names"] = names
	for k, v := range map[string]json.RawMessage{
		"thinking": r.Thinking, "tool_choice": r.ToolChoice,
		"output_config": r.OutputConfig, "temperature": r.Temperature,
	} {
		if len(v) > 0 {
			rec[k] = v
		}
	}
	rec["messages"] = r.Messages
	if s.full {
		rec["system"], rec["tools"] = r.System, r.Tools
	} else {
		rec["system_chars"] = len(textOf(r.System))
		rec["system_head"] = head(textOf(r.System), 300)
	}
	n := s.record(rec)

	if t.WaitMS > 0 && !sleep(req, time.Duration(t.WaitMS)*time.Millisecond) {
		s.record(map[string]any{"kind": "client_gone", "request": n, "during": "wait"})
		return
	}
	reqID := fmt.Sprintf("req_mock_%04d", n)
	w.Header().Set("Request-Id", reqID)
	for k, v := range t.Headers {
		w.Header().Set(k, v)
	}
	if e := t.Error; e != nil {
		for k, v := range e.Headers {
			w.Header().Set(k, v)
		}
		if e.RawBody != "" {
			w.WriteHeader(e.Status)
			_, _ = io.WriteString(w, e.RawBody)
			return
		}
		writeJSON(w, e.Status, errBody(orStr(e.Type, "api_error"), orStr(e.Message, "scripted error"), reqID))
		return
	}
	if err := s.answer(w, req, &r, t); err != nil {
		s.record(map[string]any{"kind": "client_gone", "request": n, "during": "stream", "error": err.Error()})
	}
}

// answer sends the turn, as SSE when the client asked for a stream.
func (s *server) answer(w http.ResponseWriter, req *http.Request, r *messagesRequest, t Turn) error {
	blocks := t.blocks()
	usage := t.Usage
	if usage == nil {
		usage = s.script.Usage
	}
	if usage == nil {
		usage = &Usage{InputTokens: 1000, OutputTokens: 50}
	}
	stop := t.StopReason
	content := []map[string]any{}
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.Tool != "":
			if b.ID == "" {
				b.ID = fmt.Sprintf("toolu_mock_%06d", s.ids.Add(1))
			}
			if b.Input == nil {
				b.Input = map[string]any{}
			}
			content = append(content, map[string]any{"type": "tool_use", "id": b.ID, "name": b.Tool, "input": b.Input})
			if stop == "" {
				stop = "tool_use"
			}
		case b.Thinking != "":
			content = append(content, map[string]any{"type": "thinking", "thinking": b.Thinking, "signature": "bW9jaw=="})
		default:
			content = append(content, map[string]any{"type": "text", "text": b.Text})
		}
	}
	if stop == "" {
		stop = "end_turn"
	}
	msgID := fmt.Sprintf("msg_mock_%06d", s.ids.Add(1))
	msg := map[string]any{
		"id": msgID, "type": "message", "role": "assistant", "model": r.Model,
		"content": content, "stop_reason": stop, "stop_sequence": nil, "usage": usageMap(usage, usage.OutputTokens),
	}
	if !r.Stream {
		writeJSON(w, 200, msg)
		return nil
	}

	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(200)
	fl, _ := w.(http.Flusher)
	delay := s.script.DelayMS
	if t.DelayMS != nil {
		delay = *t.DelayMS
	}
	size := s.script.Chunk
	if t.Chunk > 0 {
		size = t.Chunk
	}
	deltas := 0
	emit := func(ev string, data map[string]any) error {
		data["type"] = ev
		b, err := json.Marshal(data)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", ev, b); err != nil {
			return err
		}
		if fl != nil {
			fl.Flush()
		}
		return nil
	}
	errCut := errors.New("cut by script")
	delta := func(i int, d map[string]any) error {
		if delay > 0 && !sleep(req, time.Duration(delay)*time.Millisecond) {
			return errors.New("client closed the connection")
		}
		if err := emit("content_block_delta", map[string]any{"index": i, "delta": d}); err != nil {
			return err
		}
		deltas++
		if t.CutAfter > 0 && deltas >= t.CutAfter {
			return errCut
		}
		return nil
	}
	start := map[string]any{}
	for k, v := range msg {
		start[k] = v
	}
	start["content"], start["stop_reason"], start["usage"] = []any{}, nil, usageMap(usage, 1)
	if err := emit("message_start", map[string]any{"message": start}); err != nil {
		return err
	}
	for i, b := range blocks {
		var open map[string]any
		var kind, field, payload string
		switch {
		case b.Tool != "":
			open = map[string]any{"type": "tool_use", "id": b.ID, "name": b.Tool, "input": map[string]any{}}
			js, _ := json.Marshal(b.Input)
			kind, field, payload = "input_json_delta", "partial_json", string(js)
		case b.Thinking != "":
			open = map[string]any{"type": "thinking", "thinking": "", "signature": ""}
			kind, field, payload = "thinking_delta", "thinking", b.Thinking
		default:
			open = map[string]any{"type": "text", "text": ""}
			kind, field, payload = "text_delta", "text", b.Text
		}
		err := emit("content_block_start", map[string]any{"index": i, "content_block": open})
		for _, part := range chunks(payload, size) {
			if err == nil {
				err = delta(i, map[string]any{"type": kind, field: part})
			}
		}
		if err == nil && b.Thinking != "" {
			err = delta(i, map[string]any{"type": "signature_delta", "signature": "bW9jaw=="})
		}
		if err == nil {
			err = emit("content_block_stop", map[string]any{"index": i})
		}
		if errors.Is(err, errCut) {
			if hj, ok := w.(http.Hijacker); ok {
				if c, _, e := hj.Hijack(); e == nil {
					_ = c.Close()
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	err := emit("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil},
		"usage": usageMap(usage, usage.OutputTokens),
	})
	if err != nil {
		return err
	}
	return emit("message_stop", map[string]any{})
}

func usageMap(u *Usage, out int) map[string]any {
	return map[string]any{
		"input_tokens":                u.InputTokens,
		"cache_creation_input_tokens": u.CacheCreationInputTokens,
		"cache_read_input_tokens":     u.CacheReadInputTokens,
		"output_tokens":               out,
		"service_tier":                "standard",
	}
}

func chunks(s string, n int) []string {
	r := []rune(s)
	var out []string
	for len(r) > n {
		out, r = append(out, string(r[:n])), r[n:]
	}
	return append(out, string(r))
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

func orStr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8899", "loopback address to listen on (port 0: any)")
	script := flag.String("script", "", "script file (JSON); without it every answer is a short text")
	logPath := flag.String("log", "", "append every request to this file, one JSON object a line")
	full := flag.Bool("log-full", false, "also log system prompts and tool definitions")
	ready := flag.String("ready", "", "write the base URL to this file once listening")
	auxSystem := flag.String("aux-system", "", "regular expression: requests whose system prompt matches are auxiliary")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("mockapi: ")

	sc, err := loadScript(*script)
	if err != nil {
		log.Fatal(err)
	}
	srv := &server{script: sc, full: *full, started: time.Now(), cursors: map[string]int{}}
	if *auxSystem != "" {
		if srv.sysAux, err = regexp.Compile(*auxSystem); err != nil {
			log.Fatal(err)
		}
	}
	if *logPath != "" {
		f, err := os.OpenFile(*logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		srv.logw = f
	}
	host, _, err := net.SplitHostPort(*addr)
	if err != nil {
		log.Fatal(err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		log.Fatalf("refusing to listen on %s: loopback addresses only", *addr)
	}
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	url := "http://" + ln.Addr().String()
	if *ready != "" {
		if err := os.WriteFile(*ready, []byte(url+"\n"), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	log.Printf("listening on %s, %d scripted turns", url, len(sc.Turns))
	log.Fatal(http.Serve(ln, srv))
}
