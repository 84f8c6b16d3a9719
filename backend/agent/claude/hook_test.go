package claude

import (
	"encoding/json"
	"testing"
)

func TestAHooksDecisionIsWorded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		decision Decision
		want     string
	}{
		"allow": {
			Allow{UpdatedInput: json.RawMessage(`{"a":1}`)},
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"a":1}}}}`,
		},
		"allow in a mode": {
			Allow{UpdatedInput: json.RawMessage(`{}`), UpdatedPermissions: []json.RawMessage{SetMode("acceptEdits")}},
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{},"updatedPermissions":[` + string(SetMode("acceptEdits")) + `]}}}`,
		},
		"deny": {
			Deny{Message: "No."},
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"No."}}}`,
		},
	} {
		if got, err := HookOutput(c.decision); err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, c.want)
		}
	}
	if _, err := HookOutput(Allow{}); err == nil {
		t.Error("an allowance without its input was worded")
	}
}

func TestAHookAsksAsAControlRequestDoes(t *testing.T) {
	t.Parallel()
	var in HookInput
	if err := json.Unmarshal([]byte(`{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"},"permission_suggestions":[{"type":"x"}]}`), &in); err != nil {
		t.Fatal(err)
	}
	req := in.Request()
	if req.Subtype != CanUseTool || req.ToolName != "Bash" || string(req.Input) != `{"command":"ls"}` ||
		len(req.Suggestions) != 1 {
		t.Errorf("read as %+v", req)
	}
}
