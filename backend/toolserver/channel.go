package toolserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"

	"beckon/backend/beckon"

	"github.com/mark3labs/mcp-go/server"
)

// Channel is a run's door to the tools: JSON-RPC messages that its agent sends
// over the control channel, and that Receive takes one after the other. There
// is no connection that could break and no limit to how long a call may wait.
type Channel struct {
	server  *Server
	caller  *caller
	session server.ClientSession // under which mcp-go keeps its calls

	mu   sync.Mutex
	open map[string]*handling // by the id that the client gave the request
}

// handling is a request that is being answered.
type handling struct{ cancel context.CancelFunc }

// nothing answers a message that wants no answer: the control request that
// brought it does.
var nothing = json.RawMessage(`{"jsonrpc":"2.0","id":0,"result":{}}`)

// Open lets a run call, as Admit does, and returns a door of its own too. Once
// the token is dismissed, what comes through either is refused.
func (s *Server) Open(c Caller) (channel *Channel, token string) {
	known, token := s.admit(c)
	return &Channel{
		server: s, caller: known, session: server.NewInProcessSession(rand.Text(), nil),
		open: map[string]*handling{},
	}, token
}

// Receive takes a message, and returns what answers it, which may block as long
// as a person does. Receive itself does not, and is called in the order in which
// the messages came: a cancellation finds the request before it. The context
// ends with the run; answer gives its reply to write, and returns its error.
func (c *Channel) Receive(ctx context.Context, message json.RawMessage) (answer func(write func(json.RawMessage) error) error) {
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	_ = json.Unmarshal(message, &head) // of what is no message mcp-go says so
	if head.Method == "notifications/cancelled" {
		c.cancel(string(head.Params.RequestID))
	}
	at := &call{caller: c.caller, conn: ctx}
	handled, done := c.begin(ctx, string(head.ID))
	handled = context.WithValue(handled, callKey{}, at)
	return func(write func(json.RawMessage) error) error {
		defer done()
		reply, err := c.handle(handled, message)
		if err != nil {
			return err
		}
		err = write(reply)
		if at.asking != nil && at.stay() {
			c.server.noteReply(at, err == nil)
		}
		return err
	}
}

// handle has mcp-go answer a message.
func (c *Channel) handle(ctx context.Context, message json.RawMessage) (json.RawMessage, error) {
	if c.caller.ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %w", context.Cause(c.caller.ctx), beckon.ErrConflict)
	}
	reply := c.server.tools.HandleMessage(c.server.tools.WithContext(ctx, c.session), message)
	if reply == nil {
		return nothing, nil
	}
	return json.Marshal(reply)
}

// begin notes a request, so that it can be cancelled. Its context does not end
// with the run's, which is no cancellation: the run says what becomes of what it
// asked.
func (c *Channel) begin(run context.Context, id string) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(run))
	h := &handling{cancel}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[id] = h
	return ctx, func() {
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open[id] == h {
			delete(c.open, id)
		}
	}
}

// cancel ends a request that the client does not wait for any more.
func (c *Channel) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.open[id]; h != nil {
		h.cancel()
	}
}
