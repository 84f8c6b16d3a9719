package together

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/workdir"
	"beckon/backend/parts"
	"beckon/backend/store"
	"beckon/backend/store/undolog"
)

// This file finishes what was cut short.

// Finish finishes a merge of several repositories that was cut short: where all bases have the
// work as it was then the card follows, else those that have it are put back. One whose branch
// moved since, or that something was built on, stays, and the card says so. An error says that
// one could not be put back for now; the card says it, too.
func (m Merger) Finish(ctx context.Context, t beckon.Task, p beckon.Project, noted []store.IntentPart) error {
	cut, err := m.whatWasCut(ctx, t, p, noted)
	switch {
	case err != nil || len(cut.merged) == 0:
		return err
	case len(cut.merged) == len(noted):
		_, err = m.landed(ctx, t, p, cut.merged, cut.done)
		return err
	}
	b := m.putBack(ctx, cut.back)
	back, stuck := listed(b.back), strings.Join(append(cut.moved, b.stuck...), ", ")
	switch {
	case b.why != nil:
		err = halfMerged(cut.missing, b)
		return errors.Join(err, m.says(ctx, t.ID, beckon.ReasonOf(err)))
	case stuck != "":
		slog.Error("merges that were cut short stay", "task", t.ID, "repositories", stuck)
		return m.says(ctx, t.ID, reason.Of(reason.Code(problem.CutMerge), "repository", cut.missing, "stuck", stuck, "back", back))
	default:
		return m.says(ctx, t.ID, nil)
	}
}

// cutMerge is what came of a merge that was cut short.
type cutMerge struct {
	merged []parts.Piece
	done   []reviewing.Landed // of each that is merged
	back   []parts.Piece      // those of them that can be put back
	moved  []string           // the others
	// missing are the names of those that are not merged.
	missing string
}

func (m Merger) whatWasCut(ctx context.Context, t beckon.Task, p beckon.Project, noted []store.IntentPart) (cut cutMerge, err error) {
	all, err := m.Parts.All(ctx, t, p)
	if err != nil {
		return cut, err
	}
	var missing []string
	for _, n := range noted {
		i := slices.IndexFunc(all, func(one parts.Piece) bool { return one.Task.ID == n.ID })
		if i < 0 {
			missing = append(missing, n.ID)
			continue
		}
		one := all[i]
		commit, moved, err := m.Parts.Repo(one.Project).MergedAt(ctx, workdir.WorktreeOf(one.Task), n.Tip)
		if err != nil {
			return cut, fmt.Errorf("%s: %w", one.Name, err)
		}
		if commit == "" {
			missing = append(missing, one.Name)
			continue
		}
		cut.merged, cut.done = append(cut.merged, one), append(cut.done, reviewing.Landed{Commit: commit})
		if moved {
			cut.moved = append(cut.moved, one.Name)
		} else {
			cut.back = append(cut.back, one)
		}
	}
	cut.missing = strings.Join(missing, ", ")
	return cut, nil
}

// finishEarlier finishes the merge of a task that was cut short, if one was. It returns the card
// and what is to be merged then: what was put back, too. finished says that it is merged, and that
// nothing more is to be done.
func (m Merger) finishEarlier(ctx context.Context, t beckon.Task, p beckon.Project, orders []reviewing.PartOrder) (now beckon.Task, all []reviewing.PartOrder, finished bool, err error) {
	noted, err := m.Begun.Intents.Together(ctx, t.ID)
	if err == nil && len(noted) > 0 {
		err = m.Finish(ctx, t, p, noted)
	}
	if err != nil || len(noted) == 0 {
		return t, orders, false, err
	}
	m.Begun.Over(ctx, t.ID)
	now, err = m.Parts.Cards.Task(ctx, t.ID)
	if err != nil || now.Landed.At != t.Landed.At {
		return now, nil, true, err
	}
	cut, err := m.whatWasCut(ctx, now, p, noted)
	for _, n := range noted {
		named := func(o reviewing.PartOrder) bool { return o.ID == n.ID }
		merged := func(one parts.Piece) bool { return one.Task.ID == n.ID }
		if !slices.ContainsFunc(orders, named) && !slices.ContainsFunc(cut.merged, merged) {
			all = append(all, reviewing.PartOrder{ID: n.ID})
		}
	}
	return now, append(all, orders...), false, err
}

// says has a card say how a merge was cut short; nothing where it was put back since.
func (m Merger) says(ctx context.Context, id string, why *reason.Reason) error {
	t, err := m.Parts.Cards.Task(ctx, id)
	if err != nil || why == nil && !isMergeTrouble(t.Trouble) {
		return err
	}
	_, err = m.Update(undolog.Apart(context.WithoutCancel(ctx)), id, func(t *beckon.Task) error { t.Trouble = why; return nil })
	return err
}

func isMergeTrouble(r *reason.Reason) bool {
	for _, kind := range []problem.Kind{problem.HalfMerged, problem.CutMerge, problem.HalfTurned} {
		if r.Is(reason.Code(kind)) {
			return true
		}
	}
	return false
}

// FinishTurn finishes what TakeBack or Again was killed over, with its card. What the card says
// already is left at that.
func (m Merger) FinishTurn(ctx context.Context, id string, kind store.IntentKind) error {
	step, err := m.Begun.Intents.Turn(ctx, id)
	if err != nil {
		return err
	}
	var s undolog.Step
	if kind == store.IntentAgain {
		s, err = m.Undo.Undone(ctx)
	} else {
		s, err = m.Undo.Newest(ctx, id)
	}
	if errors.Is(err, beckon.ErrNotFound) || err == nil && s.ID != step {
		return m.says(ctx, id, nil)
	}
	for _, c := range s.Cards {
		switch {
		case c.TaskID != id:
		case kind == store.IntentAgain:
			err = m.TakeCardBack(undolog.Again(ctx, step), c.Again())
		default:
			err = m.TakeCardBack(undolog.Taking(ctx, step), c)
		}
	}
	if err != nil {
		return errors.Join(err, m.says(ctx, id, beckon.ReasonOf(err)))
	}
	return m.says(ctx, id, nil)
}

// listed is how names are shown, also where there are none.
func listed(names []string) string { return cmp.Or(strings.Join(names, ", "), "–") }
