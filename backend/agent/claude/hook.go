package claude

import "encoding/json"

// HookInput is what the CLI gives to a PermissionRequest hook: the request
// that its dialog shows at the same time. It has no tool_use_id (tried with
// 2.1.197).
type HookInput struct {
	SessionID   string            `json:"session_id"`
	CWD         string            `json:"cwd"`
	Event       string            `json:"hook_event_name"`
	Mode        string            `json:"permission_mode"`
	ToolName    string            `json:"tool_name"`
	ToolInput   json.RawMessage   `json:"tool_input"`
	Suggestions []json.RawMessage `json:"permission_suggestions"`
}

// PermissionHook is the event of a hook that may answer a dialog.
const PermissionHook = "PermissionRequest"

// Request returns what the hook asks as a control request would.
func (h HookInput) Request() Request {
	return Request{Subtype: CanUseTool, ToolName: h.ToolName, Input: h.ToolInput, Suggestions: h.Suggestions}
}

// HookOutput returns what a PermissionRequest hook prints to decide.
func HookOutput(d Decision) (json.RawMessage, error) {
	decision, err := d.Wire()
	if err != nil {
		return nil, err
	}
	type specific struct {
		Event    string `json:"hookEventName"`
		Decision any    `json:"decision"`
	}
	return json.Marshal(map[string]specific{"hookSpecificOutput": {PermissionHook, decision}})
}
