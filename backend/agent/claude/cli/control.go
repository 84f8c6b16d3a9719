package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// controlReply is the answer to a control request of ours.
type controlReply struct {
	payload json.RawMessage
	err     error
}

// replyIn is how long the CLI may take to reply where its caller sets no
// limit: it takes milliseconds, also while a turn runs, or does not hear.
const replyIn = 20 * time.Second

// deafError says that the CLI did not reply in time.
type deafError struct{}

func (deafError) Error() string { return "claude does not react; stop the agent if that lasts" }

// Is makes it an unmet deadline, and a kind of beckon.ErrUnavailable.
func (deafError) Is(target error) bool {
	return target == context.DeadlineExceeded || target == beckon.ErrUnavailable
}

// Control sends a control request and waits for its reply, whose payload it
// returns (null where there is none). The subtypes and their params are in
// section 5. The reply comes in by Next, so somebody must be calling that.
// Without a deadline of the caller's, replyIn is one.
func (p *Process) Control(ctx context.Context, subtype string, params map[string]any) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil { // nobody would see its effect
		return nil, fmt.Errorf("%s: %w", subtype, err)
	}
	if _, limited := ctx.Deadline(); !limited {
		within, cancel := context.WithTimeout(ctx, replyIn)
		defer cancel()
		ctx = within
	}
	request := map[string]any{}
	for k, v := range params {
		request[k] = v
	}
	request["subtype"] = subtype
	id, replied := p.expectReply()
	defer p.forgetReply(id)
	err := p.write(ctx, map[string]any{"type": claude.ControlRequest, "request_id": id, "request": request})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", subtype, unheard(err))
	}
	var r controlReply
	select {
	case r = <-replied:
	case <-p.exited:
		r.err = agent.ErrEnded
	case <-ctx.Done():
		r.err = ctx.Err()
	}
	select {
	case r = <-replied: // it came as well, and says more
	default:
	}
	if r.err != nil {
		return nil, fmt.Errorf("%s: %w", subtype, unheard(r.err))
	}
	return r.payload, nil
}

// unheard tells of a deadline in words.
func unheard(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return deafError{}
	}
	return err
}

func (p *Process) expectReply() (string, <-chan controlReply) {
	p.controlMu.Lock()
	defer p.controlMu.Unlock()
	p.controls++
	id := "beckon-" + strconv.Itoa(p.controls)
	replied := make(chan controlReply, 1)
	p.pending[id] = replied
	return id, replied
}

func (p *Process) forgetReply(id string) {
	p.controlMu.Lock()
	defer p.controlMu.Unlock()
	delete(p.pending, id)
}

// route hands a reply to the call that waits for it. None waits for the echo
// of an answer that we gave.
func (p *Process) route(raw []byte) {
	var line struct {
		Response struct {
			Subtype   string          `json:"subtype"`
			RequestID string          `json:"request_id"`
			Response  json.RawMessage `json:"response"`
			Error     string          `json:"error"`
		} `json:"response"`
	}
	if json.Unmarshal(raw, &line) != nil {
		return
	}
	r := line.Response
	p.controlMu.Lock()
	defer p.controlMu.Unlock()
	replied, waiting := p.pending[r.RequestID]
	if !waiting {
		return
	}
	delete(p.pending, r.RequestID)
	if r.Subtype != "success" {
		replied <- controlReply{err: fmt.Errorf("%s: %w", r.Error, beckon.ErrInvalid)}
		return
	}
	replied <- controlReply{payload: r.Response}
}

// Initialize waits for the CLI to be ready, a second or so after Start. What
// the system prompt is to have besides goes this way and not by the command
// line, which everybody on the machine can read. The tool servers are MCP servers
// of the caller's: the CLI sends them claude.MCPMessage requests, from its first
// message on.
func (p *Process) Initialize(
	ctx context.Context, appendSystemPrompt string, toolServers ...string,
) (claude.Initialized, error) {
	params := map[string]any{}
	if len(toolServers) > 0 {
		params["sdkMcpServers"] = toolServers
	}
	if appendSystemPrompt != "" {
		params["appendSystemPrompt"] = appendSystemPrompt
	}
	var i claude.Initialized
	return i, p.query(ctx, &i, "initialize", params)
}

// MCPServers asks for the state of every MCP server. Tools of one that is
// still pending are missing from the turn (section 8).
func (p *Process) MCPServers(ctx context.Context) ([]claude.MCPServer, error) {
	var reply struct {
		Servers []claude.MCPServer `json:"mcpServers"`
	}
	err := p.query(ctx, &reply, "mcp_status", nil)
	return reply.Servers, err
}

// CancelMessage takes back a message that was sent, and reports whether that
// came in time: false means that the agent has taken it.
func (p *Process) CancelMessage(ctx context.Context, uuid string) (bool, error) {
	var reply struct {
		Cancelled bool `json:"cancelled"`
	}
	err := p.query(ctx, &reply, "cancel_async_message", map[string]any{"message_uuid": uuid})
	return reply.Cancelled, err
}

func (p *Process) query(ctx context.Context, into any, subtype string, params map[string]any) error {
	payload, err := p.Control(ctx, subtype, params)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(payload, into); err != nil {
		return fmt.Errorf("%s: %w", subtype, err)
	}
	return nil
}

// Interrupt ends the running turn, whatever it is at; its result follows
// with is_error. An idle agent takes no notice.
func (p *Process) Interrupt(ctx context.Context) error {
	_, err := p.Control(ctx, "interrupt", nil)
	return err
}

// StopTask ends a background command or a sub-agent. No turn tells the agent.
func (p *Process) StopTask(ctx context.Context, id string) error {
	_, err := p.Control(ctx, "stop_task", map[string]any{"task_id": id})
	return err
}

// RefuseControl answers a control request of the CLI's with an error. The
// turn goes on. It does not wait until that is written, so the reader of the
// stream may call it.
func (p *Process) RefuseControl(requestID, text string) error {
	_, err := p.post(map[string]any{"type": claude.ControlResponse, "response": map[string]any{
		"subtype": "error", "request_id": requestID, "error": text,
	}})
	return err
}

// respond answers a control request of the CLI's.
func (p *Process) respond(requestID string, response any) error {
	return p.write(context.Background(), map[string]any{"type": claude.ControlResponse, "response": map[string]any{
		"subtype": "success", "request_id": requestID, "response": response,
	}})
}

// Decide answers the can_use_tool request with that id. The CLI takes no
// notice of an answer to a request that it has withdrawn.
func (p *Process) Decide(requestID string, d claude.Decision) error {
	response, err := d.Wire()
	if err != nil {
		return err
	}
	return p.respond(requestID, response)
}

// AnswerTool answers a claude.MCPMessage with the JSON-RPC reply to it. The CLI
// takes no notice of a reply to a call that it has cancelled.
func (p *Process) AnswerTool(requestID string, reply json.RawMessage) error {
	return p.respond(requestID, map[string]any{"mcp_response": reply})
}

// Elicit answers an elicitation: action is accept, decline or cancel, and
// content, of an accept, has the values that claude.Request.Schema asks for.
func (p *Process) Elicit(requestID, action string, content map[string]any) error {
	response := map[string]any{"action": action}
	if action == "accept" {
		response["content"] = content
	}
	return p.respond(requestID, response)
}
