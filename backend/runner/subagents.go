package runner

import (
	"cmp"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

// hearSubAgentAsk names the sub-agents that a line shows to ask the user.
func (l *live) hearSubAgentAsk(line *claude.Line) {
	for _, call := range l.agents.Calls(line, beckonTools) {
		l.nameAsker(call.ID, call.Agent)
	}
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
	if name := l.agents.OfQuestion(q); name != "" {
		l.nameAsker(q.ToolUseID, name)
	}
}

// agentOf names the sub-agent with the id; one that was not announced is
// named by its id.
func (l *live) agentOf(id string) string { return cmp.Or(l.agents.Of(id), id) }

// AgentOf names the sub-agent that makes a tool call of a task's live run, ""
// for the main one.
func (r *Runner) AgentOf(taskID, toolUseID string) string {
	if l := r.liveRun(taskID); l != nil {
		return l.agents.Of(toolUseID)
	}
	return ""
}
