package parts

import (
	"context"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
	"beckon/backend/git/workdir"
)

// This file says how the work of a task stands in each repository.

// mostLooks is how many repositories are looked at at a time.
const mostLooks = 4

// List returns how the work of a task stands in each of its repositories, in the order in which
// they are merged; one element for a task of a project that has no further ones.
func (p *Parts) List(ctx context.Context, taskID string) ([]reviewing.Part, error) {
	t, err := p.Cards.Task(ctx, taskID)
	if err != nil {
		return nil, err
	}
	project, err := p.Cards.Project(ctx, t.ProjectID)
	if err != nil {
		return nil, err
	}
	pieces, err := p.All(ctx, t, project)
	if err != nil {
		return nil, err
	}
	list, looks := make([]reviewing.Part, len(pieces)), make(chan struct{}, mostLooks)
	var all sync.WaitGroup
	for i, piece := range pieces {
		looks <- struct{}{}
		all.Go(func() {
			list[i] = p.look(ctx, piece)
			<-looks
		})
	}
	all.Wait()
	return list, ctx.Err()
}

// look says how a part stands. What cannot be found out is a refusal with the reason.
func (p *Parts) look(ctx context.Context, piece Piece) reviewing.Part {
	t := piece.Task
	part := reviewing.Part{
		ID: t.ID, Name: piece.Name, Dir: piece.Project.Dir, Worktree: t.Worktree, Branch: t.Branch, Base: t.Base,
		Way: piece.Project.MergeWay, Landed: t.Landed, State: reviewing.PartNone, Conflicts: []string{},
	}
	if why := Gone(piece.Project.Dir); why != nil {
		part.State, part.Why = reviewing.PartMissing, why
		counted(&part, t.Changes)
		return part
	}
	if t.Branch == "" {
		return part
	}
	if err := p.compare(ctx, &part, piece); err != nil {
		if part.State = reviewing.PartRefused; p.Misplaced(err) {
			part.State = reviewing.PartMissing
		}
		part.Why = beckon.ReasonOf(err)
		counted(&part, t.Changes)
	}
	return part
}

func counted(part *reviewing.Part, n beckon.Changes) {
	part.Files, part.Added, part.Removed, part.Commits = n.Files, n.Added, n.Removed, n.Commits
}

// compare finds out what merging a part would do.
func (p *Parts) compare(ctx context.Context, part *reviewing.Part, piece Piece) error {
	g, w := p.Repo(piece.Project), workdir.WorktreeOf(piece.Task)
	sum, err := g.Summary(ctx, w)
	if err != nil {
		return err
	}
	counted(part, sum)
	d, err := g.Diff(ctx, w, reviewing.View{Since: reviewing.SinceReview}) // without the files
	if err != nil {
		return err
	}
	part.Behind, part.Conflicts = d.Behind, d.Conflicts
	switch {
	case d.Refusal == nil:
		part.State = reviewing.PartClean
	case len(d.Conflicts) > 0:
		part.State = reviewing.PartConflict
	case d.Refusal.Is(reason.NothingToMerge), d.Refusal.Is(reason.NothingNew):
		if part.State = reviewing.PartUnchanged; part.Landed.Commit != "" || sum.Files > 0 {
			part.State = reviewing.PartMerged
		}
	default:
		part.State, part.Why = reviewing.PartRefused, d.Refusal
	}
	return nil
}

// Summary counts what a task did in its further repositories. A repository that is gone counts
// as it did when it was last seen.
func (p *Parts) Summary(ctx context.Context, t beckon.Task, project beckon.Project) (sum beckon.Changes, err error) {
	pieces, err := p.Further(ctx, t, project)
	for _, piece := range pieces {
		one := piece.Task.Changes
		if piece.Task.Branch != "" && Gone(piece.Project.Dir) == nil {
			if now, err := p.Repo(piece.Project).Summary(ctx, workdir.WorktreeOf(piece.Task)); err == nil {
				one = now
			}
		}
		if _, err := p.Update(ctx, piece.Task.ID, func(t *beckon.Task) error { t.Changes = one; return nil }); err != nil {
			return sum, err
		}
		sum = Sum(sum, in(piece.Name, one))
	}
	return sum, err
}

// in returns changes whose paths begin with the name of their repository.
func in(name string, n beckon.Changes) beckon.Changes {
	paths := make([]string, len(n.Paths))
	for i, path := range n.Paths {
		paths[i] = name + "/" + path
	}
	n.Paths = paths
	return n
}

// Sum adds up what was changed in two repositories. A card carries no more paths than those of
// one.
func Sum(a, b beckon.Changes) beckon.Changes {
	paths := append(a.Paths[:len(a.Paths):len(a.Paths)], b.Paths...)
	return beckon.Changes{
		Files: a.Files + b.Files, Added: a.Added + b.Added, Removed: a.Removed + b.Removed, Commits: a.Commits + b.Commits,
		Paths: paths[:min(len(paths), diff.MaxPaths)],
	}
}
