package since

import (
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
}

// Span is what the work was before the turn in which something was decided, and before the
// turn of the next decision.
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
	if first < 0 || m.Before > 0 && turnAt(turns, m.Before) == first {
		return span, false, nil
	}
	next := len(turns)
	if m.After > 0 {
		if next = turnAt(turns, m.After); next == first {
			return span, false, nil
		} else if next < 0 { // it is still to be acted on
			next = len(turns)
		}
	}
	span = Span{Turn: turns[first].Number, Last: turns[next-1].Number, git: at}
	for i, t := range turns[first:next] {
		between := i > 0 && turns[first+i-1].After != t.Before // somebody changed something
		span.Mixed = span.Mixed || t.Mixed || between
	}
	span.Trees = diff.Trees{From: turns[first].Before, To: turns[next-1].After}
	if span.Trees.To == "" && next < len(turns) {
		span.Trees.To = turns[next].Before
	}
	if span.Trees.To == "" && next == len(turns) && turns[next-1].Number == all[len(all)-1].Number && s.runs(m.TaskID, turns[next-1]) {
		span.Trees, _, err = at.repo.Work(ctx, at.worktree())
		span.Trees.From = turns[first].Before
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
