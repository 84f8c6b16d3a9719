package background

import (
	"bytes"
	"cmp"
	"sync"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// This file knows what the sub-agents of a run are called: by their ids,
// by the tool calls that began them, and by the calls in which they ask.
//
// A call of Beckon's own tools comes over HTTP with nothing but its number, and
// mostly before claude's line of it; so the one who asks is named once both
// are there.

// SubagentNames has the name of each sub-agent of one run. The zero Names knows none;
// it may be used from any goroutine.
type SubagentNames struct {
	mu sync.Mutex
	by map[string]string
}

// Started notes what a sub-agent is called that claude says has begun.
func (n *SubagentNames) Started(s claude.System) {
	if s.TaskType != claude.SubAgent {
		return
	}
	n.set(s.TaskID, s.Description)
	n.set(s.ToolUseID, s.Description)
}

func (n *SubagentNames) set(id, name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.by == nil {
		n.by = map[string]string{}
	}
	n.by[id] = name
}

// Of names the sub-agent of an id or a call, "" where it is not known.
func (n *SubagentNames) Of(id string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.by[id]
}

// OfQuestion names the sub-agent that put an open question whose line came
// between the call's arrival and the question's row; "" where there is none.
func (n *SubagentNames) OfQuestion(q beckon.Question) string {
	if q.Settlement != beckon.Open || q.Agent != "" || q.ToolUseID == "" {
		return ""
	}
	return n.Of(q.ToolUseID)
}

// SubagentCall is a tool call, and the name of the sub-agent that makes it.
type SubagentCall struct{ ID, Agent string }

// Calls returns the calls of tools, whose names begin so, that a sub-agent makes
// in a line of claude's. Lines are searched only once there is a sub-agent: it
// would be a fifth of what a flood costs.
func (n *SubagentNames) Calls(line *claude.Line, tools string) []SubagentCall {
	if !n.any() || !bytes.Contains(line.Raw, []byte(`"`+tools)) || bytes.Contains(line.Raw, []byte(`"parent_tool_use_id":null`)) {
		return nil
	}
	m, err := line.Message()
	if err != nil || m.Speech == nil || m.ParentToolUseID == "" {
		return nil
	}
	name := cmp.Or(n.Of(m.ParentToolUseID), m.ParentToolUseID)
	var calls []SubagentCall
	for _, b := range m.Speech.Content {
		if b.Type == claude.ToolUseBlock {
			n.set(b.ID, name)
			calls = append(calls, SubagentCall{b.ID, name})
		}
	}
	return calls
}

func (n *SubagentNames) any() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.by) > 0
}
