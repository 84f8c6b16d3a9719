package since

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
	"beckon/backend/store/reviewed"
)

// History is what a task's turns left, up to what a person looks at.
type History struct {
	Task  beckon.Task
	Turns []reviewed.Turn // the oldest first
	Trees diff.Trees      // between which the changes are that a person looks at
	// Now is whether Trees.To is what the work is now; else it is what the last of Turns left.
	Now bool
	// Head is the commit of the task's branch.
	Head string
	git  scene
}

// History returns that of a task's changes since something; see reviewing.View. ok is false
// of a task without work, and for a commit and what ends within a turn, of which is not known
// between which calls it was.
func (s *Since) History(ctx context.Context, taskID, since string) (h History, ok bool, err error) {
	if strings.HasPrefix(since, reviewing.SinceCommit) {
		return h, false, nil
	}
	at, trees, err := s.part(ctx, taskID, since)
	if err != nil || trees.To == "" {
		return h, false, err
	}
	s.recorded(ctx, taskID)
	h = History{Task: at.task, Trees: trees, Now: trees.To == at.trees.To, Head: at.head, git: at}
	if h.Turns, err = s.Kept.Of(ctx, taskID); err != nil {
		return h, false, err
	}
	if strings.HasPrefix(since, reviewing.SinceDecision) && !h.Now {
		return s.upTo(ctx, h, strings.TrimPrefix(since, reviewing.SinceDecision))
	}
	if text, is := strings.CutPrefix(since, reviewing.SinceTurn); is {
		number, _ := strconv.Atoi(text)
		for i, t := range h.Turns {
			if t.Number == number && i+1 < len(h.Turns) {
				h.Turns, h.Now = h.Turns[:i+1], false
				break
			}
		}
	}
	return h, true, nil
}

// upTo is a history up to what a decision led to, if that ends with a turn.
func (s *Since) upTo(ctx context.Context, h History, questionID string) (History, bool, error) {
	span, known, err := s.Decided(ctx, h.Task.ID, questionID)
	last := slices.IndexFunc(h.Turns, func(t reviewed.Turn) bool { return t.Number == span.Last })
	if err != nil || !known || last < 0 || h.Turns[last].After != h.Trees.To {
		return h, false, err
	}
	h.Turns = h.Turns[:last+1]
	return h, true, nil
}

// Committed reports whether the commit of the branch has all of the work.
func (h History) Committed(ctx context.Context) (bool, error) {
	tree, err := h.git.log.TreeOf(ctx, h.Head)
	return tree == h.git.trees.To, err
}

// Files returns the files of the changes, without their patches.
func (h History) Files(ctx context.Context) ([]beckon.FileDiff, error) {
	return diff.Files(ctx, h.git.log.Git, h.Trees)
}

// File returns a file of the changes with its patch, which had another path before a rename;
// ok is false where it does not differ.
func (h History) File(ctx context.Context, ignoreSpace bool, paths ...string) (f beckon.FileDiff, ok bool, err error) {
	trees := h.Trees
	trees.IgnoreSpace = ignoreSpace
	return diff.Alone(ctx, h.git.log.Git, trees, paths...)
}

// Versions returns a file in each of some trees; see diff.Versions.
func (h History) Versions(ctx context.Context, trees, paths []string, most int64) ([]diff.Version, error) {
	return diff.Versions(ctx, h.git.log.Git, trees, paths, most)
}

// Openings returns how the messages begin with which a task's turns began, by the run and which
// of its turns.
func (s *Since) Openings(ctx context.Context, taskID string) (func(runID string, nth int) string, error) {
	marks, err := s.Landmarks(ctx, taskID)
	texts := messages(marks)
	return func(runID string, nth int) string { return texts[place{runID, nth}] }, err
}
