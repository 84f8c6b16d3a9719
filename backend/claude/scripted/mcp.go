package scripted

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// servers are the MCP servers of --mcp-config, which are connected to in the
// background, as the CLI does.
type servers struct {
	list   []*connection
	giveUp context.CancelFunc // on those still being connected to
}

// connection is one of them.
type connection struct {
	server
	client *client.Client
	tried  chan struct{} // closed when err and tools are set
	err    error
	tools  []string

	mu    sync.Mutex // guards calls
	calls int
}

func connect(list []server) *servers {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	s := &servers{giveUp: cancel}
	for _, one := range list {
		c := &connection{server: one, tried: make(chan struct{})}
		s.list = append(s.list, c)
		go c.open(ctx)
	}
	return s
}

func (s *servers) close() {
	s.giveUp()
	for _, c := range s.list {
		<-c.tried
		if c.client != nil {
			_ = c.client.Close()
		}
	}
}

// open connects until ctx ends.
func (c *connection) open(ctx context.Context) {
	defer close(c.tried)
	c.client, c.err = client.NewStreamableHttpClient(c.URL, transport.WithHTTPHeaders(c.Headers))
	if c.err != nil {
		return
	}
	if c.err = c.client.Start(context.Background()); c.err != nil {
		return
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = "2025-11-25"
	hello.Params.ClientInfo = mcp.Implementation{Name: "claude-code", Version: version}
	if _, c.err = c.client.Initialize(ctx, hello); c.err != nil {
		return
	}
	found, err := c.client.ListTools(ctx, mcp.ListToolsRequest{})
	if c.err = err; err != nil {
		return
	}
	for _, tool := range found.Tools {
		c.tools = append(c.tools, tool.Name)
	}
}

func (c *connection) status() string {
	select {
	case <-c.tried:
		if c.err != nil {
			return "failed"
		}
		return "connected"
	default:
		return "pending"
	}
}

// status is the reply to mcp_status; the CLI too shows headers in clear.
func (s *servers) status() []object {
	list := []object{}
	for _, c := range s.list {
		line := object{"name", c.name, "status", c.status(), "scope", "dynamic", "config", object{
			"type", c.Type, "url", c.URL, "headers", c.Headers,
		}}
		if c.status() == "failed" {
			line = append(line, "error", c.err.Error())
		}
		list = append(list, line)
	}
	return list
}

func (s *servers) brief() []object {
	list := []object{}
	for _, c := range s.list {
		list = append(list, object{"name", c.name, "status", c.status()})
	}
	return list
}

func (s *servers) toolNames() []string {
	var names []string
	for _, c := range s.list {
		if c.status() != "connected" {
			continue
		}
		for _, tool := range c.tools {
			names = append(names, "mcp__"+c.name+"__"+tool)
		}
	}
	return names
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
	if len(t.mcp.list) == 0 {
		return call{}, errors.New("no server in --mcp-config")
	}
	c, tool, input := t.mcp.list[0], args[0], json.RawMessage(args[1])
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
	select {
	case <-c.tried:
	case <-ctx.Done():
		return rejected(), ""
	}
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
