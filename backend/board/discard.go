package board

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git"
	"beckon/backend/parts"
)

// Loss tells what discarding a task would take out of sight.
func (b *Board) Loss(ctx context.Context, id string) (beckon.Loss, error) {
	t, p, err := b.discardable(ctx, id)
	if err != nil || t.Branch == "" {
		return beckon.Loss{Uncommitted: []string{}, Ignored: []string{}, Repositories: []string{}}, err
	}
	w, err := b.noted(ctx, t)
	if err != nil {
		return beckon.Loss{}, err
	}
	l, err := b.repo(p).Loss(ctx, w)
	l.Ignored = slices.DeleteFunc(beckon.NonNil(l.Ignored), func(path string) bool { return path == claude.SettingsFile })
	if err != nil {
		return l, err
	}
	return b.Parts.Loss(ctx, t, p, l)
}

// Discard throws a task's work away and archives the card. The branch, and
// what was not committed, are kept under a private ref for 30 days.
func (b *Board) Discard(ctx context.Context, id, token string) (beckon.Task, error) {
	t, p, release, err := b.takeTo(ctx, id, beckon.Archived)
	if err != nil {
		return t, err
	}
	defer release()
	return b.begun.Discard(ctx, id, func() (func(*beckon.Task) error, error) {
		kept, err := b.discardNoted(ctx, t, p, token)
		return discarded(kept), err
	})
}

// finishDiscard finishes the discard of a task whose worktree is gone already, and returns
// what its card says then; nil where nothing was taken away.
func (b *Board) finishDiscard(ctx context.Context, t beckon.Task, p beckon.Project) (func(*beckon.Task) error, error) {
	if t.Branch == "" { // its card was written, or it had nothing
		if t.Status != beckon.Archived {
			return nil, b.Parts.StartOver(ctx, t.ID)
		}
		return nil, nil
	}
	if _, err := os.Lstat(t.Worktree); !errors.Is(err, fs.ErrNotExist) {
		return nil, b.Parts.Restore(ctx, t, p) // what was discarded of others before it
	}
	if err := b.Parts.Discard(ctx, t, p); err != nil {
		return nil, err
	}
	loss, err := b.repo(p).Loss(ctx, git.WorktreeOf(t))
	if err != nil {
		return nil, err
	}
	kept, err := b.discardWork(ctx, t, p, git.WorktreeOf(t), loss.Token)
	if err != nil || kept.Ref == "" {
		return nil, err
	}
	return discarded(kept), nil
}

// discarded archives a card whose work is kept elsewhere, if it is.
func discarded(kept git.Discarded) func(*beckon.Task) error {
	return func(t *beckon.Task) error {
		if t.Status == beckon.Running { // its agent is gone
			_ = t.Move(beckon.Review)
		}
		if withoutWork(t, kept); kept.Ref != "" {
			t.Resolution = beckon.Discarded
		}
		t.Rank = last()
		return t.Move(beckon.Archived)
	}
}

// withoutWork makes a task as it was before its first run; the commit that its branch
// grew from stays, for a restored one.
func withoutWork(t *beckon.Task, kept git.Discarded) {
	t.Worktree, t.Branch, t.Session, t.Changes = "", "", "", beckon.Changes{}
	if kept.Ref != "" {
		t.KeptRef, t.KeptUntil = kept.Ref, kept.Until
	}
}

// lives reports whether an agent of any kind lives on a task.
func (b *Board) lives(id string) bool {
	_, live := b.agents.Live(id)
	return live
}

// discardable returns a task that no agent works on, and its project. Where its
// last run is just ending, it waits for that: the card may be in Review already.
func (b *Board) discardable(ctx context.Context, id string) (beckon.Task, beckon.Project, error) {
	if err := b.agents.AwaitEnd(ctx, id); err != nil {
		return beckon.Task{}, beckon.Project{}, err
	}
	t, p, err := b.read(ctx, id)
	if err == nil && b.lives(id) {
		err = problem.New(problem.AgentFirst, fmt.Errorf("stop the agent of %s first: %w", t.Key, beckon.ErrConflict))
	}
	return t, p, err
}

// noted returns where a task works, with what its last turn left there.
func (b *Board) noted(ctx context.Context, t beckon.Task) (git.Worktree, error) {
	w := git.WorktreeOf(t)
	turns, err := b.Store.Turns.Of(ctx, t.ID)
	for _, turn := range turns {
		w.Tree = cmp.Or(turn.After, w.Tree)
	}
	return w, err
}

// discardNoted discards a task's work with that of its parts, or what its last turn left where
// git has nothing else.
func (b *Board) discardNoted(ctx context.Context, t beckon.Task, p beckon.Project, token string) (kept git.Discarded, err error) {
	w, err := b.noted(ctx, t)
	if err != nil || t.Branch == "" {
		return kept, err
	}
	err = b.Parts.DiscardWith(ctx, t, p, parts.Leaving{Own: w, Token: token, Clear: b.Clear, Go: func(token string) (err error) {
		kept, err = b.discardWork(ctx, t, p, w, token)
		return err
	}})
	return kept, err
}

// discardWork takes a task's branch and worktree away and returns what keeps
// them, nothing where there were none.
func (b *Board) discardWork(ctx context.Context, t beckon.Task, p beckon.Project, w git.Worktree, token string) (kept git.Discarded, err error) {
	if t.Branch == "" {
		return kept, nil
	}
	g := b.repo(p)
	// A discard that is going to be refused ends nothing that runs in the worktree.
	if loss, err := g.Loss(ctx, w); err != nil {
		return kept, err
	} else if loss.Token == token && len(loss.Repositories) == 0 {
		b.Clear(t.ID)
	}
	if err := g.Discard(ctx, w, token); err != nil {
		return kept, err
	}
	list, err := g.Discarded(ctx)
	if err != nil {
		slog.Error("find what was just discarded", "err", err, "task", t.ID)
	}
	for _, d := range list {
		if d.Branch == t.Branch && d.At >= kept.At {
			kept = d
		}
	}
	b.prune(ctx, p)
	return kept, nil
}
