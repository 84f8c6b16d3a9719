// Package toolserver lends agents Beckon's tools: an MCP server (mcp-go) with
// two doors. Beckon's own runs reach it over their agent's control channel, by
// Channel; every other program over streamable HTTP, at /mcp on a loopback port
// that the system chooses.
//
// A caller is known by a token that each run is given and that dies with it;
// what a caller may do never reaches beyond its own run. A call that is blocked
// over HTTP has its SSE headers at once and a sign of life every ten seconds,
// because Claude's client gives up after 60 s without the former and 300 s
// without the latter. A connection that breaks does not end a question: a client that
// calls again within a grace period gets it back. The package puts a question
// to the functions it was given; it knows neither the desk nor the run.
package toolserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/loopback"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Path is where the server speaks MCP.
const Path = "/mcp"

const (
	// beat is the time between two signs of life of a blocked call.
	beat = 10 * time.Second
	// moment is how long a call may take to be answered without a stream.
	moment = 10 * time.Millisecond
	// grace is the time in which a client whose connection broke can call
	// again and meet its question.
	grace = 15 * time.Second
	// sessionTTL is how long mcp-go keeps what it remembers of a silent
	// session; nothing is lost with it.
	sessionTTL = time.Hour
)

// Desk is where the server puts what agents say.
type Desk struct {
	// Ask puts a question to the user and returns it settled: answered, or
	// expired with a Reason for the agent. It closes the question when the
	// context ends.
	Ask func(context.Context, beckon.Question) (beckon.Question, error)
	// Assume keeps an assumption, which is in q, with the question of the run that it is
	// about, or by itself, and returns what it was kept with; beckon.ErrNotFound: there is
	// nothing that it can be about.
	Assume func(ctx context.Context, q beckon.Question) (beckon.Question, error)
	// OnAnswerWritten is called for an answer that was written to the agent.
	OnAnswerWritten func(ctx context.Context, questionID string) error
	// OnUndelivered is called for an answer whose call the client never repeated,
	// though its run lives.
	OnUndelivered func(beckon.Question)
	// BeginExternalRun gives a program that Beckon did not start a run to ask
	// under, until end is called.
	BeginExternalRun func(ctx context.Context) (c Caller, end func(), err error)
	// OnHook puts to the user what a session elsewhere asks, and returns the
	// output of its hook; nil leaves the session to its terminal. The context ends
	// with the hook.
	OnHook func(context.Context, HookCall) json.RawMessage
	// HasRepositories reports whether the task of a run may open further repositories of its
	// project; OpenRepository opens one, by its name, and returns the folder. Both may be nil.
	HasRepositories func(ctx context.Context, runID string) bool
	OpenRepository  func(ctx context.Context, runID, name string) (dir string, err error)
	// OnStart makes a card of a template.
	OnStart func(context.Context, StartCall) (beckon.Task, error)
}

// Server is the MCP server. It serves from Listen to Close.
type Server struct {
	desk   Desk
	beat   time.Duration
	grace  time.Duration
	base   string          // of its URLs
	secret loopback.Secret // that clients prove to know
	tools  *server.MCPServer
	mcp    *server.StreamableHTTPServer // tools, over HTTP
	http   *loopback.Server

	ctx    context.Context // ends with the service, and all callers with it
	cancel context.CancelCauseFunc

	served chan struct{} // closed when err is what ended the service
	err    error

	mu      sync.RWMutex
	callers map[tokenHash]*caller
}

// Listen starts the server on a free port of 127.0.0.1.
func Listen(d Desk) (*Server, error) {
	ln, err := loopback.Listen("127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for agents: %w", err)
	}
	s := &Server{
		desk:    d,
		beat:    beat,
		grace:   grace,
		base:    "http://" + ln.Addr().String(),
		secret:  loopback.NewSecret(),
		served:  make(chan struct{}),
		callers: map[tokenHash]*caller{},
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.tools = Offer(s.askUser, s.recordAssumption, s.offered())
	s.tools.AddTool(repositoryTool(), s.openRepository)
	s.mcp = server.NewStreamableHTTPServer(s.tools,
		server.WithSessionIdManagerResolver(sessions{}),
		server.WithSessionIdleTTL(sessionTTL),
		// The GET stream would take notifications from the call they belong
		// to, whichever reads first.
		server.WithDisableStreaming(true),
		server.WithStreamableHTTPProtocolVersions(sessionVersions...))
	s.http = loopback.NewServer(s.handler())
	go func() {
		defer close(s.served)
		s.err = s.http.Serve(ln)
	}()
	return s, nil
}

// Offer returns an MCP server that describes Beckon's tools and has the two
// handlers carry them out.
func Offer(ask, assume server.ToolHandlerFunc, more ...server.ServerOption) *server.MCPServer {
	m := server.NewMCPServer("beckon", "1", append(more,
		server.WithTitle("Beckon"),
		server.WithInstructions(instructions),
		server.WithToolCapabilities(false),
		server.WithRecovery())...)
	m.AddTool(askUserTool(), ask)
	m.AddTool(assumeTool(), assume)
	return m
}

// sessionVersions are the protocol versions that have sessions. Without them
// mcp-go keeps the open calls of all callers under one empty session id, and
// one run could cancel another's by its number.
var sessionVersions = []string{
	mcp.ProtocolVersion20251125,
	mcp.ProtocolVersion20250618,
	mcp.ProtocolVersion20250326,
}

// URL is where agents reach the server.
func (s *Server) URL() string { return s.base + Path }

// Close closes every open question and stops the server. It waits for the
// open requests until ctx ends, then cuts them.
func (s *Server) Close(ctx context.Context) error {
	s.cancel(errQuit)
	err := errors.Join(s.mcp.Shutdown(ctx), s.http.Shutdown(ctx))
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	<-s.served
	if !errors.Is(s.err, http.ErrServerClosed) {
		err = errors.Join(err, s.err)
	}
	return err
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(Path, s.known(loopback.Body(http.HandlerFunc(s.serveMCP), loopback.Options{})))
	mux.Handle(externalPath, s.authorizeClients(loopback.Body(http.HandlerFunc(s.serveClient), loopback.Options{})))
	mux.Handle(hookPath, s.authorizeClients(loopback.Body(http.HandlerFunc(s.serveHook), loopback.Options{})))
	mux.Handle(startPath, s.authorizeClients(loopback.Body(http.HandlerFunc(s.serveStart), loopback.Options{})))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "not_found", "there is nothing here; MCP is at "+Path)
	})
	return loopback.Middleware(mux, loopback.Options{})
}

// known lets requests of admitted callers through to next.
func (s *Server) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := s.callerOf(r)
		if c == nil {
			unauthorized(w, "the token is missing or wrong, or its run has ended")
			return
		}
		at := &call{caller: c, out: newReply(w, r), conn: r.Context()}
		defer s.finish(at)
		ctx := context.WithValue(context.WithoutCancel(r.Context()), callKey{}, at)
		next.ServeHTTP(at.out, r.WithContext(ctx))
	})
}

func unauthorized(w http.ResponseWriter, message string) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	refuse(w, http.StatusUnauthorized, "unauthorized", message)
}

func (s *Server) serveMCP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		s.mcp.ServeHTTP(w, r)
	case http.MethodDelete:
		if _, err := callOf(r.Context()).caller.Validate(r.Header.Get(server.HeaderKeySessionID)); err != nil {
			refuse(w, http.StatusNotFound, "not_found", "there is no such session")
			return
		}
		s.mcp.ServeHTTP(w, r)
	default:
		w.Header().Set("Allow", "POST, DELETE")
		refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "MCP messages are sent by POST")
	}
}
