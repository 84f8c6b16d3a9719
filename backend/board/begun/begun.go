// Package begun finishes what git did to the branch or the worktree of a task while its
// card does not say so, as where Beckon was killed between the two: what git is about to do
// is noted before it, and forgotten once the card is written. What git did not do it only
// forgets.
package begun

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store"
	"beckon/backend/store/undolog"
)

// finishIn is how long finishing one task may take.
const finishIn = 20 * time.Second

// Branch is the branch of a task; git.Branch implements it.
type Branch interface {
	// Merged returns what the base was after it got the branch as it is, by a merge of
	// Beckon's; empty where it has none.
	Merged(ctx context.Context) (commit string, err error)
	// Taken returns the newest commit of the base that the branch has, if any.
	Taken(ctx context.Context) (commit string, err error)
	// Update brings what the base has by now into the branch.
	Update(ctx context.Context, message string) (taken string, err error)
	// Summary counts what the branch changes.
	Summary(ctx context.Context) (beckon.Changes, error)
}

// Several finishes what is done in several repositories; *together.Merger implements it.
type Several interface {
	// Finish finishes a merge that Together notes.
	Finish(ctx context.Context, t beckon.Task, p beckon.Project, parts []store.IntentPart) error
	// FinishTurn finishes what Turn notes. It holds the task itself.
	FinishTurn(ctx context.Context, id string, kind store.IntentKind) error
}

// Work is what git does to the branches of tasks.
type Work struct {
	Intents store.Intents
	// HoldTask holds a task and returns it, with its project.
	HoldTask func(ctx context.Context, id string) (beckon.Task, beckon.Project, func(), error)
	Branch   func(beckon.Task, beckon.Project) Branch
	// Discarded finishes the discard of a task whose worktree is gone, and returns what its
	// card says then; nil where nothing was taken away.
	Discarded func(context.Context, beckon.Task, beckon.Project) (func(*beckon.Task) error, error)
	// Unmade takes away the worktree that was made for a task whose card names none.
	Unmade  func(context.Context, beckon.Task, beckon.Project) error
	Several Several
	Update  func(ctx context.Context, id string, edit func(*beckon.Task) error) (beckon.Task, error)
}

// Merge has the base of a task's branch get it, unless that is so, and puts the card
// into Done, behind the others.
func (w Work) Merge(ctx context.Context, was beckon.Task, p beckon.Project, merge func() (reviewing.Landed, error)) (t beckon.Task, err error) {
	var done reviewing.Landed
	done.Commit, err = w.Merged(ctx, was, p)
	if err == nil && done.Commit == "" {
		err = w.do(ctx, was.ID, store.IntentMerge, func() (err error) {
			done, err = merge()
			return err
		})
	}
	if err != nil {
		return was, err
	}
	if t, err = w.Update(ctx, was.ID, landed(done)); err == nil {
		w.Over(ctx, was.ID)
	}
	return t, err
}

// Together has the parts of a task merged, which are noted before it. The caller calls Over once
// all that came of it is written. Where some of them could not be put back the note stays.
func (w Work) Together(ctx context.Context, id string, parts []store.IntentPart, merge func() ([]reviewing.Landed, error)) ([]reviewing.Landed, error) {
	if err := w.Intents.SaveTogether(ctx, id, parts); err != nil {
		return nil, err
	}
	done, err := merge()
	if kind, _ := problem.From(err); err != nil && kind != problem.HalfMerged {
		w.Over(ctx, id)
	}
	return done, err
}

// Turn has a merge taken back or done again, as the kind says, in all its repositories, which is
// noted before it. The caller calls Over once the card says it. Where turn fails with half done
// the note stays.
func (w Work) Turn(ctx context.Context, id string, kind store.IntentKind, turn func() error) error {
	if err := w.Intents.SaveTurn(ctx, id, kind, undolog.StepOf(ctx)); err != nil {
		return err
	}
	err := turn()
	if kind, _ := problem.From(err); err != nil && kind != problem.HalfTurned {
		w.Over(ctx, id)
	}
	return err
}

// do notes what git is about to do, and has it done. Where that fails nothing is left
// of the note; else Over follows, once the card is written.
func (w Work) do(ctx context.Context, id string, kind store.IntentKind, work func() error) error {
	if err := w.Intents.Save(ctx, id, kind); err != nil {
		return err
	}
	err := work()
	if err != nil {
		w.Over(ctx, id)
	}
	return err
}

// Over forgets what git was about to do, since the card says it, or nothing came of it.
func (w Work) Over(ctx context.Context, id string) {
	if err := w.Intents.Drop(context.WithoutCancel(ctx), id); err != nil {
		slog.Error("forget what git was about to do", "err", err, "task", id) // the next start does
	}
}

// Merged returns what the base was after it got a task's branch as it is, if that is so
// and only the card does not say it.
func (w Work) Merged(ctx context.Context, t beckon.Task, p beckon.Project) (commit string, err error) {
	all, err := w.Intents.All(ctx)
	if err != nil || all[t.ID] != store.IntentMerge || t.Status == beckon.Done {
		return "", err
	}
	return w.Branch(t, p).Merged(ctx)
}

// Finish finishes all that was under way when Beckon ended.
func (w Work) Finish(ctx context.Context) {
	all, err := w.Intents.All(ctx)
	if err != nil {
		slog.Error("find what git was about to do", "err", err)
	}
	for id, kind := range all {
		if err := w.finish(ctx, id, kind); err != nil {
			slog.Error("finish what git was about to do", "err", err, "task", id, "kind", kind)
			continue // it is tried again by the next start, or by the user
		}
		w.Over(ctx, id)
	}
}

func (w Work) finish(ctx context.Context, id string, kind store.IntentKind) error {
	ctx, cancel := context.WithTimeout(ctx, finishIn)
	defer cancel()
	if kind == store.IntentTakeBack || kind == store.IntentAgain {
		return w.Several.FinishTurn(ctx, id, kind)
	}
	t, p, release, err := w.HoldTask(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	switch kind {
	case store.IntentMerge:
		commit, err := w.Merged(ctx, t, p)
		if err == nil && commit != "" {
			_, err = w.Update(undolog.Into(ctx, beckon.ChangeMerge), id, landed(reviewing.Landed{Commit: commit}))
		}
		return err
	case store.IntentDiscard:
		card, err := w.Discarded(ctx, t, p)
		if err == nil && card != nil {
			_, err = w.Update(undolog.Into(ctx, beckon.ChangeDiscard), id, card)
		}
		return err
	case store.IntentTogether:
		parts, err := w.Intents.Together(ctx, id)
		if err != nil || t.Status == beckon.Done {
			return err
		}
		return w.Several.Finish(undolog.Into(ctx, beckon.ChangeMerge), t, p, parts)
	case store.IntentAdd:
		return w.Unmade(ctx, t, p)
	default:
		return w.updated(ctx, t, p, kind)
	}
}

// Discard has a task's work taken away, and writes on its card what work returns for it; nil
// where the card stays as it is.
func (w Work) Discard(ctx context.Context, id string, work func() (card func(*beckon.Task) error, err error)) (t beckon.Task, err error) {
	var card func(*beckon.Task) error
	err = w.do(ctx, id, store.IntentDiscard, func() (err error) {
		card, err = work()
		return err
	})
	if err != nil {
		return t, err
	}
	if card != nil {
		t, err = w.Update(ctx, id, card)
	}
	if err == nil {
		w.Over(ctx, id)
	}
	return t, err
}

// Add has a task's worktree made, and its card written.
func (w Work) Add(ctx context.Context, id string, add func() error) error {
	err := w.do(ctx, id, store.IntentAdd, add)
	if err == nil {
		w.Over(ctx, id)
	}
	return err
}

// updated writes down what a task's branch took from its base, if it did.
func (w Work) updated(ctx context.Context, t beckon.Task, p beckon.Project, kind store.IntentKind) error {
	taken, err := w.Branch(t, p).Taken(ctx)
	if err != nil || taken == "" || taken == t.BaseCommit {
		return err
	}
	if kind == store.IntentUpdate {
		ctx = undolog.Into(ctx, beckon.ChangeUpdate)
	}
	_, err = w.took(ctx, t, p, taken)
	return err
}

// UpdateBranch brings what a task's base has by now into its branch, and writes it on the
// card.
func (w Work) UpdateBranch(ctx context.Context, was beckon.Task, p beckon.Project) (t beckon.Task, err error) {
	kind := store.IntentUpdate
	if !undolog.Kept(ctx) {
		kind = store.IntentResolve
	}
	var taken string
	err = w.do(ctx, was.ID, kind, func() (err error) {
		taken, err = w.Branch(was, p).Update(ctx, fmt.Sprintf("Merge %s into %s", was.Base, was.Branch))
		return err
	})
	if err != nil {
		return was, err
	}
	if t, err = w.took(ctx, was, p, taken); err == nil {
		w.Over(ctx, was.ID)
	}
	return t, err
}

// took writes down that a task's branch has its base up to a commit.
func (w Work) took(ctx context.Context, t beckon.Task, p beckon.Project, taken string) (beckon.Task, error) {
	changes, err := w.Branch(t, p).Summary(ctx)
	if err != nil {
		return t, err
	}
	return w.Update(ctx, t.ID, func(t *beckon.Task) error {
		t.Changes, t.BaseCommit = changes, taken
		return nil
	})
}

// landed puts a card whose branch its base has into Done, behind the others.
func landed(done reviewing.Landed) func(*beckon.Task) error {
	done.At = beckon.Now()
	return func(t *beckon.Task) error {
		t.Rank, t.Resolution, t.Landed = float64(done.At), beckon.Merged, done
		return t.Move(beckon.Done)
	}
}

// Mergeable returns why a task's card could not go to Done once its branch was merged,
// if so: what is merged stays merged.
func Mergeable(t beckon.Task) error {
	switch {
	case t.Branch == "":
		return problem.New(problem.NoBranch, fmt.Errorf("%s has no branch: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	case t.Status == beckon.Queued:
		err := fmt.Errorf("%s is queued, so an agent may start on it: take it out of the queue before you merge it: %w", t.Key, beckon.ErrConflict)
		return problem.New(problem.InQueue, err)
	}
	return t.Move(beckon.Done) // of a copy
}
