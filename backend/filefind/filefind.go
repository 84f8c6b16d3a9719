// Package filefind finds the files of a folder that match what was typed, as
// editors do: the letters in their order, the best fit first.
//
// It keeps the listings of the folders that were asked about last, so that a
// keystroke costs milliseconds among 100,000 files; a listing may be seconds
// old. It does not know how a folder is listed, or which folder is whose.
package filefind

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"beckon/backend/beckon"
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

// Lister lists a folder: the names of its files, relative to it.
type Lister = func(context.Context) ([]string, error)

// Source returns the folder of a task or a project, and how it is listed.
type Source = func(ctx context.Context, id string) (dir string, list Lister, err error)

// Finder finds files. Its methods may be called from any goroutine.
type Finder struct {
	listings listings

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	mu     sync.Mutex // guards closed, and wg against Close
	closed bool
	wg     sync.WaitGroup
}

// New returns a finder; Close ends it.
func New() *Finder {
	ctx, cancel := context.WithCancel(context.Background())
	return &Finder{ctx: ctx, cancel: cancel}
}

// Close ends the listings that are being made and waits for them.
func (f *Finder) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.cancel()
	f.wg.Wait()
}

// Find returns the files of a folder that best match what was typed: of those
// that have its letters in this order, the ones that have them at the
// beginnings of words, and close together. The folder is the one that source
// has for id.
func (f *Finder) Find(ctx context.Context, source Source, id, typed string, limit int) ([]string, error) {
	if limit < 1 || limit > mostFound || len(typed) > mostTyped {
		return nil, beckon.Invalid("1 to %d files can be asked for, with at most %d bytes", mostFound, mostTyped)
	}
	dir, list, err := source(ctx, id)
	if err != nil {
		return nil, err
	}
	files, err := f.listings.of(ctx, dir, f.background, list)
	if err != nil {
		return nil, err
	}
	return files.find(typed, limit), nil
}

// background runs what Close waits for, with a context that Close ends.
func (f *Finder) background(work func(context.Context)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.wg.Go(func() { work(f.ctx) })
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
	again  bool // the next one is being made
}

// of returns what dir holds, as list tells it: at once where it was asked for
// lately, even if it has changed since.
func (s *listings) of(ctx context.Context, dir string, background func(func(context.Context)), list Lister) (*files, error) {
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

// known returns what is known of l, and has it listed again where that is old.
func (s *listings) known(l *listing, background func(func(context.Context)), list Lister) *files {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.files != nil && !l.again && time.Since(l.made) > freshFor {
		l.again = true
		background(func(ctx context.Context) {
			if _, err := s.make(ctx, l, list); err != nil {
				slog.Error("list files", "err", err, "dir", l.dir)
			}
		})
	}
	return l.files
}

func (s *listings) make(ctx context.Context, l *listing, list Lister) (*files, error) {
	ctx, cancel := context.WithTimeout(ctx, listIn)
	defer cancel()
	names, err := list(ctx)
	found := newFiles(names)
	s.mu.Lock()
	defer s.mu.Unlock()
	l.again = false
	if err != nil {
		return nil, err
	}
	l.files, l.made = found, time.Now()
	return found, nil
}
