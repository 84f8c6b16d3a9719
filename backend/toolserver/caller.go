package toolserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"

	"github.com/mark3labs/mcp-go/server"
)

// Caller is the run that a token stands for, and how its questions wait.
type Caller struct {
	RunID, TaskID string
	Policy        beckon.Policy
	WaitMs        int64
	Agent         string // named on its questions; empty for the run's main agent
	Origin        string // who asks from outside Beckon, and from where
}

// Why the open calls of a caller end that is dismissed.
var (
	errDismissed = reason.Of(reason.RunEnded).Err()
	errQuit      = reason.Of(reason.AskAgain).Err()
)

// tokenHash is what the server remembers of a token. Looking up a hash takes
// no time that tells how much of a guess was right.
type tokenHash [sha256.Size]byte

// caller is an admitted run. It hands out its MCP session ids, so that one
// caller's session is unknown to every other.
type caller struct {
	Caller
	ctx     context.Context // ends when the caller is dismissed
	dismiss context.CancelCauseFunc

	mu       sync.Mutex
	sessions map[string]bool
	asked    map[askingKey][]*asking // whose answer has not reached the agent
}

// Admit lets a run call, and returns its token: 256 random bits, to be sent as
// "Authorization: Bearer TOKEN" and nowhere else.
func (s *Server) Admit(c Caller) (token string) {
	_, token = s.admit(c)
	return token
}

func (s *Server) admit(c Caller) (admitted *caller, token string) {
	token = newToken()
	ctx, dismiss := context.WithCancelCause(s.ctx)
	admitted = &caller{
		Caller: c, ctx: ctx, dismiss: dismiss,
		sessions: map[string]bool{}, asked: map[askingKey][]*asking{},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.callers[sha256.Sum256([]byte(token))] = admitted
	return admitted, token
}

func newToken() string {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(secret)
}

// Dismiss makes a token worthless at once and ends its open calls, which
// closes their questions. A token that is not known is no error.
func (s *Server) Dismiss(token string) {
	hash := tokenHash(sha256.Sum256([]byte(token)))
	s.mu.Lock()
	c := s.callers[hash]
	delete(s.callers, hash)
	s.mu.Unlock()
	if c != nil {
		// Both may happen at once, and closing is the reason then.
		c.dismiss(cmp.Or(context.Cause(s.ctx), errDismissed))
	}
}

// callerOf returns which run sent r, or nil.
func (s *Server) callerOf(r *http.Request) *caller {
	token := bearer(r)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.callers[sha256.Sum256([]byte(token))]
}

// bearer returns r's token, or "". Only the header counts: a token in a URL
// would end up in logs.
func bearer(r *http.Request) string {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

// sessions gives mcp-go the session id of the client that sends a request.
type sessions struct{}

// ResolveSessionIdManager is called with nil where mcp-go tidies up on its own.
func (sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil {
		return &server.StatelessSessionIdManager{}
	}
	return callOf(r.Context()).caller
}

// Generate begins a session, with an id that cannot be guessed.
func (c *caller) Generate() string {
	id := rand.Text()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[id] = true
	return id
}

// Validate refuses, with 404, a session that is not this caller's.
func (c *caller) Validate(id string) (terminated bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sessions[id] {
		return false, beckon.ErrNotFound
	}
	return false, nil
}

// Terminate ends a session at its client's wish.
func (c *caller) Terminate(id string) (refused bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sessions[id] {
		return false, beckon.ErrNotFound
	}
	delete(c.sessions, id)
	return false, nil
}
