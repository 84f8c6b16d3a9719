package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"beckon/backend/toolserver"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// errAbsent is what an agent reads whose call meets no Beckon, or outlives it.
var errAbsent = errors.New("Beckon is not running, so nobody can answer, and nothing is asked at the moment. Tell the user to start it (the command is: beckon) and ask again; or decide by your best judgment, and say in your final message what you assumed")

// greeting is how long Beckon may take to begin a run.
const greeting = 10 * time.Second

// bridge keeps the connection to Beckon, and makes another after it closed.
type bridge struct {
	dataDir, workDir string
	notify           func(method string, params map[string]any)

	mu      sync.Mutex
	current *connection // nil before the first call
}

// connection is the run that one running Beckon gave us, and the way to it.
type connection struct {
	ctx    context.Context // ends when Beckon closes, or the bridge
	cancel context.CancelFunc
	wire   *transport.StreamableHTTP
	ids    atomic.Int64
}

// connect returns the connection that is open, or makes one.
func (b *bridge) connect(ctx context.Context) (*connection, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.current != nil && b.current.ctx.Err() == nil {
		return b.current, nil
	}
	endpoint, err := find(b.dataDir)
	if err != nil {
		return nil, errAbsent
	}
	c := &connection{}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	token, err := c.begin(endpoint, toolserver.Client{Name: clientOf(ctx), Dir: b.workDir})
	if err == nil {
		err = c.greet(ctx, endpoint.MCP, token.Value, b.forward)
	}
	if err != nil {
		c.cancel()
		return nil, err
	}
	b.current = c
	return c, nil
}

// clientOf names who speaks to us, in its own words.
func clientOf(ctx context.Context) string {
	s, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	if !ok {
		return ""
	}
	info := s.GetClientInfo()
	return strings.TrimSpace(info.Name + " " + info.Version)
}

// begin begins a run. The request stays open for as long as the connection
// lasts, and ends it when Beckon closes it.
func (c *connection) begin(endpoint toolserver.Endpoint, client toolserver.Client) (toolserver.Token, error) {
	slow := time.AfterFunc(greeting, c.cancel)
	defer slow.Stop()
	m, err := meet(c.ctx, endpoint, endpoint.URL, client)
	if err != nil {
		return toolserver.Token{}, err
	}
	go func() {
		defer c.cancel()
		defer m.body.Close()
		_, _ = io.Copy(io.Discard, m.body) // which never says more
	}()
	return m.token, nil
}

// greet begins an MCP session under the run's own token.
func (c *connection) greet(ctx context.Context, url, token string, forward func(mcp.JSONRPCNotification)) error {
	wire, err := transport.NewStreamableHTTP(url, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + token}))
	if err != nil {
		return err
	}
	c.wire = wire
	wire.SetNotificationHandler(forward)
	ctx, cancel := context.WithTimeout(ctx, greeting)
	defer cancel()
	_, err = c.request(ctx, string(mcp.MethodInitialize), mcp.InitializeParams{
		ProtocolVersion: mcp.ProtocolVersion20251125,
		ClientInfo:      mcp.Implementation{Name: "beckon mcp", Version: "1"},
	})
	if err != nil {
		return fmt.Errorf("greet Beckon: %w", err)
	}
	wire.SetProtocolVersion(mcp.ProtocolVersion20251125)
	return c.notify(ctx, "notifications/initialized", nil)
}

func (c *connection) request(ctx context.Context, method string, params any) (*transport.JSONRPCResponse, error) {
	id := mcp.NewRequestId(c.ids.Add(1))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	res, err := c.wire.SendRequest(ctx, transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Method: method, Params: params})
	if err != nil && ctx.Err() != nil && c.ctx.Err() == nil {
		// A connection that breaks is no cancellation; this is.
		c.cancelled(id)
	}
	return res, err
}

func (c *connection) cancelled(id mcp.RequestId) {
	ctx, cancel := context.WithTimeout(c.ctx, greeting)
	defer cancel()
	_ = c.notify(ctx, string(mcp.MethodNotificationCancelled), map[string]any{"requestId": id.Value()})
}

func (c *connection) notify(ctx context.Context, method string, params map[string]any) error {
	return c.wire.SendNotification(ctx, mcp.JSONRPCNotification{
		JSONRPC: mcp.JSONRPC_VERSION,
		Notification: mcp.Notification{
			Method: method,
			Params: mcp.NotificationParams{AdditionalFields: params},
		},
	})
}

// call has Beckon carry out a tool's call. The error is that it could not be
// brought there.
func (c *connection) call(ctx context.Context, params mcp.CallToolParams) (*mcp.CallToolResult, error) {
	res, err := c.request(ctx, string(mcp.MethodToolsCall), params)
	if err != nil {
		return nil, err
	}
	if res.Error != nil {
		return mcp.NewToolResultError(res.Error.Message), nil
	}
	return mcp.ParseCallToolResult(&res.Result)
}

// settle waits a moment after a request broke, in which the end of the connection
// shows if Beckon closed.
func (c *connection) settle(ctx context.Context) {
	select {
	case <-c.ctx.Done():
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}

// forward passes signs of life on; they carry the client's own token.
func (b *bridge) forward(n mcp.JSONRPCNotification) {
	if n.Method == "notifications/progress" {
		b.notify(n.Method, n.Params.AdditionalFields)
	}
}

// close ends the connection, and with it whatever is still asked.
func (b *bridge) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.current != nil {
		b.current.cancel()
	}
}
