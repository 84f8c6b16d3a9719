package git

import (
	"context"
	"maps"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
	"beckon/backend/git/inspect"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
)

// WorktreeOf returns the worktree of a task.
func WorktreeOf(t beckon.Task) Worktree {
	return workdir.WorktreeOf(t)
}

// Merge takes the branch of w into its base in that way, with that message where
// the way makes a commit of its own, and returns what the base is then. Where the
// project's folder has the base checked out, its files follow. Where anything is in the way, nothing changes and the
// error wraps ErrConflict. The branch and the worktree stay. Without a folder
// it merges what the branch has, so a caller that commits first goes on to it
// after a *WorktreeGoneError.
func (r *Repo) Merge(
	ctx context.Context, w Worktree, way reviewing.MergeWay, message string,
) (commit string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := r.plan(ctx, w)
	if err != nil {
		return "", err
	}
	return p.Do(ctx, way, message)
}

// Prepare makes what the base of w is to be by a merge, and moves nothing; Land does that. An
// error wraps ErrConflict where the merge cannot be done.
func (r *Repo) Prepare(ctx context.Context, w Worktree, way reviewing.MergeWay, message string) (merge.Record, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := r.plan(ctx, w)
	if err != nil {
		return merge.Record{}, err
	}
	return p.Prepare(ctx, way, message)
}

// Land moves the base of w to what was prepared, as Merge does, as long as it is what it was
// then.
func (r *Repo) Land(ctx context.Context, w Worktree, prepared merge.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := r.plan(ctx, w)
	if err != nil {
		return err
	}
	return p.Land(ctx, prepared)
}

// MergedAs returns what the base of w was after it got the branch as it is, by a merge that
// Merge or Land did; empty where it has none.
func (r *Repo) MergedAs(ctx context.Context, w Worktree) (commit string, err error) {
	return Branch{r, w}.Merged(ctx)
}

// MergedAt is MergedAs for the branch as it was at a commit. moved says that it is another by
// now.
func (r *Repo) MergedAt(ctx context.Context, w Worktree, at string) (commit string, moved bool, err error) {
	base, tip, err := Branch{r, w}.tips(ctx)
	if err != nil || base == "" {
		return "", tip != at, err
	}
	done, err := merge.Landed(ctx, r.at(), base, at)
	return done.To, tip != at, err
}

// Steering returns the paths that the branch of w changes and by which it would, once in its
// base, steer or run something on this computer; see inspect.Steering.
func (r *Repo) Steering(ctx context.Context, w Worktree) ([]string, error) {
	from, err := r.at().Line(ctx, "merge-base", "refs/heads/"+w.Base, "refs/heads/"+w.Branch)
	if err != nil {
		return nil, err
	}
	differ, err := diff.Differing(ctx, r.at(), from, "refs/heads/"+w.Branch)
	return inspect.Steering(slices.Sorted(maps.Keys(differ))), err
}

// Remerge does the merge of w again that Unmerge took back, with the commits that it
// made, as long as neither branch has others since; else the error wraps ErrConflict,
// and nothing changes.
func (r *Repo) Remerge(ctx context.Context, w Worktree) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := r.plan(ctx, w)
	if err != nil {
		return err
	}
	return p.Again(ctx)
}

// plan finds out what merging w would do. The repository's lock is held.
func (r *Repo) plan(ctx context.Context, w Worktree) (p merge.Plan, err error) {
	state, err := r.Status(ctx, w)
	if err != nil {
		return p, err
	}
	var entries []workdir.Entry
	if state.Condition == Ready {
		if entries, err = workdir.Changes(ctx, r.in(w.Dir)); err != nil {
			return p, err
		}
	}
	return merge.New(ctx, r.at(), w, state, entries)
}

// Update brings what the base of w has by now into its branch and its worktree,
// whose changes must be committed, and returns the commit that it took. Where anything is in the way, nothing changes and
// the error wraps ErrConflict.
func (r *Repo) Update(ctx context.Context, w Worktree, message string) (taken string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	state, err := r.Status(ctx, w)
	if err == nil {
		err = state.Err()
	}
	if err != nil {
		return "", err
	}
	return merge.Update(ctx, r.in(w.Dir), w, message)
}

// TakeBackUpdate takes back the Update of w that took w.BaseCommit, or does it again, as
// long as nothing was built on either; else the error wraps ErrConflict, and nothing
// changes.
func (r *Repo) TakeBackUpdate(ctx context.Context, w Worktree, again bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	state, err := r.Status(ctx, w)
	if err == nil {
		err = state.Err()
	}
	if err != nil {
		return err
	}
	return merge.UndoUpdate(ctx, r.in(w.Dir), w, again)
}

// Unmerge takes the merge of w back, and the project's folder with it, as long as
// nothing was built on it; else the error wraps ErrConflict, and nothing changes.
func (r *Repo) Unmerge(ctx context.Context, w Worktree) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return merge.Undo(ctx, r.at(), w)
}

// Commits returns what the commits of w say that its base lacks, the oldest first.
// Merges among them are left out.
func (r *Repo) Commits(ctx context.Context, w Worktree) ([]reviewing.MergedCommit, error) {
	return merge.Commits(ctx, r.at(), w)
}
