package rewind

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/git/checkpoint"
	"beckon/backend/git/command"
	"beckon/backend/question"
	"beckon/backend/store/checkpoints"
	"beckon/backend/store/decisions"
)

// putBackIn is how long putting a worktree back may take that a rewind left half done.
const putBackIn = 2 * time.Minute

// Config is what a Rewinder is joined to.
type Config struct {
	Rows      checkpoints.Rows
	Decisions decisions.Rows
	Questions func(ctx context.Context, taskID string) ([]beckon.Question, error)
	Run       func(ctx context.Context, id string) (beckon.Run, error)
	// Task returns a task with its project. Hold does, and keeps agents and all else that git
	// does away from it until release; beckon.ErrConflict where an agent lives on it.
	Task func(ctx context.Context, id string) (beckon.Task, beckon.Project, error)
	Hold func(ctx context.Context, id string) (t beckon.Task, p beckon.Project, release func(), err error)
	Repo func(beckon.Project) *git.Repo
	// Live reports whether an agent lives on a task.
	Live func(taskID string) (kind beckon.RunKind, live bool)
	// Update changes a card, and Recount counts again what its branch has.
	Update  func(ctx context.Context, id string, edit func(*beckon.Task) error) (beckon.Task, error)
	Recount func(ctx context.Context, id string) error
	// KeepTrees keeps trees of a task's worktree from git's clean-up.
	KeepTrees func(ctx context.Context, taskID string, trees ...string) error
	// Commits lists the commits that head has and from has not.
	Commits func(ctx context.Context, c command.Git, from, head string) ([]reviewing.Commit, error)
	// Withdraw closes what a task's earlier agents still ask, and Begin has an agent begin
	// with a message behind the brief.
	Withdraw func(ctx context.Context, taskID string, why *reason.Reason) error
	Begin    func(ctx context.Context, taskID, text string) (beckon.Task, error)
}

// Rewinder takes worktrees back. Its methods may be called from any goroutine.
type Rewinder struct {
	Config
	step func(name string) // called before each step; tests die there

	mu sync.Mutex // one rewind at a time, so that two presses do not meet
}

// New returns one that changes nothing before Recover.
func New(c Config) *Rewinder { return &Rewinder{Config: c, step: func(string) {}} }

// place is a task's worktree.
type place struct {
	task    beckon.Task
	project beckon.Project
	mover   checkpoint.Mover
	state   git.State
}

// placeOf returns the worktree of a task, which may be in any condition.
func (r *Rewinder) placeOf(ctx context.Context, t beckon.Task, p beckon.Project) (at place, err error) {
	w, repo := git.WorktreeOf(t), r.Repo(p)
	tree := repo.Tree(w)
	at = place{task: t, project: p, mover: checkpoint.Mover{Repo: tree.Project, Folder: tree.In, Branch: t.Branch, Step: r.step}}
	at.state, err = repo.Status(ctx, w)
	return at, err
}

// noCheckpoint says why a decision has no checkpoint.
var noCheckpoint = map[checkpoints.None]reason.Code{
	checkpoints.Late: reason.CheckpointLate, checkpoints.Elsewhere: reason.CheckpointElsewhere,
	checkpoints.Several: reason.CheckpointSeveral, checkpoints.Unready: reason.CheckpointUnready,
	checkpoints.Failed: reason.CheckpointFailed,
}

// checkpointOf returns the checkpoint of a decision, or why it has none.
func (r *Rewinder) checkpointOf(ctx context.Context, q beckon.Question) (c checkpoints.Checkpoint, why *reason.Reason, err error) {
	c, ok, err := r.Rows.Of(ctx, q.ID)
	switch {
	case err != nil:
		return c, nil, err
	case !ok:
		return c, reason.Of(reason.CheckpointNone), nil
	case c.None != checkpoints.Taken:
		return c, reason.Of(noCheckpoint[c.None]), nil
	}
	return c, nil, nil
}

// refusal says why a task cannot be taken back now, if so.
func refusal(t beckon.Task, p beckon.Project, live bool) *reason.Reason {
	switch {
	case t.Branch == "" || t.Resolution != "" || t.Status == beckon.Archived || t.Status == beckon.Done:
		return reason.Of(reason.RewindOver)
	case live:
		return reason.Of(reason.AgentAtWork)
	case t.Status == beckon.Queued:
		return reason.Of(reason.MayStart)
	case t.ExecutorOf(p) != "": // what is there would differ from what is here
		return reason.Of(reason.RewindElsewhere)
	}
	return nil
}

// Choose takes the worktree of a decision's task back to what it was when that was asked, and has
// an agent begin there with another answer. What is there by now, uncommitted files included,
// stays on a branch of its own, and the earlier run stays as it is. Where the agent cannot begin
// all is as before. The error wraps beckon.ErrConflict where it cannot be done now.
func (r *Rewinder) Choose(ctx context.Context, questionID string, a beckon.Answer) (beckon.Task, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q, err := r.Decisions.One(ctx, questionID)
	if err == nil {
		err = question.Fits(q, a)
	}
	if err != nil {
		return beckon.Task{}, err
	}
	c, why, err := r.checkpointOf(ctx, q)
	if err != nil || why != nil {
		return beckon.Task{}, errors.Join(err, conflict(why))
	}
	a.By, a.At = beckon.ByUser, beckon.Now()
	text, err := r.story(ctx, q, a)
	if err != nil {
		return beckon.Task{}, err
	}
	done, err := r.goBack(ctx, c, a)
	if err != nil {
		return beckon.Task{}, err
	}
	r.step("begin")
	t, err := r.Begin(ctx, c.TaskID, text)
	if err != nil {
		return t, errors.Join(fmt.Errorf("no agent began, so all is as before: %w", err), r.unmake(context.WithoutCancel(ctx), done))
	}
	return t, r.Withdraw(ctx, c.TaskID, reason.Of(reason.Rewound))
}

// goBack takes the worktree of a checkpoint's task back to it.
func (r *Rewinder) goBack(ctx context.Context, c checkpoints.Checkpoint, a beckon.Answer) (done checkpoints.Rewind, err error) {
	t, p, release, err := r.Hold(ctx, c.TaskID)
	if err != nil {
		return done, err
	}
	defer release()
	at, err := r.placeOf(ctx, t, p)
	if err == nil {
		err = conflict(refusal(t, p, false))
	}
	if err == nil {
		err = at.state.Err()
	}
	if err != nil {
		return done, err
	}
	is, err := checkpoint.Read(ctx, at.mover.Folder)
	if err == nil {
		err = at.mover.Check(ctx, is, c.WorkState)
	}
	if err != nil {
		return done, err
	}
	base, err := r.baseAt(ctx, at, c.Head)
	if err != nil {
		return done, err
	}
	return r.moveTo(ctx, at, checkpoints.Rewind{
		ID: beckon.NewID(), TaskID: t.ID, QuestionID: c.QuestionID, Step: checkpoints.Saved, Answer: a, At: beckon.Now(),
		Before: checkpoints.Work{WorkState: is, BaseCommit: t.BaseCommit, Session: t.Session},
		After:  checkpoints.Work{WorkState: c.WorkState, BaseCommit: base},
	})
}

// moveTo saves what is there, writes down what follows, and has it done. Where git fails all is
// put back.
func (r *Rewinder) moveTo(ctx context.Context, at place, w checkpoints.Rewind) (checkpoints.Rewind, error) {
	err := r.KeepTrees(ctx, w.TaskID, w.Before.Tree, w.Before.Staged, w.After.Tree, w.After.Staged)
	if err == nil {
		r.step("save")
		w.Branch, err = r.save(ctx, at, w.Before.WorkState, w.After.WorkState, at.task.Branch+"-before-rewind")
	}
	if err == nil {
		r.step("note")
		err = r.Rows.Begin(ctx, w)
	}
	if err != nil {
		return w, err
	}
	// From here on it is finished or put back, whatever becomes of the page that asked.
	ctx = context.WithoutCancel(ctx)
	if err = at.mover.Move(ctx, w.Before.WorkState, w.After.WorkState); err == nil {
		r.step("card")
		err = r.card(ctx, w.TaskID, w.After, reason.Of(reason.RewindWaits))
	}
	if err == nil {
		r.step("moved")
		_, err = r.Rows.Edit(ctx, w.ID, func(w *checkpoints.Rewind) { w.Step = checkpoints.Moved })
	}
	if err != nil {
		return w, errors.Join(err, r.putBack(ctx, at, w))
	}
	w.Step = checkpoints.Moved
	return w, nil
}

// card writes on a task's card what its work is by now.
func (r *Rewinder) card(ctx context.Context, taskID string, work checkpoints.Work, trouble *reason.Reason) error {
	_, err := r.Update(ctx, taskID, func(t *beckon.Task) error {
		t.Session, t.BaseCommit, t.Trouble = work.Session, work.BaseCommit, trouble
		return nil
	})
	if err == nil {
		err = r.Recount(ctx, taskID)
	}
	return err
}

// putBack makes a worktree what it was before a rewind, from wherever that was left, and forgets
// the rewind.
func (r *Rewinder) putBack(ctx context.Context, at place, w checkpoints.Rewind) error {
	ctx, cancel := context.WithTimeout(ctx, putBackIn)
	defer cancel()
	is, err := checkpoint.Read(ctx, at.mover.Folder)
	if err == nil {
		err = r.saveStrays(ctx, at, w, is)
	}
	if err == nil {
		err = at.mover.Move(ctx, is, w.Before.WorkState)
	}
	if err == nil {
		err = r.card(ctx, w.TaskID, w.Before, nil)
	}
	if err != nil {
		return r.half(ctx, w, err)
	}
	if w.Step == checkpoints.Returning { // what was there before it was taken back stays on its branch
		_, err = r.Rows.Edit(ctx, w.ID, func(w *checkpoints.Rewind) { w.Step = checkpoints.Returned })
		return err
	}
	return errors.Join(r.unsave(ctx, at, w), r.Rows.Forget(ctx, w.ID))
}

// half says on the card that a rewind is half done, and where the work is.
func (r *Rewinder) half(ctx context.Context, w checkpoints.Rewind, why error) error {
	said := reason.Of(reason.RewindHalf, "branch", w.Branch).Because(beckon.ReasonOf(why))
	_, err := r.Update(context.WithoutCancel(ctx), w.TaskID, func(t *beckon.Task) error { t.Trouble = said; return nil })
	return errors.Join(said.Err(beckon.ErrConflict), err)
}

// TakeBack makes the work of a task what it was before it was last taken back to a decision, with
// its session. What was done since stays on a branch of its own.
func (r *Rewinder) TakeBack(ctx context.Context, taskID string) (beckon.Task, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok, err := r.Rows.Last(ctx, taskID)
	if err == nil && (!ok || w.Step != checkpoints.Moved) {
		err = conflict(reason.Of(reason.RewindThere))
	}
	if err == nil {
		err = r.takeBack(ctx, w)
	}
	if err != nil {
		return beckon.Task{}, err
	}
	t, _, err := r.Task(ctx, taskID)
	return t, err
}

func (r *Rewinder) takeBack(ctx context.Context, w checkpoints.Rewind) error {
	t, p, release, err := r.Hold(ctx, w.TaskID)
	if err != nil {
		return err
	}
	defer release()
	at, err := r.placeOf(ctx, t, p)
	if err == nil {
		err = conflict(refusal(t, p, false))
	}
	if err == nil {
		err = at.state.Err()
	}
	if err != nil {
		return err
	}
	is, err := checkpoint.Read(ctx, at.mover.Folder)
	if err == nil {
		err = at.mover.Check(ctx, is, w.Before.WorkState)
	}
	if err == nil {
		err = r.KeepTrees(ctx, w.TaskID, is.Tree, is.Staged)
	}
	if err == nil && is != w.After.WorkState { // else the checkpoint has it
		r.step("save")
		_, err = r.save(ctx, at, is, w.Before.WorkState, t.Branch+"-rewound")
	}
	if err != nil {
		return err
	}
	r.step("note")
	w, err = r.Rows.Edit(ctx, w.ID, func(w *checkpoints.Rewind) { w.Step, w.After.WorkState = checkpoints.Returning, is })
	if err != nil {
		return err
	}
	return r.putBack(context.WithoutCancel(ctx), at, w)
}

// unmake takes back a rewind with which no agent began, and leaves nothing of it.
func (r *Rewinder) unmake(ctx context.Context, w checkpoints.Rewind) error {
	if err := r.takeBack(ctx, w); err != nil {
		return err
	}
	t, p, err := r.Task(ctx, w.TaskID)
	if err != nil {
		return err
	}
	at, err := r.placeOf(ctx, t, p)
	if err == nil {
		err = r.unsave(ctx, at, w)
	}
	return errors.Join(err, r.Rows.Forget(ctx, w.ID))
}

// Recover puts right what a Beckon that died left half done: the work is as before the rewind.
func (r *Rewinder) Recover(ctx context.Context) {
	begun, err := r.Rows.Begun(ctx)
	if err != nil {
		slog.Error("find what was taken back to a decision", "err", err)
	}
	for _, w := range begun {
		if err := r.recover(ctx, w); err != nil {
			slog.Error("put a worktree back that was half taken back", "err", err, "task", w.TaskID)
		}
	}
}

func (r *Rewinder) recover(ctx context.Context, w checkpoints.Rewind) error {
	t, p, release, err := r.Hold(ctx, w.TaskID)
	if err != nil {
		return err
	}
	defer release()
	at, err := r.placeOf(ctx, t, p)
	if err == nil {
		err = at.state.Err()
	}
	if err != nil {
		return r.half(ctx, w, err)
	}
	return r.putBack(ctx, at, w)
}

// conflict is the error of a reason, nil for none.
func conflict(why *reason.Reason) error {
	if why == nil {
		return nil
	}
	return why.Err(beckon.ErrConflict)
}
