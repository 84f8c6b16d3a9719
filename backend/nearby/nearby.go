// Package nearby finds what a person may want to make a project of: the
// repositories in their home folder, and the folders that go on with a path
// that is half typed.
//
// Nothing here is trusted, so it only reads, and only what cannot run, hang or
// grow: folders that are no links, a bounded number of them, small plain files,
// each step under a deadline. It starts no git; what the files of a repository
// do not say plainly is left out.
package nearby

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"beckon/backend/plain"
)

// The bounds of a search.
const (
	deepest     = 4                       // folders below the home folder
	mostFolders = 6_000                   // opened in one search
	mostEntries = 4_000                   // read of one folder
	mostFound   = 200                     // repositories
	searchIn    = 1500 * time.Millisecond // the whole search: somebody waits for it
	stepIn      = 300 * time.Millisecond  // one folder, or the files of one repository
	mostHung    = 3                       // steps that did not end in time
)

// Repository is one that was found. What its files do not say is empty.
type Repository struct {
	Dir    string `json:"dir"`
	Name   string `json:"name"`
	Branch string `json:"branch"`
	// Subject is that of its last commit, as git's own log of the branch has it.
	Subject string `json:"subject"`
	// At is when it was committed to, or else when another commit was last checked out.
	At int64 `json:"at"`
}

// Found is what a search brought.
type Found struct {
	Repositories []Repository `json:"repositories"` // the one that was worked in last comes first
	// Cut reports whether the search ended at one of its bounds.
	Cut bool `json:"cut"`
}

// skipped are folders in which people keep no repositories of their own, and
// many folders.
var skipped = []string{"node_modules", "vendor", "target", "Library", "AppData", "Applications", "snap", "pkg", "__pycache__", "venv"}

// Search finds the repositories below a home folder. It follows no links.
func Search(ctx context.Context, home string) (Found, error) {
	ctx, cancel := context.WithTimeout(ctx, searchIn)
	defer cancel()
	s := &search{home: home}
	var err error
	if s.root, err = within(ctx, stepIn, func() (*os.Root, error) { return os.OpenRoot(home) }); err != nil {
		return Found{Repositories: []Repository{}}, err
	}
	defer func() { _ = s.root.Close() }() // nothing was written
	s.walk(ctx)
	slices.SortStableFunc(s.found, func(a, b Repository) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.Dir, b.Dir))
	})
	return Found{Repositories: append([]Repository{}, s.found...), Cut: s.cut}, nil
}

// search is one search on its way.
type search struct {
	home   string
	root   *os.Root
	found  []Repository
	opened int
	hung   int
	cut    bool
}

// walk looks at the folders level by level, so that a bound cuts the deep ones
// and not those that come late in the alphabet.
func (s *search) walk(ctx context.Context) {
	level := []string{"."}
	for depth := 0; depth <= deepest && len(level) > 0; depth++ {
		var below []string
		for _, dir := range level {
			if s.full(ctx) {
				s.cut = true
				return
			}
			below = append(below, s.lookAtFolder(ctx, dir, depth == deepest)...)
		}
		level = below
	}
}

// full reports whether a bound was reached.
func (s *search) full(ctx context.Context) bool {
	return ctx.Err() != nil || s.opened >= mostFolders || len(s.found) >= mostFound || s.hung >= mostHung
}

// lookAtFolder takes a repository up, or returns the folders of one that is none.
func (s *search) lookAtFolder(ctx context.Context, dir string, last bool) []string {
	s.opened++
	listed, err := within(ctx, stepIn, func() (listing, error) { return list(s.root, dir) })
	s.note(err)
	s.cut = s.cut || listed.more
	switch {
	case err != nil: // unreadable, or gone
		return nil
	case listed.git == repository && dir != ".": // a home folder that is one is its owner's settings
		s.readRepository(ctx, dir)
		return nil
	case last:
		return nil
	}
	return listed.folders
}

// readRepository reads of a repository what its plain files say.
func (s *search) readRepository(ctx context.Context, dir string) {
	r, err := within(ctx, stepIn, func() (Repository, error) { return read(s.root, dir) })
	s.note(err)
	if err != nil { // its .git is no repository's, or cannot be read: no agent could work there
		return
	}
	r.Dir, r.Name = filepath.Join(s.home, filepath.FromSlash(dir)), plain.Line(path.Base(dir), longestText)
	s.found = append(s.found, r)
}

func (s *search) note(err error) {
	if errors.Is(err, errHung) {
		s.hung++
		s.cut = true
	}
}

// What a folder is to git.
type kind int

const (
	plainFolder kind = iota
	repository       // its .git is a folder
	linked           // its .git is something else, as in worktrees and submodules
)

// listing is what was read of a folder.
type listing struct {
	git     kind
	folders []string // those worth a look, as paths from the root; none of a repository
	more    bool     // it has more than was read
}

// list looks at a folder below root: what it is to git, and the folders of one
// that is nothing to it. Links are not among them.
func list(root *os.Root, dir string) (l listing, err error) {
	if info, err := root.Lstat(path.Join(dir, ".git")); err == nil {
		l.git = linked
		if info.IsDir() {
			l.git = repository
		}
		if dir != "." {
			return l, nil
		}
	}
	f, err := openFolder(root, dir)
	if err != nil {
		return l, err
	}
	defer f.Close()
	entries, err := f.ReadDir(mostEntries)
	l.more = len(entries) == mostEntries
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && name[0] != '.' && !slices.Contains(skipped, name) {
			l.folders = append(l.folders, path.Join(dir, name))
		}
	}
	slices.Sort(l.folders)
	if len(entries) > 0 || errors.Is(err, io.EOF) {
		err = nil // what was read counts
	}
	return l, err
}

// openFolder opens a folder, and nothing that has taken its place.
func openFolder(root *os.Root, dir string) (*os.File, error) {
	info, err := root.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fs.ErrInvalid
	}
	return root.OpenFile(dir, os.O_RDONLY|nonBlocking, 0)
}
