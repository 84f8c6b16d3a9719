package runner

import (
	"cmp"
	"context"

	"beckon/backend/beckon"
)

// nameAsker puts the sub-agent's name on the question that its call put.
func (run *agentRun) nameAsker(call, name string) {
	run.asks.Go(func() {
		ctx, cancel := run.shutdown()
		defer cancel()
		logged("name a sub-agent", run.r.Desk.Name(ctx, run.row.ID, call, name), "run", run.row.ID)
	})
}

// nameLate names the sub-agent whose line came between the call's arrival and
// its question's row.
func (run *agentRun) nameLate(q beckon.Question) {
	if name := run.agents.OfQuestion(q); name != "" {
		run.nameAsker(q.ToolUseID, name)
	}
}

// agentOf names the sub-agent with the id; one that was not announced is
// named by its id.
func (run *agentRun) agentOf(id string) string { return cmp.Or(run.agents.Of(id), id) }

// Asker names the sub-agent that makes a tool call of a task's live run, "" for
// the main one. It waits until the run's session is written down, for without it
// the answer reaches nobody after a crash.
func (r *Runner) Asker(ctx context.Context, taskID, toolUseID string) string {
	run := r.liveRun(taskID)
	if run == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, writtenIn)
	defer cancel()
	defer context.AfterFunc(run.written, cancel)()
	<-ctx.Done()
	return run.agents.Of(toolUseID)
}
