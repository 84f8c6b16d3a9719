package runner

import (
	"context"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/transcript"
)

// handleEmpty sets a session aside that is resumed and answers its first message
// with nothing at all, as one may whose process was killed right after a
// result: every further message would end the same way. The turn in which claude
// notes what went with its earlier process is empty too, and no answer.
func (run *agentRun) handleEmpty(e agent.TurnEnded) {
	if e.Unasked {
		return
	}
	spoke := run.spoke
	run.spoke = true // only the first turn is judged
	if spoke || e.Hook != "" || !run.resumed || run.kind() != beckon.TaskRun || e.Failed || e.Interrupted || e.Rounds > 0 || e.Said != "" {
		return
	}
	run.mu.Lock()
	run.poisoned = run.out.Command() == "" && run.outcome == ""
	poisoned := run.poisoned
	run.mu.Unlock()
	if poisoned {
		run.end(beckon.Failed, reason.Of(reason.Poisoned))
	}
}

// sessionLost reports whether the run ended because claude does not know the
// session that it was to go on with, or that session answers with nothing.
func (run *agentRun) sessionLost() bool {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.poisoned || run.resumed && run.row.Spent.Tokens == 0 && run.row.Reason.Is(reason.SessionUnknown)
}

// restartFresh begins the task's work in a new conversation, with what the one
// that is lost would have been told. A chat, whose person has not said
// anything in it, begins with a notice.
func (run *agentRun) restartFresh(opening string) {
	ctx := run.r.ctx
	var err error
	if run.kind() == beckon.ChatRun {
		err = run.r.queues.NoteIn(run.snapshot(), transcript.NoticeLine("session_lost", ""))
		run.r.release(run)
		if err == nil {
			_, err = run.r.StartInteractive(ctx, run.task.ID)
		}
		logged("begin a new conversation", err, "task", run.task.ID)
		return
	}
	run.r.release(run)
	if err = run.forgetSession(ctx); err == nil {
		_, err = run.r.begin(ctx, run.task.ID, placement{opening: opening, setAside: true})
	}
	logged("begin a new conversation", err, "task", run.task.ID)
}

func (run *agentRun) forgetSession(ctx context.Context) error {
	_, err := run.r.Cards.Update(ctx, run.task.ID, func(t *beckon.Task) error { t.Session = ""; return nil })
	return err
}
