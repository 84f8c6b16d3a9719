package git

import (
	"context"
	"log/slog"

	"beckon/backend/beckon/reason"
	"beckon/backend/git/workdir"
)

// FillSubmodules fills the submodules of a worktree that the project's folder has filled, and
// lists those that stay empty: to fill them would run what the repository says, from where
// it says. An agent can work without.
func (r *Repo) FillSubmodules(ctx context.Context, w Worktree) (empty []string) {
	r.mu.Lock() // two would add worktrees to the repository of a submodule
	defer r.mu.Unlock()
	empty, err := workdir.FillSubmodules(ctx, r.at(), r.in(w.Dir))
	if err != nil {
		slog.Error("fill the submodules of a worktree", "err", err, "dir", w.Dir)
	}
	return empty
}

// nested lists the repositories inside a worktree that would be lost with it.
func (r *Repo) nested(ctx context.Context, w Worktree) ([]string, error) {
	found, err := workdir.NestedRepos(ctx, r.at(), w.Dir)
	if err != nil {
		return nil, err
	}
	return workdir.Unkept(ctx, r.in(w.Dir), found)
}

// LooseSubmodules is for a card: what an agent changed in submodules and did not commit there is
// not part of the branch.
func (r *Repo) LooseSubmodules(ctx context.Context, w Worktree) *reason.Reason {
	names, err := workdir.ChangedSubmodules(ctx, r.in(w.Dir))
	if err != nil {
		slog.Error("look for changes in submodules", "err", err, "dir", w.Dir)
	}
	if len(names) == 0 {
		return nil
	}
	return reason.Of(reason.SubmoduleLoose, "files", workdir.Some(names))
}
