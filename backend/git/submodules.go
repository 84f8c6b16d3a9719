package git

import (
	"context"
	"log/slog"
	"maps"

	"beckon/backend/beckon/reason"
	"beckon/backend/git/workdir"
)

// The notices of a transcript that say what a worktree lacks.
const (
	EmptySubmodules = "submodules_empty"
	LockedFiles     = "files_encrypted"
)

// FillSubmodules fills the submodules of a worktree that the project's folder has filled, and
// returns the names of those that stay empty: to fill them would run what the repository says,
// from where it says. An agent can work without.
func (r *Repo) FillSubmodules(ctx context.Context, w Worktree) (empty []string) {
	empty, err := workdir.FillSubmodules(ctx, r.at(), r.in(w.Dir), r.mu)
	if err != nil {
		slog.Error("fill the submodules of a worktree", "err", err, "dir", w.Dir)
	}
	return empty
}

// Complete fills the submodules of a new worktree, and returns what it still lacks, by the notice
// that says so: submodules, and files that git-crypt has locked.
func (r *Repo) Complete(ctx context.Context, w Worktree) (lacks map[string][]string) {
	locked, err := workdir.LockedFiles(ctx, r.in(w.Dir))
	if err != nil {
		slog.Error("look for files that are encrypted", "err", err, "dir", w.Dir)
	}
	lacks = map[string][]string{EmptySubmodules: r.FillSubmodules(ctx, w), LockedFiles: locked}
	maps.DeleteFunc(lacks, func(_ string, names []string) bool { return len(names) == 0 })
	return lacks
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
