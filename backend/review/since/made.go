package since

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
	"beckon/backend/store/reviewed"
)

// Made is what a task, or one of its runs, changed.
type Made struct {
	Files   []beckon.FileDiff // with their patches, as far as a page has room
	Omitted int               // files beyond those
	// Known says that the rest is; what a run changed may not have been recorded.
	Known bool
	// Mixed says that what others changed may be in it: the run's end was not seen, or they worked
	// between its turns.
	Mixed bool
}

// Made returns what a task changed since its base, or where runID is not empty what changed from
// the beginning of that run to its end.
func (s *Since) Made(ctx context.Context, taskID, runID string) (Made, error) {
	at, _, ok, err := s.folder(ctx, taskID)
	if err != nil || !ok {
		return Made{}, err
	}
	if runID == "" {
		d, err := s.Review(ctx, taskID, reviewing.View{})
		return Made{Files: d.Files, Omitted: d.Omitted, Known: err == nil}, err
	}
	s.recorded(ctx, taskID)
	all, err := s.Kept.Of(ctx, taskID)
	if err != nil {
		return Made{}, err
	}
	trees, mixed := endsOf(all, runID)
	if last := len(all) - 1; trees.To == "" && last >= 0 && all[last].RunID == runID && s.runs(taskID, all[last]) {
		now, _, err := at.repo.Work(ctx, at.worktree())
		if err != nil {
			return Made{}, err
		}
		trees.To = now.To
	}
	for _, tree := range []string{trees.From, trees.To} {
		if tree == "" {
			return Made{}, nil
		}
		if there, err := at.log.Has(ctx, tree); err != nil || !there {
			return Made{}, err
		}
	}
	m := Made{Known: true, Mixed: mixed}
	m.Files, m.Omitted, err = diff.Patched(ctx, at.log.Git, trees, false)
	return m, err
}

// endsOf returns the trees between which a run is; one that was not recorded is empty. mixed says
// that others may have changed something between the two.
func endsOf(all []reviewed.Turn, runID string) (t diff.Trees, mixed bool) {
	begun := false
	for _, one := range all {
		switch {
		case one.RunID == runID && !begun:
			begun, t, mixed = true, diff.Trees{From: one.Before, To: one.After}, one.Mixed
		case one.RunID == runID:
			mixed = mixed || one.Mixed || t.To != one.Before
			t.To = one.After
		case begun && t.To == "":
			t.To = one.Before
			return t, true
		}
	}
	return t, mixed
}
