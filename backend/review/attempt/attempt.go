// Package attempt answers one question with two answers: the agent that asked goes on with the
// first, and a second task begins at the question's checkpoint with the other. The first answer is
// given once all that the second task needs is there, and each step is written down before it is
// done, so that a death in the middle neither loses that answer nor begins the second task twice.
// How worktrees become what they were, and how agents begin, it leaves to others.
package attempt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
	"beckon/backend/git"
	"beckon/backend/question"
	"beckon/backend/review/rewind"
	"beckon/backend/store/checkpoints"
)

// Checkpoints are those of questions; *rewind.Rewinder implements it.
type Checkpoints interface {
	// Checkpoint returns that of a question, or why it has none.
	Checkpoint(ctx context.Context, q beckon.Question) (c checkpoints.Checkpoint, why *reason.Reason, err error)
	// Story is what an agent gets behind the brief that begins at one with an answer.
	Story(ctx context.Context, q beckon.Question, a beckon.Answer, opening rewind.Opening) (string, error)
	// Fill makes a task's new worktree what another's was at a checkpoint, and returns the commit
	// that its branch grew from. The caller holds the task.
	Fill(ctx context.Context, taskID string, c checkpoints.Checkpoint, base string) (baseCommit string, err error)
}

// Board keeps the cards; *board.Board implements it.
type Board interface {
	Update(ctx context.Context, id string, edit func(*beckon.Task) error) (beckon.Task, error)
	// HoldTask keeps a task from agents and moves until release.
	HoldTask(ctx context.Context, id string) (t beckon.Task, p beckon.Project, release func(), err error)
	// AddFrom makes a task's worktree from any branch.
	AddFrom(ctx context.Context, t beckon.Task, p beckon.Project, branch string) (beckon.Task, error)
	MoveTask(ctx context.Context, id string, to beckon.Status, rank float64) (beckon.Task, error)
	Recount(ctx context.Context, taskID string) error
	// Committed has work done while a task is held and nothing of it is uncommitted.
	Committed(ctx context.Context, id string, work func(beckon.Task, beckon.Project) error) error
	// Loss and DeleteTask take a card away, with its work.
	Loss(ctx context.Context, id string) (beckon.Loss, error)
	DeleteTask(ctx context.Context, id, token string) error
}

// Config is what Attempts are joined to.
type Config struct {
	Rows        checkpoints.Rows
	Checkpoints Checkpoints
	Board       Board
	Task        func(ctx context.Context, id string) (beckon.Task, error)
	Project     func(ctx context.Context, id string) (beckon.Project, error)
	Question    func(ctx context.Context, id string) (beckon.Question, error)
	Runs        func(ctx context.Context, taskID string) ([]beckon.Run, error)
	Create      func(ctx context.Context, t *beckon.Task) error
	Repo        func(beckon.Project) *git.Repo
	// Capture returns what a task's worktree is now; beckon.ErrConflict where it is in no such state.
	Capture func(ctx context.Context, taskID string) (reviewing.WorkState, error)
	// Taken waits, for a while, until the checkpoint of a question is taken or there is none.
	Taken func(ctx context.Context, questionID string)
	// Answer settles a question that waits, and refuses any other with beckon.ErrConflict.
	Answer func(ctx context.Context, id string, a beckon.Answer) error
	// CopyBudget gives a task the limit of another.
	CopyBudget func(ctx context.Context, from, to string) error
	// Write puts a message into the queue of a task's agent, and SendBack has one begin with it.
	Write    func(ctx context.Context, taskID string, m beckon.NewMessage) (beckon.Message, error)
	SendBack func(ctx context.Context, taskID string, comment beckon.NewMessage) (beckon.Task, error)
	// Step is called before each step, where it is set; tests die there.
	Step func(name string)
}

// Attempts branches tasks. Its methods may be called from any goroutine.
type Attempts struct {
	Config
	mu sync.Mutex // one question at a time, so that two presses do not meet
}

// New returns one that changes nothing before Recover.
func New(c Config) *Attempts { return &Attempts{Config: c} }

func (a *Attempts) step(name string) {
	if a.Step != nil {
		a.Step(name)
	}
}

// opening is how the second agent's story begins.
var opening = rewind.Opening{
	Begin: "An agent works on this task, and asked a question. The user tries two answers: that agent goes on with one of them, " +
		"and you with the other. Your worktree and your branch are your own, and what that agent had done when it asked is in them. " +
		"Look at what there is before you change it, and leave the other agent's worktree alone.",
	Decision: "The question, with the answer that you try:",
}

// Refusal returns why a question cannot be answered with two answers now; nil where it can.
func (a *Attempts) Refusal(ctx context.Context, questionID string) (*reason.Reason, error) {
	q, err := a.Question(ctx, questionID)
	if err != nil {
		return nil, err
	}
	_, _, why, err := a.ready(ctx, q)
	return why, err
}

// ready returns the checkpoint of a question and its task, or why there can be no two attempts.
func (a *Attempts) ready(ctx context.Context, q beckon.Question) (c checkpoints.Checkpoint, t beckon.Task, why *reason.Reason, err error) {
	if q.Kind != beckon.Ask || q.TaskID == "" || len(q.Items) != 1 || len(q.Items[0].Options) < 2 {
		return c, t, reason.Of(reason.AttemptOptions), nil
	}
	if q.Settlement != beckon.Open && q.Settlement != beckon.Orphaned {
		return c, t, reason.Of(reason.AttemptSettled), nil
	}
	a.Taken(ctx, q.ID)
	if c, why, err = a.Checkpoints.Checkpoint(ctx, q); why != nil || err != nil {
		return c, t, why, err
	}
	if t, err = a.Task(ctx, q.TaskID); err != nil {
		return c, t, nil, err
	}
	p, err := a.Project(ctx, t.ProjectID)
	switch {
	case err != nil:
	case t.Branch == "" || t.Resolution != "" || t.Status == beckon.Archived || t.Status == beckon.Done:
		why = reason.Of(reason.RewindOver)
	case t.ExecutorOf(p) != "":
		why = reason.Of(reason.CheckpointElsewhere)
	default:
		why, err = a.paired(ctx, t)
	}
	return c, t, why, err
}

// paired says that a task is one of two attempts already, between which nobody has chosen. A second
// one that was not made is none.
func (a *Attempts) paired(ctx context.Context, t beckon.Task) (*reason.Reason, error) {
	rows, err := a.Rows.AttemptsOf(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.Step == checkpoints.Planned {
			continue
		}
		other, err := a.Task(ctx, row.With(t.ID))
		if err == nil && other.Status != beckon.Archived && other.Status != beckon.Done {
			return reason.Of(reason.AttemptOpen, "key", other.Key), nil
		}
		if err != nil && !errors.Is(err, beckon.ErrNotFound) {
			return nil, err
		}
	}
	return nil, nil
}

// Branch gives a question its first answer, and has a second task begin at the question's
// checkpoint with the other answer, which it returns. Where that task cannot be made the question
// stays open, and nothing is left; what cannot be taken away now goes with the next try, or when
// Beckon starts. The error wraps beckon.ErrConflict where it cannot be done now.
func (a *Attempts) Branch(ctx context.Context, questionID string, first, other beckon.Answer) (beckon.Task, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q, err := a.Question(ctx, questionID)
	if err == nil {
		err = cmp.Or(question.Fits(q, first), question.Fits(q, other))
	}
	if err != nil {
		return beckon.Task{}, err
	}
	other.By, other.At = beckon.ByUser, beckon.Now()
	c, t, why, err := a.ready(ctx, q)
	if err == nil && why == nil && (label(first) == "" || label(other) == "" || label(first) == label(other)) {
		why = reason.Of(reason.AttemptOptions)
	}
	if err == nil && why != nil {
		err = why.Err(beckon.ErrConflict)
	}
	if err == nil {
		err = a.dropLeft(ctx, t.ID)
	}
	if err != nil {
		return beckon.Task{}, err
	}
	row := checkpoints.Attempt{
		QuestionID: q.ID, TaskID: t.ID, OtherID: beckon.NewID(), Asked: q.Items[0].Text,
		Answer: first, Other: other, Step: checkpoints.Planned, At: beckon.Now(),
	}
	a.step("note")
	if err := a.Rows.Plan(ctx, row); err != nil {
		return beckon.Task{}, err
	}
	// From here on it is finished or taken back, whatever becomes of the page that asked.
	ctx = context.WithoutCancel(ctx)
	if err = a.give(ctx, row, t, q, c); err != nil {
		return beckon.Task{}, errors.Join(err, a.drop(ctx, row))
	}
	return a.begin(ctx, row)
}

// give makes the second task, which is held meanwhile, and gives the first answer.
func (a *Attempts) give(ctx context.Context, row checkpoints.Attempt, t beckon.Task, q beckon.Question, c checkpoints.Checkpoint) error {
	second, err := a.create(ctx, row, t)
	if err != nil {
		return err
	}
	_, p, release, err := a.Board.HoldTask(ctx, second.ID) // before anybody has seen its card
	if err != nil {
		return err
	}
	defer release()
	if err := a.fill(ctx, row, t, second, p, q, c); err != nil {
		return err
	}
	if err := a.Rows.SetStep(ctx, row.QuestionID, checkpoints.Made); err != nil {
		return err
	}
	a.step("answer")
	return a.Answer(ctx, q.ID, row.Answer)
}

// label is the option that an answer chooses; empty where it is another answer.
func label(a beckon.Answer) string {
	if len(a.Items) != 1 || len(a.Items[0].Labels) != 1 || a.Items[0].Other != "" {
		return ""
	}
	return a.Items[0].Labels[0]
}

// create makes the card of the second task, which nobody sees yet.
func (a *Attempts) create(ctx context.Context, row checkpoints.Attempt, t beckon.Task) (beckon.Task, error) {
	second := beckon.Task{
		ID: row.OtherID, ProjectID: t.ProjectID, Title: t.Title, Brief: t.Brief, Status: beckon.Backlog, Labels: t.Labels, Priority: t.Priority,
		Agent: t.Agent, Model: t.Model, Mode: t.Mode, Policy: t.Policy, WaitMs: t.WaitMs, Executor: t.Executor, Base: t.Base, TemplateID: t.TemplateID,
		Start: startOf(t.Start),
	}
	a.step("card")
	return second, a.Create(ctx, &second)
}

// startOf is where the second of two attempts starts from, of what the first does: it is moved on
// with the task below, and names the issue. It has a branch of its own, which nothing is fetched into.
func startOf(s starting.Start) starting.Start {
	if s.Kind.Adopts() {
		s.Kind = ""
	}
	return starting.Start{Kind: s.Kind, Base: s.Base, Number: s.Number, URL: s.URL, TaskID: s.TaskID}
}

// fill makes all that the second task's agent needs. No agent begins.
func (a *Attempts) fill(
	ctx context.Context, row checkpoints.Attempt, t, second beckon.Task, p beckon.Project, q beckon.Question, c checkpoints.Checkpoint,
) error {
	text, err := a.Checkpoints.Story(ctx, q, row.Other, opening)
	if err != nil {
		return err
	}
	if err := a.CopyBudget(ctx, t.ID, second.ID); err != nil {
		return err
	}
	a.step("tree")
	if _, err := a.Board.AddFrom(ctx, second, p, t.Branch); err != nil {
		return err
	}
	a.step("fill")
	base, err := a.Checkpoints.Fill(ctx, second.ID, c, t.BaseCommit)
	if err != nil {
		return err
	}
	_, err = a.Board.Update(ctx, second.ID, func(now *beckon.Task) error {
		now.Base, now.BaseCommit = t.Base, base
		return nil
	})
	if err == nil {
		err = a.Board.Recount(ctx, second.ID)
	}
	if err == nil {
		a.step("story")
		_, err = a.Write(ctx, second.ID, beckon.NewMessage{Text: text})
	}
	return err
}

// begin queues the second task, once: the first answer is given. Where it cannot be queued its
// card says so.
func (a *Attempts) begin(ctx context.Context, row checkpoints.Attempt) (beckon.Task, error) {
	a.step("queue")
	t, err := a.Task(ctx, row.OtherID)
	if errors.Is(err, beckon.ErrNotFound) { // somebody deleted its card
		err = errors.Join(err, a.Rows.Unplan(ctx, row.QuestionID))
	}
	if err != nil {
		return t, err
	}
	if runs, err := a.Runs(ctx, t.ID); err != nil {
		return t, err
	} else if t.Status == beckon.Backlog && len(runs) == 0 {
		if _, err := a.Board.MoveTask(ctx, t.ID, beckon.Queued, 0); err != nil {
			why := reason.Of(reason.AttemptWaits).Because(beckon.ReasonOf(err))
			if _, err := a.Board.Update(ctx, t.ID, func(t *beckon.Task) error { t.Trouble = why; return nil }); err != nil {
				return t, err
			}
		}
	}
	a.step("begun")
	if err := a.Rows.SetStep(ctx, row.QuestionID, checkpoints.Begun); err != nil {
		return t, err
	}
	same := func(*beckon.Task) error { return nil } // it is published, as one of two
	if _, err := a.Board.Update(ctx, row.TaskID, same); err != nil {
		return t, err
	}
	return a.Board.Update(ctx, row.OtherID, same)
}

// drop takes away what was made of a second attempt whose first answer was not given. Where that
// cannot be done now its row stays, and with it what is known of the rest. A task that an agent has
// worked on is the user's, and stays.
func (a *Attempts) drop(ctx context.Context, row checkpoints.Attempt) error {
	if err := a.Rows.SetStep(ctx, row.QuestionID, checkpoints.Planned); err != nil {
		return err
	}
	runs, err := a.Runs(ctx, row.OtherID)
	if err == nil && len(runs) == 0 {
		var loss beckon.Loss
		if loss, err = a.Board.Loss(ctx, row.OtherID); err == nil {
			err = a.Board.DeleteTask(ctx, row.OtherID, loss.Token)
		}
	}
	if err != nil && !errors.Is(err, beckon.ErrNotFound) {
		return fmt.Errorf("take the second attempt away: %w", err)
	}
	return a.Rows.Unplan(ctx, row.QuestionID)
}

// dropLeft drops what earlier tries left of second attempts of a task.
func (a *Attempts) dropLeft(ctx context.Context, taskID string) error {
	rows, err := a.Rows.PlannedAttempts(ctx)
	for _, row := range rows {
		if err == nil && row.TaskID == taskID && row.Step == checkpoints.Planned {
			err = a.drop(ctx, row)
		}
	}
	return err
}

// Recover puts right what a Beckon that died left half done: where the first answer is given and the
// second attempt is whole it begins, else nothing is left of it.
func (a *Attempts) Recover(ctx context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	rows, err := a.Rows.PlannedAttempts(ctx)
	if err != nil {
		slog.Error("find attempts that were half begun", "err", err)
	}
	for _, row := range rows {
		if err := a.recover(ctx, row); err != nil {
			slog.Error("finish or take back an attempt that was half begun", "err", err, "question", row.QuestionID)
		}
	}
}

func (a *Attempts) recover(ctx context.Context, row checkpoints.Attempt) error {
	q, err := a.Question(ctx, row.QuestionID)
	if err != nil && !errors.Is(err, beckon.ErrNotFound) {
		return err
	}
	if err == nil && row.Step == checkpoints.Made && q.Answer != nil && label(*q.Answer) == label(row.Answer) {
		if _, err = a.begin(ctx, row); errors.Is(err, beckon.ErrNotFound) {
			return nil
		}
		return err
	}
	return a.drop(ctx, row)
}
