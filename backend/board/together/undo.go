package together

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/workdir"
	"beckon/backend/parts"
	store "beckon/backend/store/parts"
)

// This file takes back what was merged together, and does it again: all of it or nothing.

// TakeBack takes the last merge of a task back, in all repositories in which it was made, as
// long as nobody built on it.
func (m Merger) TakeBack(ctx context.Context, t beckon.Task, p beckon.Project) error {
	pieces, err := m.mergedAt(ctx, t, p, t.Landed)
	if err != nil {
		return err
	}
	slices.Reverse(pieces) // the last one first
	if err := turn(ctx, pieces, m.unmerge, m.remerge); err != nil {
		return err
	}
	return m.note(ctx, pieces, func(r *store.Row, _ string) { r.Landed.Commit = "" })
}

// Again does a merge again that was taken back; was is how it landed.
func (m Merger) Again(ctx context.Context, t beckon.Task, p beckon.Project, was reviewing.Landed) error {
	pieces, err := m.mergedAt(ctx, t, p, was)
	if err != nil {
		return err
	}
	if err := turn(ctx, pieces, m.remerge, m.unmerge); err != nil {
		return err
	}
	return m.note(ctx, pieces, func(r *store.Row, commit string) { r.Landed.Commit = commit })
}

// mergedAt returns the parts of a task that were merged at once.
func (m Merger) mergedAt(ctx context.Context, t beckon.Task, p beckon.Project, landed reviewing.Landed) ([]parts.Piece, error) {
	all, err := m.Parts.Further(ctx, t, p)
	pieces := slices.DeleteFunc(all, func(one parts.Piece) bool { return landed.At == 0 || one.Task.Landed.At != landed.At })
	if len(pieces) == 0 || landed.Commit != "" {
		pieces = append(pieces, parts.Piece{Task: t, Project: p, Name: p.Name})
	}
	return pieces, err
}

func (m Merger) unmerge(ctx context.Context, one parts.Piece) error {
	return m.Parts.Repo(one.Project).Unmerge(ctx, workdir.WorktreeOf(one.Task))
}

func (m Merger) remerge(ctx context.Context, one parts.Piece) error {
	return m.Parts.Repo(one.Project).Remerge(ctx, workdir.WorktreeOf(one.Task))
}

// turn does something with each part. Where it fails with one, those before are turned back.
func turn(ctx context.Context, pieces []parts.Piece, do, back func(context.Context, parts.Piece) error) error {
	for i, one := range pieces {
		err := do(ctx, one)
		if err == nil {
			continue
		}
		if len(pieces) > 1 {
			err = fmt.Errorf("%s: %w", one.Name, err)
		}
		for _, before := range slices.Backward(pieces[:i]) {
			err = errors.Join(err, back(context.WithoutCancel(ctx), before))
		}
		return err
	}
	return nil
}

// note writes down in the rows of parts what became of them.
func (m Merger) note(ctx context.Context, pieces []parts.Piece, edit func(r *store.Row, commit string)) error {
	for _, one := range pieces {
		if !isPart(one.Task.ID) {
			continue
		}
		commit, err := m.Parts.Repo(one.Project).MergedAs(ctx, workdir.WorktreeOf(one.Task))
		if err == nil {
			_, err = m.Parts.Rows.Update(ctx, one.Task.ID, func(r *store.Row) error { edit(r, commit); return nil })
		}
		if err != nil {
			return err
		}
	}
	return nil
}
