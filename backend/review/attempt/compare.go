package attempt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/git"
	"beckon/backend/git/command"
	"beckon/backend/git/diff"
	"beckon/backend/plain"
	"beckon/backend/store/checkpoints"
	"beckon/backend/store/undolog"
)

// mostFiles is how many files a comparison lists, and mostTold how many a message to an agent names;
// mostName and mostSaid bound a name and a question in it, in bytes.
const (
	mostFiles = 1000
	mostTold  = 60
	mostName  = 300
	mostSaid  = 2000
)

// Comparison is what two attempts have changed.
type Comparison struct {
	Tasks [2]string `json:"tasks"` // the ids, the first attempt first
	Base  string    `json:"base"`  // the branch that both began from
	// Files are those that one of both has changed, by their paths; Count counts all of them.
	Files []ComparedFile `json:"files"`
	Count int            `json:"count"`
	// Differ is how many files are not the same in both.
	Differ int `json:"differ"`
	// Sums are what each has changed, of all files.
	Sums [2]beckon.Changes `json:"sums"`
}

// ComparedFile is a file that an attempt has changed.
type ComparedFile struct {
	Path string `json:"path"`
	// Sides are what each attempt did to it; nil where it did nothing.
	Sides [2]*ComparedSide `json:"sides"`
	Same  bool             `json:"same"` // in both
}

// ComparedSide is what an attempt did to a file.
type ComparedSide struct {
	Change  beckon.FileChange `json:"change"`
	OldPath string            `json:"oldPath"` // of a rename, else empty
	Added   int               `json:"added"`
	Removed int               `json:"removed"`
	Binary  bool              `json:"binary"`
}

// pair are two attempts, with the trees that their worktrees are now.
type pair struct {
	row   checkpoints.Attempt
	tasks [2]beckon.Task
	trees [2]string
	forks [2]string // the commits that the work of each is compared with
	repo  command.Git
}

// pairOf returns the newest two attempts that a task is one of.
func (a *Attempts) pairOf(ctx context.Context, taskID string) (w pair, err error) {
	rows, err := a.Rows.AttemptsOf(ctx, taskID)
	rows = slices.DeleteFunc(rows, func(row checkpoints.Attempt) bool { return row.Step != checkpoints.Begun })
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("the task is none of two attempts: %w", beckon.ErrNotFound)
	}
	if err != nil {
		return w, err
	}
	w.row = rows[0]
	for i, id := range []string{w.row.TaskID, w.row.OtherID} {
		if w.tasks[i], err = a.Task(ctx, id); err != nil {
			return w, err
		}
	}
	return w, nil
}

// read reads what both worktrees are now, or their branches where the worktrees are gone.
func (a *Attempts) read(ctx context.Context, taskID string) (w pair, err error) {
	if w, err = a.pairOf(ctx, taskID); err != nil {
		return w, err
	}
	p, err := a.Project(ctx, w.tasks[0].ProjectID)
	if err != nil {
		return w, err
	}
	for i, t := range w.tasks {
		tree := a.Repo(p).Tree(git.WorktreeOf(t))
		w.repo = tree.Project
		is, err := a.Capture(ctx, t.ID)
		if errors.Is(err, beckon.ErrConflict) && t.Branch != "" {
			is.Tree, err = w.repo.Branch(ctx, t.Branch)
			is.Head = is.Tree
		}
		if err == nil && is.Tree == "" {
			err = reason.Of(reason.AttemptGone, "key", t.Key).Err(beckon.ErrConflict)
		}
		if err != nil {
			return w, err
		}
		w.trees[i] = is.Tree
		if w.forks[i], err = a.Repo(p).Fork(ctx, git.WorktreeOf(t), is.Head); err != nil {
			return w, err
		}
	}
	return w, nil
}

// Compare returns what the two attempts have changed that a task is one of. A task that is none
// is beckon.ErrNotFound.
func (a *Attempts) Compare(ctx context.Context, taskID string) (c Comparison, err error) {
	w, err := a.read(ctx, taskID)
	if err != nil {
		return c, err
	}
	c.Tasks, c.Base = [2]string{w.tasks[0].ID, w.tasks[1].ID}, w.tasks[0].Base
	files := map[string]*ComparedFile{}
	for i := range w.tasks {
		list, err := diff.Files(ctx, w.repo, diff.Trees{From: w.forks[i], To: w.trees[i]})
		if err != nil {
			return c, err
		}
		for _, f := range list {
			if files[f.Path] == nil {
				files[f.Path] = &ComparedFile{Path: f.Path}
			}
			files[f.Path].Sides[i] = &ComparedSide{f.Change, f.OldPath, f.Added, f.Removed, f.Binary}
			c.Sums[i].Files, c.Sums[i].Added, c.Sums[i].Removed = c.Sums[i].Files+1, c.Sums[i].Added+f.Added, c.Sums[i].Removed+f.Removed
		}
	}
	differ, err := diff.Differing(ctx, w.repo, w.trees[0], w.trees[1])
	if err != nil {
		return c, err
	}
	c.Differ, c.Files, c.Count = len(differ), make([]ComparedFile, 0, len(files)), len(files)
	for path, f := range files {
		f.Same = !differ[path]
		c.Files = append(c.Files, *f)
	}
	slices.SortFunc(c.Files, func(f, g ComparedFile) int { return cmp.Or(order(f, g), cmp.Compare(f.Path, g.Path)) })
	c.Files = c.Files[:min(len(c.Files), mostFiles)]
	return c, nil
}

// order puts files that differ before those that are the same.
func order(f, g ComparedFile) int {
	switch {
	case f.Same == g.Same:
		return 0
	case g.Same:
		return -1
	}
	return 1
}

// File returns the difference of a file between the two attempts that a task is one of, from the
// first to the second. beckon.ErrNotFound: it does not differ.
func (a *Attempts) File(ctx context.Context, taskID, path string) (f beckon.FileDiff, err error) {
	w, err := a.read(ctx, taskID)
	if err != nil {
		return f, err
	}
	f, ok, err := diff.Alone(ctx, w.repo, diff.Trees{From: w.trees[0], To: w.trees[1]}, path)
	if err == nil && !ok {
		err = fmt.Errorf("%s is the same in both attempts: %w", path, beckon.ErrNotFound)
	}
	return f, err
}

// Keep keeps one of two attempts: the other goes to the archive, and its agent ends. Its branch
// stays, and undo brings the card back.
func (a *Attempts) Keep(ctx context.Context, taskID string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.keep(ctx, taskID)
}

func (a *Attempts) keep(ctx context.Context, taskID string) error {
	w, err := a.pairOf(ctx, taskID)
	if err != nil {
		return err
	}
	other := w.tasks[0]
	if other.ID == taskID {
		other = w.tasks[1]
	}
	if other.Status == beckon.Running {
		if _, err := a.Board.MoveTask(ctx, other.ID, beckon.Review, 0); err != nil {
			return err
		}
	}
	_, err = a.Board.MoveTask(undolog.Into(ctx, beckon.ChangeArchive), other.ID, beckon.Archived, 0)
	return err
}

// Mix has the agent of one of two attempts take over what the user wants of the other, which goes to the
// archive as with Keep. What is not committed of the other is committed first, and the other is held
// until the words are sent. The error wraps beckon.ErrConflict while an agent works on either; it is
// reason.AttemptStays where all was sent and the other could not be archived.
func (a *Attempts) Mix(ctx context.Context, taskID, words string) (beckon.Task, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w, err := a.read(ctx, taskID)
	if err != nil {
		return beckon.Task{}, err
	}
	for _, t := range w.tasks {
		if t.Status == beckon.Running || t.Status == beckon.Queued {
			return t, reason.Of(reason.AttemptWorks, "key", t.Key).Err(beckon.ErrConflict)
		}
	}
	of := slices.IndexFunc(w.tasks[:], func(t beckon.Task) bool { return t.ID == taskID })
	t, other := w.tasks[of], w.tasks[1-of]
	err = a.Board.Committed(ctx, other.ID, func(now beckon.Task, _ beckon.Project) error {
		commit, err := w.repo.Branch(ctx, now.Branch)
		if err == nil && commit == "" {
			err = reason.Of(reason.AttemptGone, "key", now.Key).Err(beckon.ErrConflict)
		}
		if err != nil {
			return err
		}
		w.trees[1-of] = commit
		text, err := w.mix(ctx, of, words)
		if err == nil {
			t, err = a.SendBack(ctx, taskID, beckon.NewMessage{Text: text})
		}
		return err
	})
	if err != nil {
		return t, err
	}
	if err := a.keep(ctx, taskID); err != nil {
		return t, reason.Of(reason.AttemptStays, "key", t.Key, "other", other.Key).Because(beckon.ReasonOf(err)).Err(beckon.ErrConflict)
	}
	return t, nil
}

// mix is what the agent of an attempt gets where the user wants something of the other, too.
func (w pair) mix(ctx context.Context, of int, words string) (string, error) {
	answers := []string{label(w.row.Answer), label(w.row.Other)}
	files, err := diff.Files(ctx, w.repo, diff.Trees{From: w.trees[of], To: w.trees[1-of]})
	if err != nil {
		return "", err
	}
	var stat []string
	for _, f := range files[:min(len(files), mostTold)] {
		stat = append(stat, fmt.Sprintf("- %s %s +%d -%d", f.Change, plain.Code(f.Path, mostName), f.Added, f.Removed))
	}
	if more := len(files) - len(stat); more > 0 {
		stat = append(stat, fmt.Sprintf("and %d more", more))
	}
	parts := []string{
		fmt.Sprintf("Two agents tried this task with different answers to %q: you with %q, the other with %q. The user wants a mix of both. "+
			"Your worktree stays the basis. The other's work is the commit %s: read it with git show and git diff, and check nothing of it out over yours.",
			plain.Line(w.row.Asked, mostSaid), plain.Line(answers[of], mostName), plain.Line(answers[1-of], mostName), w.trees[1-of]),
	}
	if len(stat) > 0 {
		parts = append(parts, "From your files to the other's, by their names:\n\n"+strings.Join(stat, "\n"))
	}
	if words = strings.TrimSpace(words); words != "" {
		parts = append(parts, "What the user wants:\n\n"+words)
	}
	return strings.Join(parts, "\n\n"), nil
}
