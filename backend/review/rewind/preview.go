package rewind

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/git/checkpoint"
	"beckon/backend/git/diff"
	"beckon/backend/store/checkpoints"
)

// mostShown is how many files and commits a preview lists.
const mostShown = 100

// Preview is what taking a decision back would do.
type Preview struct {
	Question beckon.Question `json:"question"`
	Run      int             `json:"run"`  // the number of the run that asked
	Turn     int             `json:"turn"` // in which it asked; 0 where there is no checkpoint
	At       int64           `json:"at"`   // when the checkpoint was taken, Unix milliseconds; 0 for none
	// Refusal is why it cannot be done now; nil: it can.
	Refusal *reason.Reason `json:"why,omitempty"`
	// Files differ between the checkpoint and now, without their patches; Count counts all of them.
	Files   []beckon.FileDiff `json:"files"`
	Count   int               `json:"count"`
	Added   int               `json:"added"`
	Removed int               `json:"removed"`
	// Commits are on the task's branch and would be on the saved one alone, 500 at most.
	Commits []reviewing.Commit `json:"commits"`
	Branch  string             `json:"branch"` // the task's
	// Saved is the branch that would keep what is there; empty where the checkpoint has all of it.
	Saved string `json:"saved"`
	// Later are the decisions that came after it in the same run.
	Later []beckon.Question `json:"later"`
	// Done is what was done last with the task, or left half done, and can be taken back; nil: nothing.
	Done *Done `json:"done,omitempty"`
}

// Done is a decision that was taken back.
type Done struct {
	ID         string        `json:"id"`
	QuestionID string        `json:"questionId"`
	Answer     beckon.Answer `json:"answer"` // the other one
	Branch     string        `json:"branch"` // keeps what was there; empty: nothing was to be kept
	At         int64         `json:"at"`
}

func doneOf(w checkpoints.Rewind) *Done { return &Done{w.ID, w.QuestionID, w.Answer, w.Branch, w.At} }

// Done returns what was chosen differently of a task last, or beckon.ErrNotFound.
func (r *Rewinder) Done(ctx context.Context, taskID string) (*Done, error) {
	last, ok, err := r.Rows.Last(ctx, taskID)
	if err == nil && !ok {
		err = beckon.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return doneOf(last), nil
}

// Preview returns what taking a decision back would do, or beckon.ErrNotFound. Nothing changes.
func (r *Rewinder) Preview(ctx context.Context, questionID string) (v Preview, err error) {
	v = Preview{Files: []beckon.FileDiff{}, Commits: []reviewing.Commit{}, Later: []beckon.Question{}}
	if v.Question, err = r.Decisions.One(ctx, questionID); err != nil {
		return v, err
	}
	if run, err := r.Run(ctx, v.Question.RunID); err == nil {
		v.Run = run.Number
	}
	c, why, err := r.Checkpoint(ctx, v.Question)
	if err != nil {
		return v, err
	}
	if v.Question.TaskID == "" {
		v.Refusal = reason.Of(reason.CheckpointNone)
		return v, nil
	}
	last, ok, err := r.Rows.Last(ctx, v.Question.TaskID)
	if err != nil {
		return v, err
	}
	if ok {
		v.Done = doneOf(last)
	}
	if ok && last.Under() {
		why = reason.Of(reason.RewindUnfinished)
	}
	if v.Refusal = why; why != nil {
		return v, nil
	}
	if err := r.Bring(ctx, c.TaskID); err != nil {
		v.Refusal = beckon.ReasonOf(err)
		return v, nil
	}
	if v.Later, err = r.Decisions.After(ctx, v.Question); err != nil {
		return v, err
	}
	v.At, v.Turn = c.At, c.Turn
	return v, r.compare(ctx, &v, c)
}

// compare says what differs between a checkpoint and now, and whether it can be gone back to.
func (r *Rewinder) compare(ctx context.Context, v *Preview, c checkpoints.Checkpoint) error {
	t, p, err := r.Task(ctx, c.TaskID)
	if err != nil {
		return err
	}
	v.Branch = t.Branch
	_, live := r.Live(t.ID)
	if v.Refusal = refusal(t, p, live); v.Refusal.Is(reason.RewindOver) {
		return nil
	}
	at, err := r.placeOf(ctx, t, p)
	if err != nil {
		return err
	}
	if at.state.Condition != git.Ready {
		v.Refusal = beckon.ReasonOf(at.state.Err())
		return nil
	}
	is, err := checkpoint.Read(ctx, at.mover.Folder)
	if err == nil && v.Refusal == nil {
		err = at.mover.Check(ctx, is, c.WorkState, "")
	}
	if err != nil {
		v.Refusal = beckon.ReasonOf(err)
		return nil
	}
	files, err := diff.Files(ctx, at.mover.Repo, diff.Trees{From: c.Tree, To: is.Tree})
	if err != nil {
		v.Refusal = reason.Of(reason.CheckpointGone)
		return nil
	}
	v.Count = len(files)
	for _, f := range files {
		v.Added, v.Removed = v.Added+f.Added, v.Removed+f.Removed
	}
	v.Files = append(v.Files, files[:min(len(files), mostShown)]...)
	commits, err := r.Commits(ctx, at.mover.Repo, c.Head, is.Head)
	v.Commits = append(v.Commits, commits...)
	if err == nil && is != c.WorkState {
		v.Saved, err = freeBranch(ctx, at, t.Branch+beforeRewind)
	}
	return err
}
