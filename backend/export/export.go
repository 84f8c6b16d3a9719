// Package export writes a run's transcript to a file that stands alone: HTML to
// be read, which runs nothing and fetches nothing, or JSON to be worked on.
//
// What looks like a secret is masked in both; see package mask. A file that is there is
// never written to, and a long transcript is never held as a whole. The package
// knows nothing of live agents: of a run that goes on it writes what there is.
package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/mask"
	"beckon/backend/store"
	"beckon/backend/transcript"
	"beckon/backend/transcript/runlog"
)

// Exporter exports runs of a store.
type Exporter struct {
	Store *store.Store
	Logs  string // the transcripts' folder
	// Folders are where files go: the first that is there.
	Folders []string
	// Changed returns what a task changed, or where runID is not empty that run of it.
	Changed func(ctx context.Context, taskID, runID string) (Changed, error)
	// Traced returns who wrote the lines that a task's work added.
	Traced func(ctx context.Context, taskID string) (reviewing.Trace, error)
	// Version is Beckon's.
	Version string
}

// spanEntries is how many entries are held at once.
const spanEntries = 200

// Run writes a run to a new file and returns its path.
func (x *Exporter) Run(ctx context.Context, runID string, format beckon.ExportFormat) (path string, err error) {
	if !slices.Contains(beckon.ExportFormats, format) {
		return "", fmt.Errorf("runs are not exported as %q: %w", format, beckon.ErrInvalid)
	}
	run, err := x.Store.Run(ctx, runID)
	if err != nil {
		return "", err
	}
	task, err := x.Store.Task(ctx, run.TaskID)
	if err != nil {
		return "", err
	}
	questions, err := x.askedBy(ctx, run)
	if err != nil {
		return "", err
	}
	log, err := transcript.OpenRead(x.Logs, runID)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the agent of this run said nothing, so there is nothing to export: %w", beckon.ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	defer log.Close()
	f, err := x.create(fmt.Sprintf("%s-run-%d", task.Key, run.Number), "."+string(format))
	if err != nil {
		return "", err
	}
	buffered := bufio.NewWriter(f)
	err = write(ctx, newWriter(format, buffered, log, task, run), log, runID, questions)
	return f.Name(), written(f, errors.Join(err, buffered.Flush()))
}

// written closes a file, and removes it where it was not written whole.
func written(f *os.File, err error) error {
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// create makes a new file, private to the user, numbered where the name is
// taken. O_EXCL follows no link.
func (x *Exporter) create(name, ext string) (*os.File, error) {
	dir, err := x.folder()
	if err != nil {
		return nil, err
	}
	name = filepath.Base(name) // a key is a word, but a path is no place to rely on that
	for n, suffix := 1, ""; ; n, suffix = n+1, "-"+strconv.Itoa(n+1) {
		f, err := os.OpenFile(filepath.Join(dir, name+suffix+ext), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) || n == 1000 {
			return f, err
		}
	}
}

func (x *Exporter) folder() (string, error) {
	for _, dir := range x.Folders {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir, nil
		}
	}
	return "", fmt.Errorf("there is no folder for the file; make %s and try again: %w", x.Folders[0], beckon.ErrUnavailable)
}

// writer writes entries in a format.
type writer interface {
	begin() error
	// room is how many bytes of an entry's text are written at most; 0 for all.
	room() int
	entry(exported) error
	end() error
}

func newWriter(format beckon.ExportFormat, w io.Writer, log *transcript.Log, t beckon.Task, r beckon.Run) writer {
	if format == beckon.ExportJSON {
		return &jsonWriter{w: w, task: t, run: r}
	}
	return &htmlWriter{w: w, log: log, task: t, run: r}
}

// write writes all entries, masked. A result whose call had it already, since
// it came soon after, is not written again.
func write(ctx context.Context, w writer, log *transcript.Log, runID string, questions map[string]*asked) error {
	if err := w.begin(); err != nil {
		return err
	}
	answered, stated := map[string]bool{}, map[string]bool{}
	for at := int64(0); at >= 0; {
		span, err := transcript.Around(log, at, 0, spanEntries)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, e := range span.Entries {
			if e.Tool != nil && answered[e.ID] {
				delete(answered, e.ID)
				continue
			}
			if e.Tool != nil && e.Tool.Done && !e.Tool.Orphan {
				answered[e.ID] = true
			}
			e.RunID = runID
			one := exported{Entry: e}
			if e.Tool != nil && !stated[e.ID] { // a late result is an entry of its own
				one.Asked, stated[e.ID] = questions[e.ID], questions[e.ID] != nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.entry(one.within(w.room())); err != nil {
				return err
			}
		}
		at = span.After
	}
	return w.end()
}

// within is an entry without its secrets, whose text has most bytes, where that is not 0. What is
// cut off is never looked through.
func (e exported) within(most int) exported {
	if cut := len(e.Text) - most - edgeMost; most > 0 && cut > 0 {
		e.Text = mask.Torn(runlog.Within(e.Text, most+edgeMost))
		kept := runlog.Within(e.Text, most)
		e.left = cut + len(e.Text) - len(kept)
		e.Text = kept
	}
	if e.Tool != nil {
		// The transcript cut these, and does not know by how much.
		e.more = cutInput(e.Tool.Input) || strings.HasSuffix(strings.TrimRight(e.Tool.Diff, "\n"), "…")
	}
	e.Entry = masked(e.Entry)
	return e
}

// cutInput reports whether a tool's input, which is JSON, is not whole.
func cutInput(input string) bool { return input != "" && !strings.HasSuffix(input, "}") }

// masked is an entry without its secrets. The transcript may have cut a target, an input, a result
// or a diff within one.
func masked(e beckon.Entry) beckon.Entry {
	e.Text = mask.Text(e.Text)
	if e.Tool != nil {
		t := *e.Tool
		t.Name, t.Target, t.Diff = mask.Text(t.Name), mask.Text(t.Target), mask.Text(t.Diff)
		t.Input, t.Result = ended(t.Input, cutInput(t.Input)), ended(t.Result, t.Cut > 0)
		e.Tool = &t
	}
	if e.Turn != nil {
		t := *e.Turn
		t.Reason = mask.Text(t.Reason)
		e.Turn = &t
	}
	return e
}

// ended is a text without its secrets, whose end may have been cut off.
func ended(text string, cut bool) string {
	if cut {
		return mask.Torn(text)
	}
	return mask.Text(text)
}
