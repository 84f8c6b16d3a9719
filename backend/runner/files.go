package runner

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git"
)

const (
	// freshFor is how long a listing is taken for true; an older one is used
	// once more while the next is made.
	freshFor = 3 * time.Second
	// keptFolders is how many folders' listings are kept.
	keptFolders = 4
	// listIn is how long a listing may take.
	listIn = 30 * time.Second
	// mostFound and mostTyped bound what is asked for, in files and bytes.
	mostFound = 100
	mostTyped = 200
)

// FindFiles returns the files of a task's folder that best match what was
// typed: of those that have its letters in this order, the ones that have
// them at the beginnings of words, and close together.
func (r *Runner) FindFiles(ctx context.Context, taskID, typed string, limit int) ([]string, error) {
	if limit < 1 || limit > mostFound || len(typed) > mostTyped {
		return nil, invalid("1 to %d files can be asked for, with at most %d bytes", mostFound, mostTyped)
	}
	t, err := r.Store.Task(ctx, taskID)
	if err != nil {
		return nil, err
	}
	p, err := r.Store.Project(ctx, t.ProjectID)
	if err != nil {
		return nil, err
	}
	dir := r.folderOf(t, p)
	files, err := r.files.of(ctx, dir, r.background, func(ctx context.Context) ([]string, error) {
		if !p.Git {
			return git.WalkFiles(ctx, dir)
		}
		return r.repo(p).Files(ctx, dir)
	})
	if err != nil {
		return nil, err
	}
	return files.find(typed, limit), nil
}

// folderOf returns where a task's agent works, or would.
func (r *Runner) folderOf(t beckon.Task, p beckon.Project) string {
	if l := r.liveRun(t.ID); l != nil && l.kind() == beckon.ChatRun || t.Worktree == "" {
		return p.Dir
	}
	if _, err := os.Stat(t.Worktree); err != nil {
		return p.Dir
	}
	return t.Worktree
}

// background runs what Close waits for, with a context that Close ends.
func (r *Runner) background(work func(context.Context)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.wg.Go(func() { work(r.ctx) })
	}
}

// listings keeps what the folders that were last asked about hold.
type listings struct {
	mu     sync.Mutex // guards recent and what is in it, but not while a listing is made
	recent []*listing // the one last asked about first
}

// listing is what a folder holds.
type listing struct {
	dir    string
	making sync.Mutex // held while the first listing is made
	files  *files     // nil before that
	made   time.Time
	anew   bool // the next one is being made
}

// of returns what dir holds, as list tells it: at once where it was asked for
// lately, even if it has changed since.
func (s *listings) of(ctx context.Context, dir string, background func(func(context.Context)), list lister) (*files, error) {
	l := s.recall(dir)
	if known := s.known(l, background, list); known != nil {
		return known, nil
	}
	l.making.Lock()
	defer l.making.Unlock()
	if known := s.known(l, background, list); known != nil {
		return known, nil
	}
	return s.make(ctx, l, list)
}

// lister lists a folder.
type lister func(context.Context) ([]string, error)

// recall returns the place of dir's listing, the first from here on.
func (s *listings) recall(dir string) *listing {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &listing{dir: dir}
	if i := slices.IndexFunc(s.recent, func(l *listing) bool { return l.dir == dir }); i >= 0 {
		l = s.recent[i]
		s.recent = slices.Delete(s.recent, i, i+1)
	}
	s.recent = slices.Insert(s.recent, 0, l)
	s.recent = s.recent[:min(len(s.recent), keptFolders)]
	return l
}

// known returns what is known of l, and has it made anew where that is old.
func (s *listings) known(l *listing, background func(func(context.Context)), list lister) *files {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.files != nil && !l.anew && time.Since(l.made) > freshFor {
		l.anew = true
		background(func(ctx context.Context) {
			_, err := s.make(ctx, l, list)
			logged("list files", err, "dir", l.dir)
		})
	}
	return l.files
}

func (s *listings) make(ctx context.Context, l *listing, list lister) (*files, error) {
	ctx, cancel := context.WithTimeout(ctx, listIn)
	defer cancel()
	names, err := list(ctx)
	found := newFiles(names)
	s.mu.Lock()
	defer s.mu.Unlock()
	l.anew = false
	if err != nil {
		return nil, err
	}
	l.files, l.made = found, time.Now()
	return found, nil
}
