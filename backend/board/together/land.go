package together

import (
	"cmp"
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
		if err := m.Parts.Repo(s.Project).Land(ctx, workdir.WorktreeOf(s.Task), s.made); err != nil {
			before := make([]parts.Piece, i)
			for j := range before {
				before[j] = steps[j].Piece
			}
			return nil, m.notMerged(s.Name, before, err)
		}
		done = append(done, reviewing.Landed{Way: s.Way, Commit: s.made.To})
	}
	return done, nil
}

// notMerged puts back what was merged before a merge that could not be done, and says so.
func (m Merger) notMerged(name string, before []parts.Piece, why error) error {
	why = beckon.ReasonOf(why).Err(why) // which the page has in its language
	stuck := m.putBack(context.Background(), before)
	names := make([]string, 0, len(before))
	for _, one := range before {
		if !slices.Contains(stuck, one.Name) {
			names = append(names, one.Name)
		}
	}
	back := strings.Join(names, ", ")
	if len(stuck) > 0 {
		all := strings.Join(stuck, ", ")
		err := fmt.Errorf("%s could not be merged (%w). %s stay merged, because something was built on that meanwhile; %s were put back: look at them before you try again",
			name, why, all, cmp.Or(back, "no others"))
		return problem.New(problem.StuckParts, err, "repository", name, "stuck", all, "back", cmp.Or(back, "–"))
	}
	if back == "" {
		err := fmt.Errorf("%s cannot be merged, so nothing was merged: %w", name, why)
		return problem.New(problem.PartNotMerged, err, "repository", name)
	}
	err := fmt.Errorf("%s could not be merged (%w). %s were put back, nothing is merged: try again", name, why, back)
	return problem.New(problem.PutBackParts, err, "repository", name, "back", back)
}

// putBack takes merges back, the last one first, and returns the names of those that something
// was built on, which stay.
func (m Merger) putBack(ctx context.Context, merged []parts.Piece) (stuck []string) {
	for _, one := range slices.Backward(merged) {
		if err := m.Parts.Repo(one.Project).Unmerge(ctx, workdir.WorktreeOf(one.Task)); err != nil {
			slog.Error("put back a merge", "err", err, "task", one.Task.ID)
			stuck = append(stuck, one.Name)
		}
	}
	return stuck
}

// merged returns which of the parts their bases have, and what each base was then.
func (m Merger) merged(ctx context.Context, pieces []parts.Piece) (merged []parts.Piece, commits []string, err error) {
	for _, one := range pieces {
		commit, err := m.Parts.Repo(one.Project).MergedAs(ctx, workdir.WorktreeOf(one.Task))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", one.Name, err)
		}
		if commit != "" {
			merged, commits = append(merged, one), append(commits, commit)
		}
	}
	return merged, commits, nil
}
