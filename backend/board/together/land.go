package together

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
	"beckon/backend/parts"
)

// This file makes the merges, moves the bases, and puts them back.

// step is a merge that is to be done together with others.
type step struct {
	parts.Piece
	Way     reviewing.MergeWay
	Message string // empty for a rebase

	made merge.Record
}

// prepare makes every merge and moves nothing. The error names the repository whose merge
// cannot be made.
func (m Merger) prepare(ctx context.Context, steps []step) error {
	for i := range steps {
		s := &steps[i]
		if why := parts.Gone(s.Project.Dir); why != nil {
			return fmt.Errorf("%s: %w", s.Name, why.Err(beckon.ErrConflict))
		}
		made, err := m.Parts.Repo(s.Project).Prepare(ctx, workdir.WorktreeOf(s.Task), s.Way, s.Message)
		if err != nil {
			return m.notMerged(s.Name, nil, err)
		}
		s.made = made
	}
	return nil
}

// land moves the bases, in order, and returns how each was merged. Where one cannot be moved,
// the error says which, and that nothing is merged; else it names those that stay merged.
func (m Merger) land(ctx context.Context, steps []step) ([]reviewing.Landed, error) {
	done := make([]reviewing.Landed, 0, len(steps))
	for i, s := range steps {
		w := workdir.WorktreeOf(s.Task)
		if err := m.Parts.Repo(s.Project).Land(ctx, w, s.made); err != nil {
			var merged []parts.Piece
			for _, before := range steps[:i] {
				merged = append(merged, before.Piece)
			}
			// git may have moved it, and failed after that.
			commit, _, lookErr := m.Parts.Repo(s.Project).MergedAt(context.WithoutCancel(ctx), w, s.made.Tip)
			if lookErr != nil || commit != "" {
				merged = append(merged, s.Piece)
			}
			return nil, m.notMerged(s.Name, merged, err)
		}
		done = append(done, reviewing.Landed{Way: s.Way, Commit: s.made.To})
	}
	return done, nil
}

// notMerged puts back what was merged before a merge that could not be done, and says so.
func (m Merger) notMerged(name string, before []parts.Piece, why error) error {
	why = beckon.ReasonOf(why).Err(why) // which the page has in its language
	b := m.putBack(context.Background(), before)
	back, stuck := listed(b.back), strings.Join(b.stuck, ", ")
	switch {
	case b.why != nil:
		slog.Error("merge in several repositories", "err", why, "repository", name)
		return halfMerged(name, b)
	case stuck != "":
		err := fmt.Errorf("%s could not be merged (%w). %s stay merged, because something was built on that meanwhile; put back: %s. Look at them before you try again",
			name, why, stuck, back)
		return problem.New(problem.StuckParts, err, "repository", name, "stuck", stuck, "back", back)
	case len(b.back) == 0:
		err := fmt.Errorf("%s cannot be merged, so nothing was merged: %w", name, why)
		return problem.New(problem.PartNotMerged, err, "repository", name)
	}
	err := fmt.Errorf("%s could not be merged (%w). %s were put back, nothing is merged: try again", name, why, back)
	return problem.New(problem.PutBackParts, err, "repository", name, "back", back)
}

// halfMerged says that merges could not be put back for now: name was not merged.
func halfMerged(name string, b putBack) error {
	stuck, back := strings.Join(append(b.failed, b.stuck...), ", "), listed(b.back)
	err := fmt.Errorf("%s could not be merged, and %s could not be put back: %w. Put back: %s. Merge again, which first puts back the rest or finishes it; so does the next start",
		name, stuck, beckon.ReasonOf(b.why).Err(beckon.ErrConflict), back)
	return problem.New(problem.HalfMerged, err, "repository", name, "stuck", stuck, "back", back)
}

// putBack is what came of putting merges back, by the names of their repositories.
type putBack struct {
	back  []string
	stuck []string // something was built on them
	// failed are those that could not be put back for now: why says it of the last of them.
	failed []string
	why    error
}

// putBack takes merges back, the last one first.
func (m Merger) putBack(ctx context.Context, merged []parts.Piece) (b putBack) {
	for _, one := range slices.Backward(merged) {
		err := m.Parts.Repo(one.Project).Unmerge(ctx, workdir.WorktreeOf(one.Task))
		if err == nil {
			b.back = append(b.back, one.Name)
			continue
		}
		slog.Error("put back a merge", "err", err, "task", one.Task.ID)
		if kind, _ := problem.From(err); kind == problem.BuiltOn {
			b.stuck = append(b.stuck, one.Name)
		} else {
			b.failed, b.why = append(b.failed, one.Name), err
		}
	}
	for _, names := range [][]string{b.back, b.stuck, b.failed} {
		slices.Reverse(names)
	}
	return b
}
