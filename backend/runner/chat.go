package runner

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// chatThinking is the thinking budget of chats, in tokens.
const chatThinking = "MAX_THINKING_TOKENS=20000"

// StartInteractive opens a chat on a task: claude in the project's folder, with
// the user's own MCP servers, which knows the task's title and brief and waits
// to be spoken to. The card does not move. An earlier chat of the task is
// continued, with the model, mode and effort that it had.
func (r *Runner) StartInteractive(ctx context.Context, taskID string) (beckon.Run, error) {
	t, p, err := r.startable(ctx, taskID)
	if err == nil {
		err = r.Usable(ctx)
	}
	if err != nil {
		return beckon.Run{}, err
	}
	run := beckon.Run{Kind: beckon.ChatRun}
	if err := r.inherit(ctx, t.ID, &run); err != nil {
		return run, err
	}
	run.Model, run.Mode = cmp.Or(run.Model, p.ChatModel(t)), cmp.Or(run.Mode, p.Mode)
	return r.StartChat(ctx, t, p, run)
}

// StartChat begins a chat run that is prepared but for what is its own.
func (r *Runner) StartChat(ctx context.Context, t beckon.Task, p beckon.Project, row beckon.Run) (beckon.Run, error) {
	row.ID, row.TaskID, row.Kind, row.Phase, row.Started = beckon.NewID(), t.ID, beckon.ChatRun, beckon.Starting, beckon.Now()
	run, err := r.reserve(t, p, row)
	if err != nil {
		return row, err
	}
	if err := r.Store.AddRun(ctx, &row); err != nil {
		r.release(run)
		return row, err
	}
	row = run.note(func() { run.row.Number = row.Number })
	r.wg.Go(func() { run.work("") })
	return row, nil
}

// inherit gives a run what the last one of its kind left: the session, unless
// it names one, and for that the model, the mode, the effort and how full the
// context is. What the run brings along itself stays.
func (r *Runner) inherit(ctx context.Context, taskID string, run *beckon.Run) error {
	runs, err := r.Store.Runs(ctx, taskID)
	if err != nil {
		return err
	}
	for _, last := range slices.Backward(runs) {
		if last.Kind != run.Kind || last.Session == "" && last.CopyOf == "" || run.Session != "" && run.Session != last.Session {
			continue
		}
		run.Dir, run.ConfigDir = last.Dir, last.ConfigDir
		if last.Reason.Is(reason.SessionUnknown) {
			run.Effort, run.Model, run.Mode = last.Effort, cmp.Or(run.Model, last.Model), cmp.Or(run.Mode, last.Mode)
			return nil // claude does not have it: the next one starts without it
		}
		run.Session, run.CopyOf, run.Effort, run.Context = last.Session, last.CopyOf, last.Effort, last.Context
		run.Model, run.Mode = cmp.Or(run.Model, last.Model), cmp.Or(run.Mode, last.Mode)
		return nil
	}
	return nil
}

// about is what a chat's agent knows from the beginning. It is no message: an
// agent that was told the brief would set out to do it.
func (run *agentRun) about() string {
	if run.kind() != beckon.ChatRun {
		return ""
	}
	return "The user opened this chat on a task of theirs, " + run.task.Key + ". Do what they ask for in the chat; " +
		"the task is what it is about, and no request in itself:\n\n" + run.promptText()
}

// promptText is what the task says.
func (run *agentRun) promptText() string {
	return strings.TrimSpace(run.task.Title + "\n\n" + run.task.Brief)
}
