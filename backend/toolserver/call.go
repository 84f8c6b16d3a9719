package toolserver

import (
	"context"
	"log/slog"
	"time"

	"beckon/backend/beckon"

	"github.com/mark3labs/mcp-go/mcp"
)

// callKey finds the call in a request's context.
type callKey struct{}

// call is one request: who sent it, where its reply goes, and what it waits
// on. The context that mcp-go and the tools see ends when the client cancels
// the call; conn ends when its connection breaks, which is no cancellation.
type call struct {
	caller *caller
	out    *reply // nil where it came over a Channel, which needs no sign of life
	conn   context.Context

	asking *asking     // nil for all but ask_user
	stay   func() bool // stops watching conn; false if it broke before
}

func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

// waitOn makes a what the call waits on, until its connection breaks.
func (s *Server) waitOn(c *call, a *asking) {
	c.asking = a
	c.stay = context.AfterFunc(c.conn, func() { s.leave(c.caller, a) })
}

// keepAlive shows the client that a call is not dead, where one would give it up.
func (c *call) keepAlive(token mcp.ProgressToken, beat time.Duration) (release func()) {
	if c.out == nil {
		return func() {}
	}
	return c.out.keepAlive(token, beat)
}

// finish sends what is left of the reply. The connection is not looked at
// afterwards, for a client may close it as soon as it has the answer.
func (s *Server) finish(c *call) {
	c.out.end()
	if c.asking != nil && c.stay() {
		s.noteReply(c, c.out.sent())
	}
}

// noteReply notes what became of a question's reply. Only an answer that was
// written whole to a connection that still stood has been delivered; another
// waits for the client to call again.
func (s *Server) noteReply(c *call, written bool) {
	if !written {
		s.leave(c.caller, c.asking)
		return
	}
	if !c.caller.forget(c.asking) || c.asking.question.Settlement != beckon.Answered {
		return
	}
	if err := s.desk.OnAnswerWritten(context.WithoutCancel(c.conn), c.asking.question.ID); err != nil {
		slog.Error("note that an answer was delivered", "err", err, "question", c.asking.question.ID)
	}
}
