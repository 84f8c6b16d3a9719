package claude

import (
	"bytes"
	"encoding/json"
	"fmt"

	"beckon/backend/beckon"
)

// Request is something the CLI asks its host and waits for.
type Request struct {
	ID      string `json:"-"` // what cli.Process answers it by
	Subtype string `json:"subtype"`

	// Of can_use_tool (section 6).
	ToolName    string            `json:"tool_name"`
	DisplayName string            `json:"display_name"`
	Input       json.RawMessage   `json:"input"`
	Description string            `json:"description"`
	Suggestions []json.RawMessage `json:"permission_suggestions"` // see DecodePermission
	BlockedPath string            `json:"blocked_path"`
	ToolUseID   string            `json:"tool_use_id"`
	AgentID     string            `json:"agent_id"` // of the sub-agent that asks
	// Reason is why it is asked for, in the words of what ReasonType names.
	Reason     string `json:"decision_reason"`
	ReasonType string `json:"decision_reason_type"`

	// Of elicitation and mcp_message (section 8).
	Server     string          `json:"mcp_server_name"`
	ToolServer string          `json:"server_name"` // of mcp_message: one of those that cli.Initialize named
	Message    json.RawMessage `json:"message"`     // a string, of elicitation; JSON-RPC, of mcp_message
	Mode       string          `json:"mode"`
	Schema     json.RawMessage `json:"requested_schema"`
}

// The subtypes of requests that are answered with Decide, Elicit and AnswerTool.
// Every other one must be refused, or the CLI may wait forever.
const (
	CanUseTool  = "can_use_tool"
	Elicitation = "elicitation"
	MCPMessage  = "mcp_message"
)

// ReasonHook is the ReasonType of a permission that a hook asks for.
const ReasonHook = "hook"

// The tools that ask rather than act (section 7).
const (
	AskTool  = "AskUserQuestion"
	PlanTool = "ExitPlanMode"
)

// EnterWorktreeTool takes a session into a worktree of the main checkout's (section 1).
const EnterWorktreeTool = "EnterWorktree"

// Permission is a change of the rules that the CLI suggests, or should
// make along with an Allow.
type Permission struct {
	Type        string   `json:"type"` // addRules, addDirectories, setMode, …
	Rules       []Rule   `json:"rules,omitempty"`
	Behavior    string   `json:"behavior,omitempty"` // of rules: allow, deny, ask
	Mode        string   `json:"mode,omitempty"`
	Directories []string `json:"directories,omitempty"`
	// Destination is where it is kept: session (in memory), localSettings,
	// projectSettings or userSettings (files).
	Destination string `json:"destination"`
}

// DecodePermission decodes one of Request.Suggestions.
func DecodePermission(raw json.RawMessage) (Permission, error) {
	var p Permission
	err := json.Unmarshal(raw, &p)
	return p, err
}

// InSession returns p as it is kept in memory only. A suggestion's own
// destination is mostly localSettings, a file in the worktree.
func (p Permission) InSession() json.RawMessage {
	p.Destination = "session"
	raw, _ := json.Marshal(p) // plain strings
	return raw
}

// SetMode is the change of rules that puts the session into a permission mode.
func SetMode(mode string) json.RawMessage {
	return Permission{Type: "setMode", Mode: mode}.InSession()
}

// Decision is the answer to can_use_tool: Allow or Deny.
type Decision interface {
	// Wire returns what the response holds.
	Wire() (any, error)
}

// Allow lets the tool run.
type Allow struct {
	// UpdatedInput is what it runs with, Request.Input where nothing is to be
	// changed. The CLI insists on it.
	UpdatedInput json.RawMessage
	// UpdatedPermissions are applied as well; suggestions may be passed back
	// as they are.
	UpdatedPermissions []json.RawMessage
}

// Deny keeps the tool from running.
type Deny struct {
	Message string // what the agent reads; lost with Interrupt
	// Interrupt ends the turn too.
	Interrupt bool
}

// Wire implements Decision.
func (a Allow) Wire() (any, error) {
	if input := bytes.TrimSpace(a.UpdatedInput); len(input) == 0 || input[0] != '{' {
		return nil, fmt.Errorf("allow without an input object: %w", beckon.ErrInvalid)
	}
	return struct {
		Behavior    string            `json:"behavior"`
		Input       json.RawMessage   `json:"updatedInput"`
		Permissions []json.RawMessage `json:"updatedPermissions,omitempty"`
	}{"allow", a.UpdatedInput, a.UpdatedPermissions}, nil
}

// Wire implements Decision.
func (d Deny) Wire() (any, error) {
	return struct {
		Behavior  string `json:"behavior"`
		Message   string `json:"message"`
		Interrupt bool   `json:"interrupt,omitempty"`
	}{"deny", d.Message, d.Interrupt}, nil
}
