package background

import (
	"cmp"
	"sync"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// This file knows what the sub-agents of a run are called: by their ids,
// by the tool calls that began them, and by the calls in which they ask.
//
// A call of Beckon's own tools comes over HTTP with nothing but its number, and
// mostly before the agent's line of it; so the one who asks is named once both
// are there.

// SubagentNames has the name of each sub-agent of one run. The zero Names knows none;
// it may be used from any goroutine.
type SubagentNames struct {
	mu sync.Mutex
	by map[string]string
}

// Started notes what a sub-agent is called that has begun.
func (n *SubagentNames) Started(s agent.SubAgentBegan) {
	n.set(s.ID, s.Name)
	n.set(s.CallID, s.Name)
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

// OfQuestion names the sub-agent that put a question which is open, or was none from the
// start, and whose line came between the call's arrival and the question's row; "" where
// there is none.
func (n *SubagentNames) OfQuestion(q beckon.Question) string {
	if q.Settlement != beckon.Open && !q.Reason.Is(reason.NotAsked) || q.Agent != "" || q.ToolUseID == "" {
		return ""
	}
	return n.Of(q.ToolUseID)
}

// Called notes that the sub-agent which the call by began makes a call, and returns what
// that is called: by its own call where it was not announced.
func (n *SubagentNames) Called(c agent.SubAgentCalled) string {
	name := cmp.Or(n.Of(c.By), c.By)
	n.set(c.CallID, name)
	return name
}
