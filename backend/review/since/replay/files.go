package replay

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// This file shows what the files were at a moment.

// Against says what the files of a moment are compared to.
type Against string

// What they are compared to.
const (
	RunStart Against = "start"  // the first moment of the run that was recorded
	Before   Against = "before" // the moment before, of which the files were others
	Today    Against = "now"    // what they are by now
)

// Againsts lists them.
var Againsts = []Against{RunStart, Before, Today}

// Ask is what a person wants to see.
type Ask struct {
	At      int64   `json:"at"` // Unix milliseconds
	Against Against `json:"against"`
	Path    string  `json:"path"` // of the file whose lines to show; empty for the first one
}

// Files are those of a moment.
type Files struct {
	// Moment is the last one at or before what was asked for at which the files were recorded; its
	// At is 0 where there is none, and then there is nothing else.
	Moment Moment `json:"moment"`
	// From is when what they are compared to was; 0: by now.
	From int64 `json:"from"`
	// Files are listed without their lines, and pending ones without how many these are.
	Files   []beckon.FileDiff `json:"files"`
	Omitted int               `json:"omitted"` // files beyond those
	// Shown is one of them with its lines, as far as a page has room.
	Shown *beckon.FileDiff `json:"shown,omitempty"`
}

const (
	// patchMost is the most that the lines of a file have, in bytes.
	patchMost = 256 << 10
	// mostListed is how many files are listed.
	mostListed = 100
)

// Files returns what a task's files were at a moment, as what differs from another one.
func (r *Replayer) Files(ctx context.Context, taskID string, ask Ask) (f Files, err error) {
	f.Files = []beckon.FileDiff{}
	if !slices.Contains(Againsts, ask.Against) {
		return f, beckon.Invalid("files are not compared to %.40q", string(ask.Against))
	}
	if ask.Path != "" && (!fs.ValidPath(ask.Path) || strings.Contains(ask.Path, "\x00")) {
		return f, beckon.Invalid("%.40q is no path of a file", ask.Path)
	}
	all, err := r.moments(ctx, taskID)
	if err != nil {
		return f, err
	}
	i, _ := slices.BinarySearchFunc(all, ask.At+1, func(m Moment, at int64) int { return cmp.Compare(m.At, at) })
	if i == 0 {
		return f, nil
	}
	f.Moment = all[i-1]
	from, to := f.Moment.tree, f.Moment.tree
	switch ask.Against {
	case RunStart:
		first := all[slices.IndexFunc(all, func(m Moment) bool { return m.RunID == f.Moment.RunID })]
		from, f.From = first.tree, first.At
	case Before:
		from, f.From = other(all[:i])
	case Today:
		if to, err = r.Since.Now(ctx, taskID); err != nil {
			return f, err
		}
	}
	if from == to || to == "" {
		return f, nil
	}
	return f, r.compare(ctx, taskID, &f, treePair{from, to}, ask.Path)
}

// other returns the last moment at which the files were others than at the end, or the first one.
func other(all []Moment) (tree string, at int64) {
	last := all[len(all)-1].tree
	for _, m := range slices.Backward(all) {
		if tree, at = m.tree, m.At; tree != last {
			break
		}
	}
	return tree, at
}

// compare fills in what differs between two trees.
func (r *Replayer) compare(ctx context.Context, taskID string, f *Files, pair treePair, path string) error {
	known, ok := r.trees.get(pair)
	if !ok {
		files, omitted, err := r.Since.Compare(ctx, taskID, pair.from, pair.to)
		if err != nil {
			return err
		}
		if more := len(files) - mostListed; more > 0 {
			files, omitted = files[:mostListed], omitted+more
		}
		known = differing{files, omitted}
		r.trees.put(pair, known)
	}
	f.Omitted = known.omitted
	for _, one := range known.files {
		one.Patch = ""
		f.Files = append(f.Files, one)
	}
	if len(known.files) == 0 {
		return nil
	}
	at := slices.IndexFunc(known.files, func(f beckon.FileDiff) bool { return f.Path == path })
	if at < 0 {
		at = max(0, slices.IndexFunc(known.files, func(f beckon.FileDiff) bool { return !f.Pending }))
	}
	shown := known.files[at]
	if shown.Pending {
		paths := []string{shown.Path}
		if shown.OldPath != "" {
			paths = append(paths, shown.OldPath)
		}
		var err error
		if shown, err = r.Since.ComparedFile(ctx, taskID, pair.from, pair.to, paths...); err != nil {
			return err
		}
	}
	if len(shown.Patch) > patchMost {
		shown.Patch, shown.Cut = plain.Cut(shown.Patch, patchMost), true
	}
	f.Shown = &shown
	return nil
}

// treePair names two trees: what differs between them never changes.
type treePair struct{ from, to string }

type differing struct {
	files   []beckon.FileDiff
	omitted int
}

// compared keeps what differs between the pairs that were looked at last.
type compared struct {
	mu    sync.Mutex
	known map[treePair]differing
	order []treePair // the oldest first
}

// mostPairs is how many pairs it keeps; each has a screen of lines.
const mostPairs = 200

func (c *compared) get(pair treePair) (differing, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.known[pair]
	return d, ok
}

func (c *compared) put(pair treePair, d differing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.known[pair]; there {
		return
	}
	if c.known == nil {
		c.known = map[treePair]differing{}
	}
	c.known[pair] = d
	c.order = append(c.order, pair)
	for len(c.order) > mostPairs {
		delete(c.known, c.order[0])
		c.order = c.order[1:]
	}
}
