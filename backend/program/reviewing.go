package program

import (
	"context"
	"log/slog"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/spending"
	"beckon/backend/export"
	"beckon/backend/git/command"
	"beckon/backend/review"
	"beckon/backend/review/attempt"
	"beckon/backend/review/rewind"
	"beckon/backend/review/since"
)

// reviewing joins comments on changes to what they need.
func (p *program) reviewing() review.Config {
	return review.Config{
		Kept: p.store.Comments, Lines: p.diffLines, Content: p.since.Content, Shown: p.since.Shown, Transcript: p.history.Transcript, Message: p.store.Message,
		Turn: p.since.Turn, Agents: p.runner, Request: p.pulls, Publish: p.publish,
	}
}

// diffLines returns the lines of files on one side of a task's changes; those that are
// not there are left out.
func (p *program) diffLines(ctx context.Context, id string, side reviewing.CommentSide, paths []string) (map[string][]string, error) {
	repo, w, err := p.board.Work(ctx, id)
	if err != nil || repo == nil {
		return nil, err
	}
	return repo.Lines(ctx, w, side == reviewing.Before, paths)
}

// showing joins what shows changes by what they came from to what it needs.
func (p *program) showing() since.Config {
	return since.Config{
		Kept: p.store.Turns, Task: p.board.Parts.Task, Project: p.board.Parts.Project, Repo: p.board.Kept, Live: p.runner.Live,
		Bring:     p.bringLive,
		Landmarks: p.search.Landmarks, Whole: p.board.Review, MarkViewed: p.board.MarkViewed,
		Decided: func(ctx context.Context, taskID, questionID string) (since.Span, bool, error) {
			return p.ledger.Of(ctx, taskID, questionID)
		},
	}
}

// changed returns what a shared page shows of what changed, in further repositories under their
// names: a page without it is better than none.
func (p *program) changed(ctx context.Context, taskID, runID string) (export.Changed, error) {
	further, err := p.store.Parts.Of(ctx, taskID)
	if err != nil {
		return export.Changed{}, err
	}
	made, known, err := p.made(ctx, taskID, runID)
	if err != nil {
		return export.Changed{}, err
	}
	all := export.Changed{Files: made.Files, Omitted: made.Omitted, Unknown: !known, Mixed: made.Mixed}
	for _, part := range further {
		if part.Branch == "" {
			continue // there is no work in it
		}
		made, known, err := p.made(ctx, part.ID, runID)
		if err != nil {
			return all, err
		}
		if !known {
			all.Elsewhere++
			continue
		}
		for _, f := range made.Files {
			f.Path = part.Name + "/" + f.Path
			if f.OldPath != "" {
				f.OldPath = part.Name + "/" + f.OldPath
			}
			all.Files = append(all.Files, f)
		}
		all.Omitted, all.Mixed = all.Omitted+made.Omitted, all.Mixed || made.Mixed
	}
	return all, nil
}

// made returns what a run, or all of them, changed in one repository of a task. The error is that
// of ctx alone.
func (p *program) made(ctx context.Context, id, runID string) (made since.Made, known bool, err error) {
	made, err = p.since.Made(ctx, id, runID)
	if err != nil && ctx.Err() == nil {
		slog.Warn("what changed is missing on a shared page", "err", err, "work", id)
		return since.Made{}, false, nil
	}
	return made, made.Known, err
}

// bringLive brings what an agent did on another computer, if one works there.
func (p *program) bringLive(ctx context.Context, id string) error {
	if reviewing.IsPart(id) {
		return nil // it is on this computer
	}
	return p.executors.BringLive(ctx, id)
}

// recordWork builds what records worktrees, and takes them back to what they were.
func (p *program) recordWork() {
	p.since = since.New(p.showing())
	p.ledger = &since.Ledger{Rows: p.store.Decisions, Checkpoints: p.store.Checkpoints, Since: p.since}
	p.moments, p.rewinder = rewind.NewTaker(p.checkpoints()), rewind.New(p.rewinding())
	p.attempts = attempt.New(p.attempting())
	p.questions.Record(p.moments.Asked)
}

// checkpoints joins what takes checkpoints to what it needs.
func (p *program) checkpoints() rewind.Taking {
	return rewind.Taking{
		Rows: p.store.Checkpoints, Capture: p.since.Capture, KeepTrees: p.since.KeepTrees,
		Run: func(ctx context.Context, id string) (beckon.Run, error) {
			run, err := p.store.Run(ctx, id)
			return p.runner.Present(run), err
		},
		Several: p.several,
	}
}

// several reports whether a task works in several repositories.
func (p *program) several(ctx context.Context, taskID string) (bool, error) {
	further, err := p.store.Parts.Of(ctx, taskID)
	return len(further) > 0, err
}

// attempting joins what answers questions with two answers to what it needs.
func (p *program) attempting() attempt.Config {
	return attempt.Config{
		Rows: p.store.Checkpoints, Checkpoints: p.rewinder, Board: p.board, Task: p.store.Task, Project: p.store.Project, Question: p.store.Question,
		Runs: p.store.Runs, Create: p.store.CreateTask, Repo: p.board.Kept, Capture: p.since.Capture, Taken: p.moments.Taken, Answer: p.answerInTime,
		CopyBudget: p.copyBudget, Write: p.runner.SendMessage, SendBack: p.sendBack,
	}
}

// answerInTime gives an answer, but not to a question that went on without one.
func (p *program) answerInTime(ctx context.Context, id string, a beckon.Answer) error {
	if typed, err := p.outside.Answer(ctx, id, a); typed {
		return err
	}
	return p.questions.AnswerInTime(ctx, id, a)
}

// sendBack has an agent begin with the user's words on its work, which is reviewed with that.
func (p *program) sendBack(ctx context.Context, id string, n beckon.NewMessage) (t beckon.Task, err error) {
	err = p.since.Reviewing(ctx, id, func() error {
		t, err = p.runner.SendBack(ctx, id, n)
		return err
	})
	return t, err
}

// copyBudget gives a task the limit of another.
func (p *program) copyBudget(ctx context.Context, from, to string) error {
	rows, err := p.store.Money.Of(ctx, from)
	for _, row := range rows {
		if err == nil && row.Scope == spending.Task && !row.Limit.None() {
			err = p.budgets.Set(ctx, spending.Task, to, row.Limit, false)
		}
	}
	return err
}

// rewinding joins what takes worktrees back to decisions to what it needs.
func (p *program) rewinding() rewind.Config {
	return rewind.Config{
		Rows: p.store.Checkpoints, Decisions: p.store.Decisions, Questions: p.store.Questions, Run: p.store.Run,
		Task: func(ctx context.Context, id string) (t beckon.Task, of beckon.Project, err error) {
			if t, err = p.store.Task(ctx, id); err == nil {
				of, err = p.store.Project(ctx, t.ProjectID)
			}
			return t, of, err
		},
		Hold: p.board.HoldTask, Repo: p.board.Kept, Live: p.runner.Live, Update: p.board.Update, Recount: p.board.Recount, KeepTrees: p.since.KeepTrees,
		Commits: func(ctx context.Context, c command.Git, from, head string) ([]reviewing.Commit, error) {
			return since.TreeLog{Git: c}.Commits(ctx, from, head)
		},
		Bring: p.bringLive, SetHeard: p.questions.SetHeard, Withdraw: p.questions.WithdrawTask, Stop: p.runner.EndTaskRun, Begin: p.runner.SendBack, Drop: p.runner.RemoveMessage,
	}
}
