// Package since shows a task's changes by what they came from: a turn of the agent, a
// commit, a decision, or all since the user's last review. For that it records what the worktree
// amounts to when turns begin and end and when the user reviews, beside the agent, which
// waits for none of it. What was not recorded it says, and guesses nothing.
//
// A turn's changes are those between two such moments, so they have what others did to
// the files meanwhile. Merging and comments know nothing of it: they are of the whole.
package since

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/git/diff"
	"beckon/backend/store/reviewed"
)

// Config is what a Since is joined to.
type Config struct {
	Kept    reviewed.Turns
	Task    func(ctx context.Context, id string) (beckon.Task, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	Repo    func(beckon.Project) *git.Repo
	// Bring brings what an agent on another machine did into the task's worktree.
	Bring func(ctx context.Context, taskID string) error
	// Live reports whether an agent lives on a task.
	Live func(taskID string) (kind beckon.RunKind, live bool)
	// Landmarks returns the messages and the ends of turns of a task's sessions, in order.
	Landmarks func(ctx context.Context, taskID string) ([]beckon.Landmark, error)
	// Whole returns a task's changes; without files where they are not all since the base.
	Whole func(ctx context.Context, taskID string, v reviewing.View) (beckon.ReviewDiff, error)
	// Decided returns what a decision of a task led to; known is false where that cannot be known.
	Decided func(ctx context.Context, taskID, questionID string) (span Span, known bool, err error)
	// MarkViewed keeps that a file was viewed, as what.
	MarkViewed func(ctx context.Context, taskID, path, content string) error
}

// Since records and shows. Its methods may be called from any goroutine.
type Since struct {
	Config
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	quit   chan struct{} // closed when nothing more is recorded
	places chan struct{} // one for each folder that is read

	keeping sync.Mutex // held while refs change

	mu      sync.Mutex
	tasks   map[string]*followed     // whose run is followed
	last    map[string]chan struct{} // by task: closed when all is done that was to be
	viewing map[string]bool          // by task: it is about to be read
	// acts counts, by task, what was heard of agents that may have changed files: what is
	// read while it rises is not what was before.
	acts   map[string]int
	closed bool
}

// New returns one that records nothing before it gets events.
func New(c Config) *Since {
	ctx, cancel := context.WithCancel(context.Background())
	return &Since{
		Config: c, ctx: ctx, cancel: cancel, quit: make(chan struct{}), places: make(chan struct{}, mostLooks),
		tasks: map[string]*followed{}, last: map[string]chan struct{}{}, viewing: map[string]bool{}, acts: map[string]int{},
	}
}

// scene is a task's work in its repository.
type scene struct {
	task    beckon.Task
	repo    *git.Repo
	log     TreeLog
	trees   diff.Trees
	head    string
	commits []reviewing.Commit
}

// folder returns a task whose worktree is in a repository; ok is false for one that has
// none.
func (s *Since) folder(ctx context.Context, taskID string) (at scene, p beckon.Project, ok bool, err error) {
	if at.task, err = s.Task(ctx, taskID); err != nil {
		return at, p, false, err
	}
	if p, err = s.Project(ctx, at.task.ProjectID); err != nil || !p.Git || at.task.Branch == "" {
		return at, p, false, err
	}
	at.repo = s.Repo(p)
	at.log = TreeLog{Git: at.repo.Tree(at.worktree()).Project}
	return at, p, true, nil
}

func (at scene) worktree() git.Worktree { return git.WorktreeOf(at.task) }

// currentWork returns what a task's work is by now.
func (s *Since) currentWork(ctx context.Context, taskID string) (at scene, ok bool, err error) {
	if at, _, ok, err = s.folder(ctx, taskID); err != nil || !ok {
		return at, ok, err
	}
	if at.trees, at.head, err = at.repo.Work(ctx, at.worktree()); err == nil {
		at.commits, err = at.log.Commits(ctx, at.trees.From, at.head)
	}
	return at, true, err
}

// Ranges returns what a task's changes can be looked at by.
func (s *Since) Ranges(ctx context.Context, taskID string) (reviewing.Ranges, error) {
	found := reviewing.Ranges{Turns: []reviewing.Turn{}, Commits: []reviewing.Commit{}}
	at, ok, err := s.currentWork(ctx, taskID)
	if err != nil || !ok {
		return found, err
	}
	found.Commits = append(found.Commits, at.commits...)
	review, ok, err := s.lastReview(ctx, at)
	if err != nil {
		return found, err
	}
	if ok {
		found.Reviewed = review.At
	}
	s.recorded(ctx, taskID)
	turns, err := s.Kept.Of(ctx, taskID)
	if err != nil || len(turns) == 0 {
		return found, err
	}
	marks, err := s.Landmarks(ctx, taskID)
	if err != nil {
		return found, err
	}
	texts := messages(marks)
	for i, t := range turns {
		one := reviewing.Turn{Number: t.Number, Began: t.Began, Text: texts[place{t.RunID, t.Nth}], State: reviewing.TurnRecorded, Mixed: t.Mixed}
		switch {
		case t.Before == "":
			one.State = reviewing.TurnUnrecorded
		case t.After == "" && i == len(turns)-1 && s.runs(taskID, t):
			one.State = reviewing.TurnRunning
		case t.After == "":
			one.Mixed = true
		}
		found.Turns = append(found.Turns, one)
	}
	return found, nil
}

// runs reports whether the newest turn of a task is under way.
func (s *Since) runs(taskID string, t reviewed.Turn) bool {
	kind, live := s.Live(taskID)
	return t.Ended == 0 && live && kind == beckon.TaskRun
}

// place is that of a turn in a run.
type place struct {
	run string
	nth int
}

// messages returns how the first message of each turn begins.
func messages(marks []beckon.Landmark) map[place]string {
	ended := map[string]int{}
	texts := map[place]string{}
	for _, m := range marks {
		at := place{m.RunID, ended[m.RunID] + 1}
		if m.Kind == beckon.UserEntry && texts[at] == "" {
			texts[at] = m.Text
		} else if m.Kind == beckon.TurnEntry {
			ended[m.RunID]++
		}
	}
	return texts
}

// Turn returns which of a task's turns a run's nth is, 0 where it was not noted.
func (s *Since) Turn(ctx context.Context, taskID, runID string, nth int) (int, error) {
	number, err := s.noted(ctx, taskID, place{runID, nth})
	if err != nil || number > 0 {
		return number, err
	}
	s.recorded(ctx, taskID)
	return s.noted(ctx, taskID, place{runID, nth})
}

func (s *Since) noted(ctx context.Context, taskID string, at place) (int, error) {
	turns, err := s.Kept.Of(ctx, taskID)
	i := slices.IndexFunc(turns, func(t reviewed.Turn) bool { return place{t.RunID, t.Nth} == at })
	if err != nil || i < 0 {
		return 0, err
	}
	return turns[i].Number, nil
}

// lastReview returns the newest state that the user reviewed and that is not today's:
// who marks files as viewed reviews today's, and goes on to see what came before it.
func (s *Since) lastReview(ctx context.Context, at scene) (reviewed.Review, bool, error) {
	today, err := at.log.TreeOf(ctx, at.trees.To)
	if err != nil {
		return reviewed.Review{}, false, err
	}
	last, ok, err := s.Kept.LastReview(ctx, at.task.ID, today)
	if err != nil || !ok {
		return last, ok, err
	}
	ok, err = at.log.Has(ctx, last.Tree) // it was let go where the task was over for long
	return last, ok, err
}

// Review returns a task's changes as a person wants to look at them.
func (s *Since) Review(ctx context.Context, taskID string, v reviewing.View) (beckon.ReviewDiff, error) {
	d, err := s.Whole(ctx, taskID, v)
	if err != nil || v.Since == "" {
		return d, err
	}
	d.Since = v.Since
	at, ok, err := s.currentWork(ctx, taskID)
	if err != nil || !ok {
		d.Files = beckon.NonNil(d.Files)
		return d, err
	}
	trees, err := s.trees(ctx, at, v.Since)
	if err != nil {
		return d, err
	}
	trees.IgnoreSpace = v.IgnoreSpace
	if d.Files, d.Omitted, err = diff.Patched(ctx, at.log.Git, trees, v.Start); err != nil {
		return d, err
	}
	return d, at.markPast(ctx, trees, d.Files)
}

// markPast marks the files of a part of the work that were changed again since.
func (at scene) markPast(ctx context.Context, trees diff.Trees, files []beckon.FileDiff) error {
	if trees.To == at.trees.To {
		return nil
	}
	past, err := diff.Differing(ctx, at.log.Git, trees.To, at.trees.To)
	for i := range files {
		files[i].Past = past[files[i].Path]
	}
	return err
}

// File returns a file of a task's changes with as much of its patch as can be shown of one.
func (s *Since) File(ctx context.Context, taskID string, of reviewing.File) (beckon.FileDiff, error) {
	paths := []string{of.Path}
	if of.OldPath != "" {
		paths = append(paths, of.OldPath)
	}
	if slices.ContainsFunc(paths, func(p string) bool { return !fs.ValidPath(p) || strings.Contains(p, "\x00") }) {
		return beckon.FileDiff{}, beckon.Invalid("%.40q is no path of a file", paths)
	}
	at, trees, err := s.part(ctx, taskID, of.View.Since)
	if err == nil && trees.To == "" {
		err = gone()
	}
	if err != nil {
		return beckon.FileDiff{}, err
	}
	trees.IgnoreSpace = of.View.IgnoreSpace
	f, ok, err := diff.Alone(ctx, at.log.Git, trees, paths...)
	if err == nil && !ok {
		err = gone()
	}
	if err != nil {
		return f, err
	}
	files := []beckon.FileDiff{f}
	err = at.markPast(ctx, trees, files)
	return files[0], err
}

// Shown returns the lines of the file of a stretch as they are after what it is shown in.
func (s *Since) Shown(ctx context.Context, taskID string, of reviewing.Stretch) (map[string][]string, error) {
	at, trees, err := s.part(ctx, taskID, of.Since)
	if err != nil || trees.To == "" {
		return nil, err
	}
	return diff.Lines(ctx, at.log.Git, trees.To, []string{of.Path})
}

// Content returns a file of a task's changes whole, if it is there and has no more bytes
// than most, and its size, -1 where it is not.
func (s *Since) Content(ctx context.Context, taskID string, of reviewing.Side, most int64) ([]byte, int64, error) {
	at, trees, err := s.part(ctx, taskID, of.Since)
	tree := trees.To
	if of.Before {
		tree = trees.From
	}
	if err != nil || tree == "" {
		return nil, -1, err
	}
	return diff.Content(ctx, at.log.Git, tree, of.Path, most)
}

// part returns the trees of a part of a task's changes; none of a task without work.
func (s *Since) part(ctx context.Context, taskID, since string) (at scene, t diff.Trees, err error) {
	at, ok, err := s.currentWork(ctx, taskID)
	if err != nil || !ok || since == "" {
		return at, at.trees, err
	}
	t, err = s.trees(ctx, at, since)
	return at, t, err
}

// trees returns those between which the changes are that a person wants to look at.
func (s *Since) trees(ctx context.Context, at scene, since string) (t diff.Trees, err error) {
	if since == reviewing.SinceReview {
		review, ok, err := s.lastReview(ctx, at)
		if err == nil && !ok {
			err = problem.New(problem.NotReviewed, fmt.Errorf("no other state of this work was reviewed: %w", beckon.ErrNotFound))
		}
		if err != nil {
			return t, err
		}
		return s.mustHave(ctx, at, diff.Trees{From: review.Tree, To: at.trees.To})
	}
	if text, is := strings.CutPrefix(since, reviewing.SinceTurn); is {
		number, err := strconv.Atoi(text)
		if err != nil {
			return t, gone()
		}
		return s.turnTrees(ctx, at, number)
	}
	if hash, is := strings.CutPrefix(since, reviewing.SinceCommit); is {
		return s.commitTrees(ctx, at, hash)
	}
	if id, is := strings.CutPrefix(since, reviewing.SinceDecision); is {
		span, known, err := s.Decided(ctx, at.task.ID, id)
		if err == nil && !known {
			err = gone()
		}
		return span.Trees, err
	}
	return t, beckon.Invalid("changes are not looked at by %.40q", since)
}

// turnTrees returns those at the two ends of a turn. Where its end was not recorded it
// goes up to the beginning of the next one, or to what there is now.
func (s *Since) turnTrees(ctx context.Context, at scene, number int) (t diff.Trees, err error) {
	s.recorded(ctx, at.task.ID)
	turns, err := s.Kept.Of(ctx, at.task.ID)
	if err != nil {
		return t, err
	}
	for i, one := range turns {
		if one.Number != number {
			continue
		}
		if one.Before == "" {
			err := fmt.Errorf("what the files were when turn %d began was not recorded: %w", number, beckon.ErrNotFound)
			return t, problem.New(problem.TurnUnrecorded, err, "number", strconv.Itoa(number))
		}
		t = diff.Trees{From: one.Before, To: one.After}
		for _, next := range turns[i+1:] {
			if t.To == "" {
				t.To = next.Before
			}
		}
		if t.To == "" {
			t.To = at.trees.To
		}
		return s.mustHave(ctx, at, t)
	}
	return t, gone()
}

// commitTrees returns those before and after a commit of the task's; of a merge, that of
// its first parent.
func (s *Since) commitTrees(ctx context.Context, at scene, hash string) (t diff.Trees, err error) {
	for _, c := range at.commits {
		if c.Hash != hash {
			continue
		}
		if t.From, err = at.log.Parent(ctx, hash); err != nil {
			return t, err
		}
		t.To = hash
		return s.mustHave(ctx, at, t)
	}
	return t, gone()
}

// mustHave returns trees that the repository has.
func (s *Since) mustHave(ctx context.Context, at scene, t diff.Trees) (diff.Trees, error) {
	for _, tree := range []string{t.From, t.To} {
		if there, err := at.log.Has(ctx, tree); err != nil || !there {
			if err == nil {
				err = gone()
			}
			return t, err
		}
	}
	return t, nil
}

// gone is the error for what is not in the work any more.
func gone() error {
	err := fmt.Errorf("this is not in the task's work any more: its history was rewritten, or git removed it: %w", beckon.ErrNotFound)
	return problem.New(problem.SinceGone, err)
}
