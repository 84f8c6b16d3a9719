package review

import (
	"context"
	"log/slog"
	"slices"

	"beckon/backend/beckon"
)

// This file finds the discarded tasks whose work is not kept any more, for any reason:
// 30 days went by, or the repository lost it. It removes nothing, and where it cannot
// look it says nothing.

// LostRepo is a project's repository.
type LostRepo interface {
	// Lost returns those of the refs under which nothing is kept.
	Lost(ctx context.Context, refs []string) ([]string, error)
}

// LostWork looks for it.
type LostWork struct {
	Tasks   func(ctx context.Context) ([]beckon.Task, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	Repo    func(beckon.Project) LostRepo
}

// Find returns the ids of those tasks.
func (w LostWork) Find(ctx context.Context) ([]string, error) {
	tasks, err := w.Tasks(ctx)
	if err != nil {
		return nil, err
	}
	refs := map[string][]string{} // by project
	for _, t := range tasks {
		if t.Resolution == beckon.Discarded && t.KeptRef != "" {
			refs[t.ProjectID] = append(refs[t.ProjectID], t.KeptRef)
		}
	}
	ids := []string{}
	for projectID, list := range refs {
		gone, err := w.of(ctx, projectID, list)
		if err != nil {
			slog.Warn("look for discarded work", "err", err, "project", projectID) // its folder may be away
			continue
		}
		for _, t := range tasks {
			if t.ProjectID == projectID && t.Resolution == beckon.Discarded && slices.Contains(gone, t.KeptRef) {
				ids = append(ids, t.ID)
			}
		}
	}
	return ids, nil
}

func (w LostWork) of(ctx context.Context, projectID string, refs []string) ([]string, error) {
	p, err := w.Project(ctx, projectID)
	if err != nil {
		return nil, err
	}
	return w.Repo(p).Lost(ctx, refs)
}
