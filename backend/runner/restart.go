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
func (l *agentRun) handleEmpty(e agent.TurnEnded) {
	if e.Unasked {
		return
	}
	spoke := l.spoke
	l.spoke = true // only the first turn is judged
	if spoke || e.Hook != "" || !l.resumed || l.kind() != beckon.TaskRun || e.Failed || e.Interrupted || e.Rounds > 0 || e.Said != "" {
		return
	}
	l.mu.Lock()
	l.poisoned = l.out.Command() == "" && l.outcome == ""
	poisoned := l.poisoned
	l.mu.Unlock()
	if poisoned {
		l.end(beckon.Failed, reason.Of(reason.Poisoned))
	}
}

// sessionLost reports whether the run ended because claude does not know the
// session that it was to go on with, or that session answers with nothing.
func (l *agentRun) sessionLost() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.poisoned || l.resumed && l.run.Spent.Tokens == 0 && l.run.Reason.Is(reason.SessionUnknown)
}

// restartFresh begins the task's work in a new conversation, with what the one
// that is lost would have been told. A chat, whose person has not said
// anything in it, begins with a notice.
func (l *agentRun) restartFresh(opening string) {
	ctx := l.r.ctx
	var err error
	if l.kind() == beckon.ChatRun {
		err = l.r.queues.NoteIn(l.run, transcript.NoticeLine("session_lost", ""))
		l.r.release(l)
		if err == nil {
			_, err = l.r.StartInteractive(ctx, l.task.ID)
		}
		logged("begin a new conversation", err, "task", l.task.ID)
		return
	}
	l.r.release(l)
	if err = l.forgetSession(ctx); err == nil {
		_, err = l.r.begin(ctx, l.task.ID, placement{opening: opening, setAside: true})
	}
	logged("begin a new conversation", err, "task", l.task.ID)
}

func (l *agentRun) forgetSession(ctx context.Context) error {
	_, err := l.r.Cards.Update(ctx, l.task.ID, func(t *beckon.Task) error { t.Session = ""; return nil })
	return err
}
