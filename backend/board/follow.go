package board

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/parts"
	"beckon/backend/store/undolog"
)

// Follow returns a task as its card is by now, after follow; t where that cannot be read.
func (b *Board) Follow(ctx context.Context, t beckon.Task, p beckon.Project) beckon.Task {
	ctx, cancel := context.WithTimeout(ctx, settleIn)
	defer cancel()
	if now, err := b.Store.Task(ctx, t.ID); err == nil {
		t = now
	}
	return b.follow(ctx, t, p)
}

// follow returns a task whose card names the branch that its worktree is on. The names on a
// card are only what git had when they were written: an agent may rename its branch, and git
// may forget a worktree. What cannot be found out stays as it is on the card.
func (b *Board) follow(ctx context.Context, t beckon.Task, p beckon.Project) beckon.Task {
	if !p.Git || t.Branch == "" || t.Worktree == "" {
		return t
	}
	if _, name := reviewing.SplitPart(t.ID); name != "" {
		piece, err := b.Parts.Follow(ctx, parts.Piece{Task: t, Project: p, Name: name})
		if err != nil {
			slog.Error("follow a branch that was renamed", "err", err, "task", t.ID)
		}
		return piece.Task
	}
	g := b.repo(p)
	if err := g.Reconnect(ctx, git.WorktreeOf(t)); err != nil {
		slog.Error("connect a worktree again", "err", err, "task", t.ID)
	}
	on, err := g.Renamed(ctx, git.WorktreeOf(t))
	if err == nil && on != "" {
		t, err = b.rename(ctx, t, p, on)
	}
	if err != nil {
		slog.Error("follow a branch that was renamed", "err", err, "task", t.ID)
	}
	return t
}

// rename gives a task another branch, unless that is another's, and has the cards that
// start from it follow.
func (b *Board) rename(ctx context.Context, t beckon.Task, p beckon.Project, on string) (beckon.Task, error) {
	others, err := b.Store.Tasks(ctx)
	if err != nil {
		return t, err
	}
	taken := func(other beckon.Task) bool {
		return other.ID != t.ID && (other.Branch == on || other.ProjectID == t.ProjectID && other.Base == on)
	}
	if on == p.Base || slices.ContainsFunc(others, taken) {
		return t, nil
	}
	ctx = undolog.Apart(ctx)
	was := t
	t, err = b.Update(ctx, t.ID, func(now *beckon.Task) error {
		if now.Branch != was.Branch || now.Worktree != was.Worktree {
			return nil // another look was quicker
		}
		if now.Branch = on; now.Trouble.Names(was.Branch) {
			now.Trouble = nil // it was about a name that nothing has any more
		}
		return nil
	})
	if err != nil {
		return was, err
	}
	for _, other := range others {
		if other.ProjectID != t.ProjectID || other.Base != was.Branch {
			continue
		}
		if _, err := b.Update(ctx, other.ID, func(now *beckon.Task) error {
			if now.Base == was.Branch {
				now.Base = on
			}
			return nil
		}); err != nil {
			return t, err
		}
	}
	return t, nil
}

// followAll follows the branches of the cards that are open and not at work.
func (b *Board) followAll(ctx context.Context) {
	ctx, cancel := context.WithTimeoutCause(ctx, settleIn, fmt.Errorf("git did not finish within %s", settleIn))
	defer cancel()
	projects, err := b.Store.Projects(ctx)
	for _, p := range projects {
		if err2 := b.followIn(ctx, p); err2 != nil && p.Git {
			err = errors.Join(err, fmt.Errorf("%s: %w", p.Name, err2))
		}
	}
	if err != nil {
		slog.Error("look for branches that were renamed", "err", err)
	}
}

// followIn follows those of a project: the others' branches are all there.
func (b *Board) followIn(ctx context.Context, p beckon.Project) error {
	tasks, err := b.Store.TasksOf(ctx, p.ID)
	if err != nil || !p.Git {
		return err
	}
	tasks = slices.DeleteFunc(tasks, func(t beckon.Task) bool {
		return t.Branch == "" || t.Status == beckon.Done || t.Status == beckon.Archived
	})
	if len(tasks) == 0 {
		return nil
	}
	have, err := b.repo(p).Branches(ctx)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if !slices.Contains(have, t.Branch) {
			b.follow(ctx, t, p)
		}
	}
	return nil
}
