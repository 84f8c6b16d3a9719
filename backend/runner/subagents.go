package runner

import (
	"cmp"
	"context"

	"beckon/backend/beckon"
)

// nameAsker puts the sub-agent's name on the question that its call put.
func (l *agentRun) nameAsker(call, name string) {
	l.asks.Go(func() {
		ctx, cancel := l.shutdown()
		defer cancel()
		logged("name a sub-agent", l.r.Desk.Name(ctx, l.run.ID, call, name), "run", l.run.ID)
	})
}

// nameLate names the sub-agent whose line came between the call's arrival and
// its question's row.
func (l *agentRun) nameLate(q beckon.Question) {
	if name := l.agents.OfQuestion(q); name != "" {
		l.nameAsker(q.ToolUseID, name)
	}
}

// agentOf names the sub-agent with the id; one that was not announced is
// named by its id.
func (l *agentRun) agentOf(id string) string { return cmp.Or(l.agents.Of(id), id) }

// Asker names the sub-agent that makes a tool call of a task's live run, "" for
// the main one. It waits until the run's session is written down, for without it
// the answer reaches nobody after a crash.
func (r *Runner) Asker(ctx context.Context, taskID, toolUseID string) string {
	l := r.liveRun(taskID)
	if l == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, writtenIn)
	defer cancel()
	defer context.AfterFunc(l.written, cancel)()
	<-ctx.Done()
	return l.agents.Of(toolUseID)
}
