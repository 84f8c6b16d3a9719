package runner

import (
	"bytes"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

// agents has the name of each sub-agent of a run, by its id, by the tool call
// that began it, and by the calls in which it asks.
type agents map[string]string

// hearSubAgent notes what a sub-agent is called.
func (l *live) hearSubAgent(subtype string, s claude.System) {
	if subtype != claude.TaskStarted || s.TaskType != claude.SubAgent {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.agents[s.TaskID], l.agents[s.ToolUseID] = s.Description, s.Description
}

// hearSubAgentAsk notes who makes a call of Beckon's tools, which comes over
// HTTP with nothing but its number, and mostly before this line. Lines are
// searched only once there is a sub-agent: it would be a fifth of what a flood
// costs.
func (l *live) hearSubAgentAsk(raw []byte) {
	if !l.hasAgents() || !bytes.Contains(raw, []byte(`"`+beckonTools)) || bytes.Contains(raw, []byte(`"parent_tool_use_id":null`)) {
		return
	}
	m, err := claude.DecodeMessage(raw)
	if err != nil || m.Speech == nil || m.ParentToolUseID == "" {
		return
	}
	for _, b := range m.Speech.Content {
		if b.Type != claude.ToolUseBlock {
			continue
		}
		l.mu.Lock()
		name := or(l.agents[m.ParentToolUseID], m.ParentToolUseID)
		l.agents[b.ID] = name
		l.mu.Unlock()
		l.nameAsker(b.ID, name)
	}
}

func (l *live) hasAgents() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.agents) > 0
}

// nameAsker puts the sub-agent's name on the question that its call put.
func (l *live) nameAsker(call, name string) {
	l.asks.Go(func() {
		ctx, cancel := l.shutdown()
		defer cancel()
		logged("name a sub-agent", l.r.Desk.Name(ctx, l.run.ID, call, name), "run", l.run.ID)
	})
}

// nameLate names the sub-agent whose line came between the call's arrival and
// its question's row.
func (l *live) nameLate(q beckon.Question) {
	if q.Settlement != beckon.Open || q.Agent != "" || q.ToolUseID == "" {
		return
	}
	l.mu.Lock()
	name := l.agents[q.ToolUseID]
	l.mu.Unlock()
	if name != "" {
		l.nameAsker(q.ToolUseID, name)
	}
}

// agentOf names the sub-agent with the id; one that was not announced is
// named by its id.
func (l *live) agentOf(id string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return or(l.agents[id], id)
}

// AgentOf names the sub-agent that makes a tool call of a task's live run, ""
// for the main one.
func (r *Runner) AgentOf(taskID, toolUseID string) string {
	l := r.liveRun(taskID)
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.agents[toolUseID]
}
