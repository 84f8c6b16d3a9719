package runner

import (
	"context"
	"errors"
	"fmt"
	"os"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/git"
)

// finish settles all that the run leaves behind: its questions, its work, its
// row, its card. err is why it could not begin or be read, if so.
func (l *live) finish(err error) {
	ctx, cancel := l.shutdown()
	defer cancel()
	exit := l.reap()
	outcome, reason := l.outcomeOf(exit, err)
	l.closeQuestions(ctx, outcome, or(reason, "Its agent ended without waiting for the answer."))
	l.cancel(errors.New(reason))
	l.takeBack()
	l.asks.Wait()
	if l.configDir != "" {
		logged("remove the run's configuration", os.RemoveAll(l.configDir), "run", l.run.ID)
	}
	if l.log != nil {
		logged("close the transcript", errors.Join(l.log.Sync(), l.log.Close()), "run", l.run.ID)
	}
	logged("settle what was not taken", l.r.settleSent(ctx, l.run), "run", l.run.ID)
	run := l.note(func() {
		l.facts = beckon.Facts{Exited: true}
		l.run.Outcome, l.run.Reason, l.run.Detail = outcome, reason, detail(outcome, exit)
		l.run.Activity, l.run.Ended = beckon.Activity{}, beckon.Now()
		l.run.Spent.WorkedMs = l.run.Ended - l.run.Started
	})
	_, err = l.r.Store.UpdateRun(ctx, run.ID, func(r *beckon.Run) error { *r = run; return nil })
	logged("record the end of a run", err, "run", run.ID)
	logged("settle the task", l.r.settleTask(ctx, l.task, l.project, run), "task", l.task.ID)
}

// closeQuestions settles what the run waits on: only who stops an agent closes
// its questions, any other end leaves them to be answered.
func (l *live) closeQuestions(ctx context.Context, outcome beckon.Outcome, reason string) {
	if outcome == beckon.Stopped {
		logged("withdraw its questions", l.r.Desk.WithdrawAll(ctx, l.run.ID, reason), "run", l.run.ID)
		return
	}
	logged("strand its questions", l.r.Desk.Strand(ctx, l.run.ID, reason), "run", l.run.ID)
}

// reap waits until the process and all that it began are gone.
func (l *live) reap() claude.Exit {
	p := l.process()
	if p == nil {
		return claude.Exit{}
	}
	return p.Wait()
}

// outcomeOf judges how the run ended: by what the user wanted, then by the
// last result, never by its subtype, then by how the process went.
func (l *live) outcomeOf(exit claude.Exit, err error) (beckon.Outcome, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.outcome != "":
		return l.outcome, l.reason
	case err != nil:
		return beckon.Failed, err.Error()
	case l.turn.limited:
		return beckon.Limited, or(l.turn.reason, "The plan's limit is reached.")
	case l.turn.ended && l.turn.interrupted:
		return beckon.Stopped, "The turn was interrupted."
	case l.turn.ended && l.turn.failed:
		return beckon.Failed, or(l.turn.reason, "Claude reported an error without a word.")
	case l.turn.ended && exit.Code == 0 && exit.Signal == "":
		return beckon.Succeeded, ""
	default:
		return beckon.Failed, died(exit)
	}
}

// died says how a process went that gave no result.
func died(exit claude.Exit) string {
	how := fmt.Sprintf("claude exited with code %d", exit.Code)
	if exit.Signal != "" {
		how = "claude was ended by " + exit.Signal
	}
	if last := lastWords(exit.Stderr); last != "" {
		return how + ": " + last
	}
	return how + " before its turn was over. Its work and session are kept."
}

// detail is what the error report shows of stderr.
func detail(outcome beckon.Outcome, exit claude.Exit) string {
	if outcome == beckon.Succeeded || outcome == beckon.Stopped || outcome == beckon.Parked {
		return ""
	}
	return exit.Stderr
}

// notCommitted says on a card why its agent's work was not committed, and
// where it is.
func notCommitted(err error) string {
	var elsewhere *git.OtherBranchError
	var gone *git.WorktreeGoneError
	if errors.As(err, &elsewhere) || errors.As(err, &gone) {
		return fmt.Sprintf("Nothing was committed: %v.", err)
	}
	return fmt.Sprintf("The work is in the worktree, but not committed: %v", err)
}

// settleTask commits what the agent of a run that is over changed, sums it up,
// and moves the card.
func (r *Runner) settleTask(ctx context.Context, t beckon.Task, p beckon.Project, run beckon.Run) error {
	changes, trouble := t.Changes, ""
	if run.Kind == beckon.TaskRun && t.Branch != "" {
		g := r.repo(p)
		if run.Outcome == beckon.Succeeded {
			if _, _, err := g.CommitAll(ctx, treeOf(t), t.Title, ours(g, ctx, t.Worktree)); err != nil {
				trouble = notCommitted(err)
			}
		}
		var err error
		if changes, err = g.Summary(ctx, treeOf(t)); err != nil {
			logged("sum up the changes", err, "task", t.ID)
		}
	}
	next, err := r.afterRun(ctx, run)
	if err != nil {
		return err
	}
	_, err = r.updateTask(ctx, t.ID, func(t *beckon.Task) error {
		t.Spent = t.Spent.Add(run.Spent)
		if run.Kind != beckon.TaskRun {
			return nil
		}
		t.Changes, t.Trouble = changes, trouble
		if t.Status != beckon.Running {
			return nil
		}
		if next == beckon.Review {
			t.Rank = last() // in the queue it keeps its place, ahead of what came later
		}
		return t.Move(next)
	})
	return err
}
