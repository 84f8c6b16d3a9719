package since

import (
	"cmp"
	"context"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/git/diff"
	"beckon/backend/store/reviewed"
)

// Moment is when something was decided in a run of a task, and when the decisions before and
// after it were made that what came of it is bounded by; Unix milliseconds, 0 for none.
type Moment struct {
	TaskID, RunID     string
	At, Before, After int64
	// From and Until are the trees of the files when this and the next were asked; empty where
	// nothing was recorded then, or something else was decided meanwhile.
	From, Until string
}

// Span is what the work was when something was decided, and when the next decision was asked
// for; where that was not recorded, before the turns of the two.
type Span struct {
	Trees diff.Trees
	// Turn is the first, and Last the last turn within it, as reviewing.Turn numbers them.
	Turn, Last int
	// Mixed says that what others changed may be in it, too.
	Mixed bool
	git   scene
}

// Led returns the span of what a decision led to. known is false where that cannot be known: the
// turn was not recorded, or two decisions fell into it.
func (s *Since) Led(ctx context.Context, m Moment) (span Span, known bool, err error) {
	at, _, ok, err := s.folder(ctx, m.TaskID)
	if err != nil || !ok {
		return span, false, err
	}
	s.recorded(ctx, m.TaskID)
	all, err := s.Kept.Of(ctx, m.TaskID)
	if err != nil {
		return span, false, err
	}
	turns := slices.DeleteFunc(slices.Clone(all), func(t reviewed.Turn) bool { return t.RunID != m.RunID })
	first := turnAt(turns, m.At)
	if first < 0 || m.From == "" && m.Before > 0 && turnAt(turns, m.Before) == first {
		return span, false, nil
	}
	next := len(turns) // the first turn that is not in it
	if m.After > 0 {
		if after := turnAt(turns, m.After); after >= 0 { // else it is still to be acted on
			next = after
		}
		if m.Until != "" {
			next = min(next+1, len(turns))
		} else if next == first {
			return span, false, nil
		}
	}
	span = Span{Turn: turns[first].Number, Last: turns[next-1].Number, git: at}
	for i, t := range turns[first:next] {
		between := i > 0 && turns[first+i-1].After != t.Before // somebody changed something
		span.Mixed = span.Mixed || t.Mixed || between
	}
	span.Trees = diff.Trees{From: cmp.Or(m.From, turns[first].Before), To: cmp.Or(m.Until, turns[next-1].After)}
	if span.Trees.To == "" && next < len(turns) {
		span.Trees.To = turns[next].Before
	}
	if span.Trees.To == "" && next == len(turns) && turns[next-1].Number == all[len(all)-1].Number && s.runs(m.TaskID, turns[next-1]) {
		from := span.Trees.From
		span.Trees, _, err = at.repo.Work(ctx, at.worktree())
		span.Trees.From = from
	}
	if err != nil || span.Trees.From == "" || span.Trees.To == "" {
		return span, false, err
	}
	for _, tree := range []string{span.Trees.From, span.Trees.To} {
		if there, err := at.log.Has(ctx, tree); err != nil || !there {
			return span, false, err
		}
	}
	return span, true, nil
}

// turnAt returns the place of the turn that acts on what is decided at a moment: the one under
// way, or the next one; -1 where there is none. One whose end was not seen ended when the next began.
func turnAt(turns []reviewed.Turn, at int64) int {
	for i, t := range turns {
		end := t.Ended
		if end == 0 && i+1 < len(turns) {
			end = turns[i+1].Began
		}
		if end == 0 || end > at {
			return i
		}
	}
	return -1
}

// Files returns the files of a span, without their patches.
func (s Span) Files(ctx context.Context) ([]beckon.FileDiff, error) {
	return diff.Files(ctx, s.git.log.Git, s.Trees)
}

// Patch returns a file of a span with as much of its patch as can be shown of one.
func (s Span) Patch(ctx context.Context, f beckon.FileDiff) (beckon.FileDiff, error) {
	paths := []string{f.Path}
	if f.OldPath != "" {
		paths = append(paths, f.OldPath)
	}
	whole, ok, err := diff.Alone(ctx, s.git.log.Git, s.Trees, paths...)
	if err == nil && !ok {
		err = gone()
	}
	return whole, err
}
