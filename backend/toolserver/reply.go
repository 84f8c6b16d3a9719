package toolserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// reply writes the answer to one POST. mcp-go sends headers with its answer,
// or with its first notification, which it may hand to another request of the
// session; a blocked call needs them before, and on its own stream. So keepAlive
// turns the reply into an event stream, and what mcp-go writes later becomes
// the stream's last event. mcp-go writes plain JSON only, as a reply hides
// that it can flush. It can go when mcp-go has an option that sends headers
// while the handler runs.
type reply struct {
	http.ResponseWriter
	events bool // the client takes an event stream

	mu      sync.Mutex
	alive   bool
	stream  bool
	next    *time.Timer // to the next sign of life
	status  int         // of an answer without a stream, not sent yet
	written bool        // the whole answer, without an error
}

func newReply(w http.ResponseWriter, r *http.Request) *reply {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return &reply{ResponseWriter: w, events: strings.Contains(accept, "text/event-stream")}
}

// Unwrap lets http.ResponseController reach the connection.
func (r *reply) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// keepAlive keeps the reply's connection alive until the returned function is
// called: headers and a first sign of life after a moment, in which an answer
// that is there already can be sent without them, and another sign each beat.
// The sign is a progress notification for token, or a comment if it is nil.
func (r *reply) keepAlive(token mcp.ProgressToken, beat time.Duration) (release func()) {
	if !r.events {
		return func() {}
	}
	began := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alive = true
	r.next = time.AfterFunc(moment, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.alive {
			r.live(token, time.Since(began))
			r.next.Reset(beat)
		}
	})
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.alive = false
		r.next.Stop()
	}
}

// live sends a sign of life, and before the first one the headers. A client
// that is gone is noticed by the request's context, so errors tell nothing
// more. The caller holds mu.
func (r *reply) live(token mcp.ProgressToken, since time.Duration) {
	if !r.stream {
		r.stream = true
		r.Header().Set("Content-Type", "text/event-stream")
		r.ResponseWriter.WriteHeader(http.StatusOK)
	}
	_, _ = r.ResponseWriter.Write(sign(token, since))
	_ = http.NewResponseController(r.ResponseWriter).Flush()
}

// WriteHeader waits for the answer's length, and is ignored once the stream is
// open.
func (r *reply) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// Write takes the answer from mcp-go, which writes it in one piece.
func (r *reply) Write(message []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stream {
		_, err := r.ResponseWriter.Write(event(message))
		r.written = err == nil
		return len(message), err
	}
	r.Header().Set("Content-Length", strconv.Itoa(len(message)))
	r.begin()
	n, err := r.ResponseWriter.Write(message)
	r.written = err == nil
	return n, err
}

// begin sends the headers of an answer without a stream. The caller holds mu.
func (r *reply) begin() {
	if r.status != 0 {
		r.ResponseWriter.WriteHeader(r.status)
		r.status = 0
	}
}

// end sends the headers of an answer that has no more than them.
func (r *reply) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stream {
		r.begin()
	}
}

// sent pushes the answer out of the server's buffers, and reports whether there
// was one and nothing stood in its way.
func (r *reply) sent() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.written && http.NewResponseController(r.ResponseWriter).Flush() == nil
}

func event(message []byte) []byte {
	var b bytes.Buffer
	b.WriteString("event: message\ndata: ")
	b.Write(bytes.TrimRight(message, "\n"))
	b.WriteString("\n\n")
	return b.Bytes()
}

// sign is one sign of life. Progress must grow; it counts seconds.
func sign(token mcp.ProgressToken, since time.Duration) []byte {
	if token == nil {
		return []byte(": waiting\n\n")
	}
	message, err := json.Marshal(map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION,
		"method":  "notifications/progress",
		"params": map[string]any{
			"progressToken": token,
			"progress":      since.Seconds(),
			"message":       "waiting for the user",
		},
	})
	if err != nil { // a token that came as JSON goes as JSON
		panic(err)
	}
	return event(message)
}

// refusal is the body of a request that never reached MCP, readable to a
// person, a program and an MCP client.
type refusal struct {
	Code    string                  `json:"code"`
	Message string                  `json:"message"`
	JSONRPC string                  `json:"jsonrpc"`
	ID      any                     `json:"id"` // null: the message was not read
	Error   mcp.JSONRPCErrorDetails `json:"error"`
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(refusal{
		Code: code, Message: message, JSONRPC: mcp.JSONRPC_VERSION,
		Error: mcp.JSONRPCErrorDetails{Code: mcp.INVALID_REQUEST, Message: message},
	})
}
