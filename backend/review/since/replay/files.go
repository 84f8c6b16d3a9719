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
	RunStart Against = "start"  // the first moment that was recorded of the run that is looked at
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
	Nth     int     `json:"nth"`  // which of the files it was, as names that are not text may look alike
}

// Lack is why there is less than all that the files were.
type Lack string

// The lacks.
const (
	Several   Lack = "several"   // a task's further repositories are not recorded
	Elsewhere Lack = "elsewhere" // the work is on another computer: here is what was brought last
	NoWork    Lack = "noWork"    // there is no work any more that would be what the files are now
)

// Lacks lists every lack.
var Lacks = []Lack{Several, Elsewhere, NoWork}

// Files are those of a moment.
type Files struct {
	// Moment is the last one at or before what was asked for at which the files were recorded; its
	// At is 0 where there is none, and then there is nothing else.
	Moment Moment `json:"moment"`
	// From is what they are compared to; its At is 0 where that is what they are by now. NotStart says
	// that the run's start was asked for, and is not recorded: From is the first moment that is.
	From     Moment `json:"from"`
	NotStart bool   `json:"notStart"`
	Lacks    []Lack `json:"lacks"`
	// Files are listed without their lines, and pending ones without how many these are.
	Files   []beckon.FileDiff `json:"files"`
	Omitted int               `json:"omitted"` // files beyond those
	// Shown is one of them, the nth, with its lines, as far as a page has room.
	Nth   int              `json:"nth"`
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
	if f.Lacks, err = r.lacks(ctx, taskID); err != nil {
		return f, err
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
		if f.From, f.NotStart, err = r.startOf(ctx, taskID, all[:i], ask.At); err != nil {
			return f, err
		}
		from = f.From.tree
	case Before:
		f.From = other(all[:i])
		from = f.From.tree
	case Today:
		if to, err = r.Since.Now(ctx, taskID); err != nil {
			return f, err
		}
		if to == "" {
			f.Lacks = append(f.Lacks, NoWork)
		}
	}
	if from == to || to == "" {
		return f, nil
	}
	return f, r.compare(ctx, taskID, &f, treePair{from, to}, ask)
}

// lacks returns what a task's moments do not have.
func (r *Replayer) lacks(ctx context.Context, taskID string) ([]Lack, error) {
	lacks := []Lack{}
	several, err := r.Several(ctx, taskID)
	if err != nil {
		return lacks, err
	}
	if several {
		lacks = append(lacks, Several)
	}
	t, err := r.Since.Task(ctx, taskID)
	if err != nil {
		return lacks, err
	}
	p, err := r.Since.Project(ctx, t.ProjectID)
	if err == nil && t.ExecutorOf(p) != "" {
		lacks = append(lacks, Elsewhere)
	}
	return lacks, err
}

// startOf returns the first moment of the run that is looked at, or where none of it is recorded
// by then, the last one before it. notStart says that it is not how the run began.
func (r *Replayer) startOf(ctx context.Context, taskID string, all []Moment, at int64) (m Moment, notStart bool, err error) {
	runs, err := r.Runs(ctx, taskID)
	if err != nil {
		return m, false, err
	}
	last := all[len(all)-1]
	runID := last.RunID
	for _, run := range runs {
		if run.Started > last.At && run.Started <= at {
			runID = run.ID
		}
	}
	first := slices.IndexFunc(all, func(m Moment) bool { return m.RunID == runID })
	if first < 0 {
		return last, true, nil
	}
	m = all[first]
	return m, m.Kind != TurnBegan || m.Turn != 1, nil
}

// other returns the last moment at which the files were others than at the end, or the first one.
func other(all []Moment) (m Moment) {
	last := all[len(all)-1].tree
	for _, m = range slices.Backward(all) {
		if m.tree != last {
			break
		}
	}
	return m
}

// compare fills in what differs between two trees.
func (r *Replayer) compare(ctx context.Context, taskID string, f *Files, pair treePair, ask Ask) error {
	known, ok := r.trees.get(pair)
	if !ok {
		files, omitted, err := r.Since.Compare(ctx, taskID, pair.from, pair.to)
		if err != nil {
			return err
		}
		if more := len(files) - mostListed; more > 0 {
			files, omitted = slices.Clone(files[:mostListed]), omitted+more
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
	at := ask.Nth
	if at < 0 || at >= len(known.files) || !alike(known.files[at].Path, ask.Path) {
		at = slices.IndexFunc(known.files, func(f beckon.FileDiff) bool { return alike(f.Path, ask.Path) })
	}
	if at < 0 {
		at = max(0, slices.IndexFunc(known.files, func(f beckon.FileDiff) bool { return !f.Pending }))
	}
	f.Nth = at
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

// alike reports whether a file has the path that a page named: it lacks what is no text.
func alike(path, named string) bool {
	text := func(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\uFFFD", "") }
	return named != "" && text(path) == text(named)
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
