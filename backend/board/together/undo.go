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
	"beckon/backend/git/workdir"
	"beckon/backend/parts"
	"beckon/backend/store"
	rows "beckon/backend/store/parts"
)

// This file takes back what was merged together, and does it again: all of it or nothing.

// TakeBack takes the last merge of a task back, in all repositories in which it was made, as
// long as nobody built on it. was is how the task had landed before. It is noted before; the
// caller forgets that once the card says it.
func (m Merger) TakeBack(ctx context.Context, t beckon.Task, p beckon.Project, was reviewing.Landed) error {
	pieces, err := m.mergedAt(ctx, t, p, t.Landed, was)
	if err != nil {
		return err
	}
	slices.Reverse(pieces) // the last one first
	return m.Begun.Turn(ctx, t.ID, store.IntentTakeBack, func() error {
		if err := turn(ctx, pieces, m.unmerge, m.remerge); err != nil {
			return err
		}
		return m.note(ctx, pieces, func(r *rows.Row, _ string) { r.Landed.Commit = "" })
	})
}

// Again does a merge again that was taken back; was is how it landed. It is noted as TakeBack is.
func (m Merger) Again(ctx context.Context, t beckon.Task, p beckon.Project, was reviewing.Landed) error {
	pieces, err := m.mergedAt(ctx, t, p, was, t.Landed)
	if err != nil {
		return err
	}
	return m.Begun.Turn(ctx, t.ID, store.IntentAgain, func() error {
		if err := turn(ctx, pieces, m.remerge, m.unmerge); err != nil {
			return err
		}
		return m.note(ctx, pieces, func(r *rows.Row, commit string) { r.Landed.Commit = commit })
	})
}

// mergedAt returns the parts of a task that were merged at once: its own is one of them unless
// it had landed so before.
func (m Merger) mergedAt(ctx context.Context, t beckon.Task, p beckon.Project, landed, before reviewing.Landed) ([]parts.Piece, error) {
	all, err := m.Parts.Further(ctx, t, p)
	pieces := slices.DeleteFunc(all, func(one parts.Piece) bool { return landed.At == 0 || one.Task.Landed.At != landed.At })
	if len(pieces) == 0 || landed.Commit != "" && landed.Commit != before.Commit {
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
// Where that fails the error is of problem.HalfTurned.
func turn(ctx context.Context, pieces []parts.Piece, do, back func(context.Context, parts.Piece) error) error {
	for i, one := range pieces {
		err := do(ctx, one)
		if err == nil {
			continue
		}
		if len(pieces) > 1 {
			err = fmt.Errorf("%s: %w", one.Name, err)
		}
		var stuck []string
		var why error
		for _, before := range slices.Backward(pieces[:i]) {
			if backErr := back(context.WithoutCancel(ctx), before); backErr != nil {
				stuck, why = append(stuck, before.Name), backErr
			}
		}
		if why != nil {
			slog.Error("take back merges, or do them again", "err", err, "task", one.Task.ID)
			return halfTurned(stuck, why)
		}
		return err
	}
	return nil
}

// halfTurned says that some parts of a task are not as its others.
func halfTurned(stuck []string, why error) error {
	names := strings.Join(stuck, ", ")
	err := fmt.Errorf("not all repositories could be changed, and %s could not be put back: %w. Try it again; the next start does so, too",
		names, beckon.ReasonOf(why).Err(beckon.ErrConflict))
	return problem.New(problem.HalfTurned, err, "stuck", names)
}

// note writes down in the rows of parts what became of them.
func (m Merger) note(ctx context.Context, pieces []parts.Piece, edit func(r *rows.Row, commit string)) error {
	for _, one := range pieces {
		if !reviewing.IsPart(one.Task.ID) {
			continue
		}
		commit, err := m.Parts.Repo(one.Project).MergedAs(ctx, workdir.WorktreeOf(one.Task))
		if err == nil {
			_, err = m.Parts.Rows.Update(ctx, one.Task.ID, func(r *rows.Row) error { edit(r, commit); return nil })
		}
		if err != nil {
			return halfTurned([]string{one.Name}, err)
		}
	}
	return nil
}
