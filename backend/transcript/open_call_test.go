package transcript

import (
	"fmt"
	"testing"

	"beckon/backend/beckon"
)

// TestTheCallThatATurnWaitsForIsKnown: a run whose build is silent is not called quiet for as
// long as one whose model is.
func TestTheCallThatATurnWaitsForIsKnown(t *testing.T) {
	t.Parallel()
	call := func(id, command string) []byte {
		return fmt.Appendf(nil, `{"type":"assistant","message":{"role":"assistant","id":"m-%s","content":[{"type":"tool_use","id":%[1]q,"name":"Bash","input":{"command":%q}}]},"parent_tool_use_id":null,"session_id":"s","uuid":"u-%[1]s"}`, id, command)
	}
	result := func(id string) []byte {
		return fmt.Appendf(nil, `{"type":"user","message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":"ok"}]},"parent_tool_use_id":null,"session_id":"s","uuid":"r-%[1]s"}`, id)
	}
	over := []byte(`{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"num_turns":1,"result":"","session_id":"s","total_cost_usd":0,"usage":{},"uuid":"e"}`)
	log := opened(t)
	for _, step := range []struct {
		line []byte
		want string
	}{
		{nil, ""},
		{call("toolu_1", "make"), "make"},
		{call("toolu_2", "make test"), "make test"},
		{result("toolu_2"), "make"},
		{result("toolu_1"), ""},
		{call("toolu_3", "make all"), "make all"},
		{over, ""},
	} {
		if step.line != nil {
			if _, err := log.Append(1000, [][]byte{step.line}); err != nil {
				t.Fatal(err)
			}
		}
		at, open, err := OpenCall(log)
		if err != nil || at.Target != step.want || open != (step.want != "") || open && at.Verb != beckon.Executing {
			t.Errorf("after %.80s: it waits for %+v, %v, %v; want %q", step.line, at, open, err, step.want)
		}
	}
}
