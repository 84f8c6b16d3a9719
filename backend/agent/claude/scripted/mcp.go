package scripted

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"beckon/backend/agent/claude"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// servers are the MCP servers that the host named when it began, which it answers
// for. As the CLI does, they are connected to when the first turn begins.
type servers struct {
	mu   sync.Mutex // guards list
	list []*connection
}

// connection is one of them.
type connection struct {
	name   string
	client *client.Client // nil for one of the user's, which has no tools
	tools  []string
	err    error // why it could not be connected to
	tried  bool  // what is above is known

	mu    sync.Mutex // guards calls
	calls int
}

// add adds the servers that the host names.
func (s *servers) add(list []*connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, list...)
}

// down has the user's servers of scripts, which fail.
func down(scripts []*script) (list []*connection) {
	for _, s := range scripts {
		for _, name := range s.down {
			list = append(list, &connection{name: name, tried: true, err: errors.New("connection refused")})
		}
	}
	return list
}

// reconnect connects a server again, of which the host's have no connection. Its
// error is the CLI's.
func (s *servers) reconnect(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.list {
		switch {
		case c.name != name:
		case c.client != nil:
			return errors.New("SDK servers should be handled in print.ts")
		default:
			c.err = nil
			return nil
		}
	}
	return errors.New("Server not found: " + name)
}

// connect connects to those that are not yet, which an interrupt does not end.
func (s *servers) connect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for _, c := range s.list {
		if !c.tried {
			c.err, c.tried = c.open(ctx), true
		}
	}
}

// known returns the servers that were connected to.
func (s *servers) known() []*connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.list), func(c *connection) bool { return !c.tried })
}

func (c *connection) open(ctx context.Context) error {
	if err := c.client.Start(ctx); err != nil {
		return err
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = "2025-11-25"
	hello.Params.ClientInfo = mcp.Implementation{Name: "claude-code", Version: version}
	if _, err := c.client.Initialize(ctx, hello); err != nil {
		return err
	}
	found, err := c.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return err
	}
	for _, tool := range found.Tools {
		c.tools = append(c.tools, tool.Name)
	}
	return nil
}

func (c *connection) status() string {
	if c.err != nil {
		return "failed"
	}
	return "connected"
}

// status is the reply to mcp_status.
func (s *servers) status() []object {
	list := []object{}
	for _, c := range s.known() {
		line := object{"name", c.name, "status", c.status(), "scope", "dynamic"}
		if c.err != nil {
			line = append(line, "error", c.err.Error())
		}
		list = append(list, line)
	}
	return list
}

func (s *servers) brief() []object {
	list := []object{}
	for _, c := range s.known() {
		list = append(list, object{"name", c.name, "status", c.status()})
	}
	return list
}

func (s *servers) toolNames() []string {
	var names []string
	for _, c := range s.known() {
		for _, tool := range c.tools {
			names = append(names, "mcp__"+c.name+"__"+tool)
		}
	}
	return names
}

// host is the way to a server that the host answers for: control requests.
type host struct {
	agent *agent
	name  string
}

func (a *agent) connectionTo(name string) *connection {
	return &connection{name: name, client: client.NewClient(&host{a, name})}
}

// Start implements transport.Interface, as do the methods below.
func (h *host) Start(context.Context) error { return nil }

// Close has nothing to close.
func (h *host) Close() error { return nil }

// GetSessionId names no session.
func (h *host) GetSessionId() string { return "" }

// SetNotificationHandler is for notifications, which the host cannot send.
func (h *host) SetNotificationHandler(func(mcp.JSONRPCNotification)) {}

// SendRequest asks the host, and waits without limit.
func (h *host) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	return h.send(ctx, r)
}

// SendNotification tells the host, which replies to that as well.
func (h *host) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	_, err := h.send(ctx, n)
	return err
}

func (h *host) send(ctx context.Context, message any) (*transport.JSONRPCResponse, error) {
	line, err := h.agent.request(ctx, object{"subtype", claude.MCPMessage, "server_name", h.name, "message", message})
	if err != nil {
		return nil, err
	}
	var r struct {
		Response struct {
			Subtype  string `json:"subtype"`
			Error    string `json:"error"`
			Response struct {
				MCP transport.JSONRPCResponse `json:"mcp_response"`
			} `json:"response"`
		} `json:"response"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	if r.Response.Subtype != "success" {
		return nil, errors.New(r.Response.Error)
	}
	return &r.Response.Response.MCP, nil
}

// askUserCall is the tool by which an agent asks through Beckon.
func askUserCall(t *turn, s step) (call, error) {
	return mcpCall(t, step{verb: "mcp", args: "ask_user " + s.args})
}

func mcpCall(t *turn, s step) (call, error) {
	args, err := t.operands(s.args, 2)
	if err != nil {
		return call{}, err
	}
	if !json.Valid([]byte(args[1])) {
		return call{}, fmt.Errorf("no JSON: %s", args[1])
	}
	known := t.mcp.known()
	i := slices.IndexFunc(known, func(c *connection) bool { return c.client != nil })
	if i < 0 {
		return call{}, errors.New("the host named no server")
	}
	c, tool, input := known[i], args[0], json.RawMessage(args[1])
	return call{"mcp__" + c.name + "__" + tool, input, func(ctx context.Context, id string) outcome {
		r, said := c.call(ctx, tool, id, input)
		t.setAnswer(said)
		return r
	}}, nil
}

// said is what ${answer} stands for after a tool's reply: the answers alone
// where it is ask_user's, else its text.
func said(reply *mcp.CallToolResult, text string) string {
	var structured struct {
		Answers []struct {
			Labels []string
			Other  string
		}
	}
	raw, err := json.Marshal(reply.StructuredContent)
	if err != nil || json.Unmarshal(raw, &structured) != nil || len(structured.Answers) == 0 {
		return text
	}
	var given []string
	for _, a := range structured.Answers {
		if a.Other != "" {
			a.Labels = append(a.Labels, a.Other)
		}
		given = append(given, strings.Join(a.Labels, ", "))
	}
	return strings.Join(given, "; ")
}

// call makes one tools/call. When ctx ends the server is sent
// notifications/cancelled. The second result is what was said.
func (c *connection) call(ctx context.Context, tool, id string, input json.RawMessage) (outcome, string) {
	if c.err != nil {
		return failure("MCP server \"" + c.name + "\" is not connected"), ""
	}
	c.mu.Lock()
	c.calls++
	token := c.calls
	c.mu.Unlock()
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, input
	request.Params.Meta = &mcp.Meta{ProgressToken: token, AdditionalFields: map[string]any{"claudecode/toolUseId": id}}
	reply, err := c.client.CallTool(ctx, request)
	if err != nil {
		return failure(err.Error()), err.Error()
	}
	blocks, first := []object{}, ""
	for _, content := range reply.Content {
		if text, ok := content.(mcp.TextContent); ok {
			blocks = append(blocks, object{"type", "text", "text", text.Text})
			first = cmp.Or(first, text.Text)
		}
	}
	return outcome{content: blocks, detail: blocks, failed: reply.IsError}, said(reply, first)
}
