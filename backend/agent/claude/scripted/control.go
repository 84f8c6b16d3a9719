package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// request is a control request of the host's.
type request struct {
	ID   string `json:"request_id"`
	Body struct {
		Subtype string   `json:"subtype"`
		Mode    string   `json:"mode"`
		Model   string   `json:"model"`
		UUID    string   `json:"message_uuid"`
		Task    string   `json:"task_id"`
		Server  string   `json:"serverName"`
		Message string   `json:"user_message_id"`
		Dry     bool     `json:"dry_run"`
		Servers []string `json:"sdkMcpServers"`
		Flags   struct {
			Effort string `json:"effortLevel"`
		} `json:"settings"`
	} `json:"request"`
}

// hearRequest answers a control request, also while a turn runs.
func (a *agent) hearRequest(line []byte) {
	var r request
	if json.Unmarshal(line, &r) != nil {
		return
	}
	if a.isMute(r.Body.Subtype) {
		return
	}
	switch r.Body.Subtype {
	case "initialize":
		var named []*connection
		for _, name := range r.Body.Servers {
			named = append(named, a.connectionTo(name))
		}
		a.mcp.add(named)
		a.reply(r.ID, a.initialized())
	case "interrupt":
		if a.isDeaf() {
			a.refuse(r.ID, "Interrupt failed")
			return
		}
		a.withdraw()
		a.reply(r.ID, nil)
		a.cutShort()
	case "set_permission_mode":
		a.setMode(r.ID, r.Body.Mode)
	case "set_model":
		a.setModel(resolved(r.Body.Model))
		a.out.user("<local-command-stdout>Set model to "+r.Body.Model+"</local-command-stdout>", beckon.NewUUID(), "isReplay", true)
		a.reply(r.ID, nil)
	case "mcp_status":
		a.reply(r.ID, object{"mcpServers", a.mcp.status()})
	case "cancel_async_message":
		a.reply(r.ID, object{"cancelled", a.unqueue(r.Body.UUID)})
	case "set_max_thinking_tokens":
		a.reply(r.ID, nil)
	case "apply_flag_settings":
		a.setEffort(r.Body.Flags.Effort)
		a.reply(r.ID, nil)
	case "get_settings":
		a.reply(r.ID, a.settings())
	case "get_context_usage":
		a.reply(r.ID, a.contextUsage())
	case "rewind_files":
		a.rewind(r.ID, r.Body.Message, r.Body.Dry)
	case "stop_task":
		a.stopJob(r.ID, r.Body.Task)
	case "mcp_reconnect":
		a.reconnect(r.ID, r.Body.Server)
	default:
		a.refuse(r.ID, "Unsupported control request subtype: "+r.Body.Subtype)
	}
}

// isMute reports whether control requests of that kind are never answered.
func (a *agent) isMute(subtype string) bool {
	return slices.ContainsFunc(a.scripts, func(s *script) bool { return slices.Contains(s.mute, subtype) })
}

func (a *agent) refuse(id, text string) {
	a.out.line(object{"type", "control_response", "response", object{"subtype", "error", "request_id", id, "error", text}})
}

func (a *agent) reply(id string, payload object) {
	response := object{"subtype", "success", "request_id", id}
	if payload != nil {
		response = append(response, "response", payload)
	}
	a.out.line(object{"type", "control_response", "response", response})
}

func (a *agent) initialized() object {
	return object{
		"commands",
		[]object{{"name", "compact", "description", "Summarize the conversation so far", "argumentHint", ""}},
		"agents",
		[]object{},
		"output_style", "default", "available_output_styles",
		[]string{"default"},
		"models",
		[]object{
			{
				"value", "default", "resolvedModel", defaultModel, "displayName", "Default (recommended)",
				"description", "Scripted", "supportsEffort", true, "supportedEffortLevels",
				[]string{"low", "medium", "high"},
				"supportsAutoMode", true,
			},
			{"value", "sonnet", "resolvedModel", "claude-sonnet-5", "displayName", "Sonnet", "description", "Scripted"},
		},
		"account",
		object{"tokenSource", "none", "apiKeySource", "scripted", "apiProvider", "scripted"},
		"pid", os.Getpid(),
	}
}

// setMode changes the mode. bypassPermissions is available only to an
// agent that was started with it. A mode that does not exist changes nothing,
// though the reply says that all is well.
func (a *agent) setMode(id, mode string) {
	if mode == "bypassPermissions" && !a.bypass {
		a.refuse(id, "Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions")
		return
	}
	a.reply(id, object{"mode", mode})
	if !slices.Contains([]string{"default", "acceptEdits", "auto", "plan", "dontAsk", "bypassPermissions"}, mode) {
		return
	}
	a.changeMode(mode)
}

func (a *agent) changeMode(mode string) {
	a.mu.Lock()
	a.mode = mode
	a.mu.Unlock()
	a.out.system("status", "status", nil, "permissionMode", mode)
}

func (a *agent) setModel(model string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.model = model
}

// manners returns the model and permission mode in force.
func (a *agent) manners() (model, mode string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.model, a.mode
}

func (a *agent) unqueue(uuid string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, m := range a.queue {
		if m.UUID == uuid {
			a.queue = append(a.queue[:i:i], a.queue[i+1:]...)
			return true
		}
	}
	return false
}

// withdraw takes back what the host has not answered yet.
func (a *agent) withdraw() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, w := range a.pending {
		if w.tool { // its client tells the server
			continue
		}
		a.out.line(object{"type", "control_cancel_request", "request_id", id})
		delete(a.pending, id)
	}
}

// decision is the host's answer to can_use_tool.
type decision struct {
	Behavior    string          `json:"behavior"`
	Input       json.RawMessage `json:"updatedInput"`
	Message     string          `json:"message"`
	Interrupt   bool            `json:"interrupt"`
	Permissions []struct {
		Type string `json:"type"`
		Mode string `json:"mode"`
	} `json:"updatedPermissions"`
}

// errRefused is a request that the host answered with an error.
var errRefused = errors.New("Error")

// canUseTool asks the host, and waits without limit.
func (a *agent) canUseTool(ctx context.Context, fields ...any) (decision, error) {
	line, err := a.request(ctx, append(object{"subtype", "can_use_tool"}, fields...))
	if err != nil {
		return decision{}, err
	}
	return a.decided(line)
}

// waiting is a control request that the host has not answered.
type waiting struct {
	replied chan json.RawMessage
	tool    bool // a message to an MCP server of the host's, which no person needs to act on
}

// request sends a control request and waits for its answer.
func (a *agent) request(ctx context.Context, body object) (json.RawMessage, error) {
	id, replied, tool := beckon.NewUUID(), make(chan json.RawMessage, 1), body[1] == claude.MCPMessage
	a.mu.Lock()
	a.pending[id] = waiting{replied, tool}
	a.mu.Unlock()
	if !tool {
		a.state("requires_action")
	}
	a.out.line(object{"type", "control_request", "request_id", id, "request", body})
	select {
	case line := <-replied:
		if !tool {
			a.state("running")
		}
		return line, nil
	case <-a.input:
		select {
		case line := <-replied: // it came just before the end
			return line, nil
		default:
		}
		return nil, fmt.Errorf("%w: Tool permission stream closed before response received", errRefused)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hearResponse hands an answer to the call that waits for it. One that comes
// too late goes nowhere.
func (a *agent) hearResponse(line []byte) {
	var r struct {
		Response struct {
			ID string `json:"request_id"`
		} `json:"response"`
	}
	if json.Unmarshal(line, &r) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if w, ok := a.pending[r.Response.ID]; ok {
		delete(a.pending, r.Response.ID)
		w.replied <- line
	}
}

func (a *agent) decided(line json.RawMessage) (decision, error) {
	var r struct {
		Response struct {
			Subtype  string   `json:"subtype"`
			Error    string   `json:"error"`
			Response decision `json:"response"`
		} `json:"response"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return decision{}, err
	}
	if r.Response.Subtype != "success" {
		return decision{}, fmt.Errorf("%w: %s", errRefused, r.Response.Error)
	}
	if a.replay {
		a.out.raw(line)
	}
	d := r.Response.Response
	if d.Behavior != "deny" && (d.Behavior != "allow" || len(d.Input) == 0 || d.Input[0] != '{') {
		return decision{}, fmt.Errorf("%w: ZodError: invalid permission decision", errRefused)
	}
	return d, nil
}
