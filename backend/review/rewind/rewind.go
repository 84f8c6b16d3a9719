package rewind

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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

// beforeRewind stands behind the name of a task's branch in that of the one that keeps what was there.
const beforeRewind = "-before-rewind"

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
	// Bring brings what an agent did on another computer; beckon.ErrUnavailable where it cannot.
	Bring func(ctx context.Context, taskID string) error
	// SetHeard notes when an agent heard the answer to a question, 0: none did.
	SetHeard func(ctx context.Context, questionID string, at int64) error
	// Withdraw closes what a task's earlier agents still ask, and Begin has an agent begin
	// with a message behind the brief.
	Withdraw func(ctx context.Context, taskID string, why *reason.Reason) error
	// Stop has a task's agent end, if there is one, and returns at once; Hold waits for it then.
	Stop  func(taskID string, why *reason.Reason)
	Begin func(ctx context.Context, taskID string, m beckon.NewMessage) (beckon.Task, error)
	// Drop removes a message from its task's queue; beckon.ErrNotFound where no agent is still to have it.
	Drop func(ctx context.Context, messageID string) error
}

// Rewinder takes worktrees back. Its methods may be called from any goroutine.
type Rewinder struct {
	Config
	step  func(name string) // called before each step; tests die there
	since time.Time

	mu sync.Mutex // one rewind at a time, so that two presses do not meet
	// stuck has the tasks of which a rewind is half done, and what lets go of each: nobody works
	// on one before it is put right. halfDone has those that are to be held on.
	stuck    map[string]func()
	halfDone map[string]bool
}

// New returns one that changes nothing before Recover.
func New(c Config) *Rewinder {
	return &Rewinder{
		Config: c, step: func(string) {}, since: time.Now(), stuck: map[string]func(){}, halfDone: map[string]bool{},
	}
}

// hold holds a task until release, and beyond it while a rewind of it is half done.
func (r *Rewinder) hold(ctx context.Context, id string) (t beckon.Task, p beckon.Project, release func(), err error) {
	let, held := r.stuck[id]
	if held {
		t, p, err = r.Task(ctx, id)
	} else {
		t, p, let, err = r.Hold(ctx, id)
	}
	if err != nil {
		return t, p, nil, err
	}
	delete(r.halfDone, id)
	return t, p, func() {
		if r.halfDone[id] {
			r.stuck[id] = let
			return
		}
		delete(r.stuck, id)
		let()
	}, nil
}

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
	at = place{task: t, project: p, mover: checkpoint.Mover{Repo: tree.Project, Folder: tree.In, Branch: t.Branch, Step: r.step, Since: r.since}}
	at.state, err = repo.Status(ctx, w)
	return at, err
}

// noCheckpoint says why a decision has no checkpoint.
var noCheckpoint = map[checkpoints.None]reason.Code{
	checkpoints.Late: reason.CheckpointLate, checkpoints.Elsewhere: reason.CheckpointElsewhere,
	checkpoints.Several: reason.CheckpointSeveral, checkpoints.Unready: reason.CheckpointUnready,
	checkpoints.Failed: reason.CheckpointFailed,
}

// Checkpoint returns the checkpoint of a question, or why it has none.
func (r *Rewinder) Checkpoint(ctx context.Context, q beckon.Question) (c checkpoints.Checkpoint, why *reason.Reason, err error) {
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
	c, why, err := r.Checkpoint(ctx, q)
	if err != nil || why != nil {
		return beckon.Task{}, errors.Join(err, conflict(why))
	}
	if err := r.ready(ctx, c.TaskID); err != nil {
		return beckon.Task{}, err
	}
	a.By, a.At = beckon.ByUser, beckon.Now()
	text, err := r.Story(ctx, q, a, changed)
	if err != nil {
		return beckon.Task{}, err
	}
	before, _, err := r.Rows.Last(ctx, c.TaskID)
	if err != nil {
		return beckon.Task{}, err
	}
	done, err := r.goBack(ctx, c, a, q.Answer != nil && q.Delivered == 0)
	if err != nil {
		return beckon.Task{}, err
	}
	r.step("begin")
	r.drop(ctx, before) // its agent never began
	t, err := r.Begin(ctx, c.TaskID, beckon.NewMessage{ID: done.After.Opening, Text: text})
	if err != nil {
		return t, errors.Join(fmt.Errorf("no agent began, so all is as before: %w", err), r.unmake(context.WithoutCancel(ctx), done))
	}
	if err := r.Withdraw(ctx, c.TaskID, reason.Of(reason.Rewound)); err != nil { // the agent began all the same
		slog.Error("close what was asked before a task was taken back", "err", err, "task", c.TaskID)
	}
	return t, nil
}

// ready refuses while a rewind of a task is half done, and brings what is elsewhere.
func (r *Rewinder) ready(ctx context.Context, taskID string) error {
	last, ok, err := r.Rows.Last(ctx, taskID)
	if err == nil && ok && last.Under() {
		err = conflict(reason.Of(reason.RewindUnfinished))
	}
	if err == nil {
		err = r.Bring(ctx, taskID)
	}
	return err
}

// open holds a task until release, and returns its worktree and what that is now. The error
// wraps beckon.ErrConflict where it cannot be taken anywhere now.
func (r *Rewinder) open(ctx context.Context, taskID string) (at place, is reviewing.WorkState, release func(), err error) {
	t, p, release, err := r.hold(ctx, taskID)
	if err != nil {
		return at, is, nil, err
	}
	if at, is, err = r.seen(ctx, t, p); err != nil {
		release()
		return at, is, nil, err
	}
	return at, is, release, nil
}

// seen returns the worktree of a task that is held, and what it is now.
func (r *Rewinder) seen(ctx context.Context, t beckon.Task, p beckon.Project) (at place, is reviewing.WorkState, err error) {
	if at, err = r.placeOf(ctx, t, p); err == nil {
		is, err = r.look(ctx, at, t, p)
	}
	return at, is, err
}

// look returns what a worktree is now; beckon.ErrConflict where it cannot be taken anywhere.
func (r *Rewinder) look(ctx context.Context, at place, t beckon.Task, p beckon.Project) (is reviewing.WorkState, err error) {
	if err := conflict(refusal(t, p, false)); err != nil {
		return is, err
	}
	if err := at.state.Err(); err != nil {
		return is, err
	}
	return checkpoint.Read(ctx, at.mover.Folder)
}

// goBack takes the worktree of a checkpoint's task back to it.
func (r *Rewinder) goBack(ctx context.Context, c checkpoints.Checkpoint, a beckon.Answer, owed bool) (done checkpoints.Rewind, err error) {
	at, is, release, err := r.open(ctx, c.TaskID)
	if err != nil {
		return done, err
	}
	defer release()
	if err := at.mover.Check(ctx, is, c.WorkState, ""); err != nil {
		return done, err
	}
	base, err := r.baseAt(ctx, at, c.Head)
	if err != nil {
		return done, err
	}
	return r.moveTo(ctx, at, checkpoints.Rewind{
		ID: beckon.NewID(), TaskID: at.task.ID, QuestionID: c.QuestionID, Step: checkpoints.Saved, Answer: a, At: beckon.Now(),
		Before: checkpoints.Work{WorkState: is, BaseCommit: at.task.BaseCommit, Session: at.task.Session, Trouble: at.task.Trouble, Owed: owed},
		After:  checkpoints.Work{WorkState: c.WorkState, BaseCommit: base, Opening: beckon.NewUUID()},
	})
}

// moveTo saves what is there, writes down what follows, and has it done. Where git fails all is
// put back.
func (r *Rewinder) moveTo(ctx context.Context, at place, w checkpoints.Rewind) (checkpoints.Rewind, error) {
	err := r.KeepTrees(ctx, w.TaskID, w.Before.Tree, w.Before.Staged, w.After.Tree, w.After.Staged)
	if err == nil {
		r.step("save")
		w.Branch, err = r.save(ctx, at, w.Before.WorkState, w.After.WorkState, at.task.Branch+beforeRewind)
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
	touched, err := at.mover.Move(ctx, w.Before.WorkState, w.After.WorkState)
	if err != nil && !touched {
		return w, errors.Join(err, r.unsave(ctx, at, w), r.Rows.Forget(ctx, w.ID))
	}
	if err == nil {
		r.step("card")
		err = r.card(ctx, w, w.After, reason.Of(reason.RewindWaits))
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

// card writes on a task's card what its work is by now, which is one side of a rewind. An answer that
// no agent had heard is owed to that of the earlier work only: the new one gets the other answer.
func (r *Rewinder) card(ctx context.Context, w checkpoints.Rewind, work checkpoints.Work, trouble *reason.Reason) error {
	if w.Before.Owed {
		at := beckon.Now()
		if work.Owed {
			at = 0
		}
		if err := r.SetHeard(ctx, w.QuestionID, at); err != nil {
			return err
		}
	}
	_, err := r.Update(ctx, w.TaskID, func(t *beckon.Task) error {
		t.Session, t.BaseCommit, t.Trouble = work.Session, work.BaseCommit, trouble
		return nil
	})
	if err == nil {
		err = r.Recount(ctx, w.TaskID)
	}
	return err
}

// putBack makes a worktree what it was before a rewind, from wherever that was left, and forgets
// the rewind.
func (r *Rewinder) putBack(ctx context.Context, at place, w checkpoints.Rewind) error {
	ctx, cancel := context.WithTimeout(ctx, putBackIn)
	defer cancel()
	if _, err := r.moveBack(ctx, at, w); err != nil {
		return r.half(ctx, w, err)
	}
	return r.putAway(ctx, at, w)
}

// moveBack makes a worktree what it was before a rewind. Where it is not touched, nothing changed.
func (r *Rewinder) moveBack(ctx context.Context, at place, w checkpoints.Rewind) (touched bool, err error) {
	if err := at.mover.Left(ctx); err != nil {
		return true, err
	}
	is, err := checkpoint.Read(ctx, at.mover.Folder)
	if err == nil {
		err = at.mover.Check(ctx, is, w.Before.WorkState, w.After.Tree)
	}
	if err != nil {
		return false, err
	}
	kept, err := r.saveStrays(ctx, at, w, is)
	if err != nil {
		return false, err
	}
	if touched, err = at.mover.Move(ctx, is, w.Before.WorkState); err != nil {
		return touched, err
	}
	trouble := w.Before.Trouble
	if kept != "" {
		trouble = reason.Of(reason.RewindStrays, "branch", kept)
	}
	return true, r.card(ctx, w, w.Before, trouble)
}

// putAway notes that a worktree is what it was before a rewind.
func (r *Rewinder) putAway(ctx context.Context, at place, w checkpoints.Rewind) error {
	if w.Step == checkpoints.Returning { // what was there before it was taken back stays on its branch
		r.drop(ctx, w)
		if w.After.Withdraw {
			if err := r.Withdraw(ctx, w.TaskID, reason.Of(reason.RewindReturned)); err != nil { // all else is as it was
				slog.Error("close what was asked before a choice was taken back", "err", err, "task", w.TaskID)
			}
		}
		_, err := r.Rows.Edit(ctx, w.ID, func(w *checkpoints.Rewind) { w.Step, w.After.Until = checkpoints.Returned, beckon.Now() })
		return err
	}
	return errors.Join(r.unsave(ctx, at, w), r.Rows.Forget(ctx, w.ID))
}

// drop removes the message that the agent of a rewind was to begin with, if it still waits for one.
func (r *Rewinder) drop(ctx context.Context, w checkpoints.Rewind) {
	if w.After.Opening == "" {
		return
	}
	if err := r.Drop(ctx, w.After.Opening); err != nil && !errors.Is(err, beckon.ErrNotFound) {
		slog.Error("remove what an agent was to begin with", "err", err, "task", w.TaskID)
	}
}

// half says on the card that a rewind is half done, and where the work is. Its task stays held.
func (r *Rewinder) half(ctx context.Context, w checkpoints.Rewind, why error) error {
	r.halfDone[w.TaskID] = true
	said := reason.Of(reason.RewindHalf, "branch", w.Branch).Because(beckon.ReasonOf(why))
	_, err := r.Update(context.WithoutCancel(ctx), w.TaskID, func(t *beckon.Task) error { t.Trouble = said; return nil })
	return errors.Join(said.Err(beckon.ErrConflict), err)
}

// TakeBack makes the work of a task what it was before it was last taken back to a decision, with
// its session. An agent that works on it is stopped, what it asks is withdrawn, and what was done
// since stays on a branch of its own. One that is half done is put back. rewindID is that of Done: a
// later one, or an earlier one, is not meant.
func (r *Rewinder) TakeBack(ctx context.Context, taskID, rewindID string) (beckon.Task, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok, err := r.Rows.Last(ctx, taskID)
	switch {
	case err != nil:
	case !ok || w.ID != rewindID:
		err = conflict(reason.Of(reason.RewindThere))
	case w.Under(): // it was left half done
		err = r.recover(ctx, w)
	default:
		if err = r.Bring(ctx, taskID); err == nil {
			err = r.allowed(ctx, w)
		}
		if err == nil {
			r.Stop(taskID, reason.Of(reason.RewindReturned))
			err = r.takeBack(ctx, w, true)
		}
	}
	if err != nil {
		return beckon.Task{}, err
	}
	t, _, err := r.Task(ctx, taskID)
	return t, err
}

// allowed refuses what cannot be taken back now, before an agent is stopped for it.
func (r *Rewinder) allowed(ctx context.Context, w checkpoints.Rewind) error {
	t, p, err := r.Task(ctx, w.TaskID)
	if err != nil {
		return err
	}
	at, err := r.placeOf(ctx, t, p)
	if err != nil {
		return err
	}
	is, err := r.look(ctx, at, t, p)
	if err != nil {
		return err
	}
	return at.mover.Check(ctx, is, w.Before.WorkState, w.After.Tree)
}

// takeBack takes a rewind back with which an agent began, or none.
func (r *Rewinder) takeBack(ctx context.Context, w checkpoints.Rewind, began bool) error {
	at, is, release, err := r.open(ctx, w.TaskID)
	if err != nil {
		return err
	}
	defer release()
	err = at.mover.Check(ctx, is, w.Before.WorkState, w.After.Tree)
	if err == nil {
		err = r.KeepTrees(ctx, w.TaskID, is.Tree, is.Staged)
	}
	if err == nil && is != w.After.WorkState { // else the checkpoint has it
		r.step("save")
		_, err = r.save(ctx, at, is, w.Before.WorkState, at.task.Branch+"-rewound")
	}
	if err != nil {
		return err
	}
	r.step("note")
	ctx = context.WithoutCancel(ctx)
	moved := w
	w, err = r.Rows.Edit(ctx, w.ID, func(w *checkpoints.Rewind) {
		w.Step, w.After.WorkState, w.After.Withdraw = checkpoints.Returning, is, began
	})
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, putBackIn)
	defer cancel()
	touched, err := r.moveBack(limited, at, w)
	switch {
	case err != nil && !touched: // it is as it was
		_, undone := r.Rows.Edit(ctx, w.ID, func(w *checkpoints.Rewind) { *w = moved })
		return errors.Join(err, undone)
	case err != nil:
		return r.half(ctx, w, err)
	}
	return r.putAway(ctx, at, w)
}

// unmake takes back a rewind with which no agent began, and leaves nothing of it.
func (r *Rewinder) unmake(ctx context.Context, w checkpoints.Rewind) error {
	if err := r.takeBack(ctx, w, false); err != nil {
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
	r.mu.Lock()
	defer r.mu.Unlock()
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
	t, p, release, err := r.hold(ctx, w.TaskID)
	if err != nil {
		return err
	}
	defer release()
	at, err := r.placeOf(ctx, t, p)
	if err != nil {
		return r.half(ctx, w, err)
	}
	known := at.state.Tip == w.Before.Head || at.state.Tip == w.After.Head
	away := slices.Contains([]git.Condition{git.Missing, git.Gone, git.Broken}, at.state.Condition)
	if !known || away || refusal(t, p, false).Is(reason.RewindOver) {
		return r.letGo(ctx, at, w)
	}
	if err := at.state.Err(); err != nil {
		return r.half(ctx, w, err)
	}
	return r.putBack(ctx, at, w)
}

// letGo forgets a rewind that was left half done and is not to be put back any more: the branch went
// on, or the work is over. What is there stays as it is, and is kept under a branch, too.
func (r *Rewinder) letGo(ctx context.Context, at place, w checkpoints.Rewind) error {
	kept := at.task.Branch
	if at.state.Condition == git.Ready {
		err := at.mover.Left(ctx)
		if err != nil {
			return r.half(ctx, w, err)
		}
		is, err := checkpoint.Read(ctx, at.mover.Folder)
		if err == nil {
			kept, err = r.save(ctx, at, is, reviewing.WorkState{}, at.task.Branch+"-interrupted")
		}
		if err != nil {
			return r.half(ctx, w, err)
		}
	}
	_, err := r.Update(ctx, w.TaskID, func(t *beckon.Task) error {
		t.Trouble = reason.Of(reason.RewindLeft, "branch", w.Branch, "kept", kept)
		return nil
	})
	if err == nil {
		err = r.Rows.Forget(ctx, w.ID)
	}
	return err
}

// conflict is the error of a reason, nil for none.
func conflict(why *reason.Reason) error {
	if why == nil {
		return nil
	}
	return why.Err(beckon.ErrConflict)
}
