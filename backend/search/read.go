package search

import (
	"errors"
	"io/fs"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store/textindex"
	"beckon/backend/transcript"
)

// A batch is one commit.
const (
	batchLines = 2048
	batchBytes = 4 << 20
)

// giant is a line from so many bytes on, when its long strings are cut.
const giant = 1 << 20

// After each slice of work, of gathering and of writing, the index rests for as many
// times as long as it took: longer while agents write, who come first.
const (
	slice       = 2 * time.Millisecond
	restQuiet   = 0.1
	restWorking = 8
)

// backLines is how far a run that is gone on with is read again, so that the
// calls of coming results are known.
const backLines = 512

// read puts the words of a run's new lines into the index.
func (x *Index) read(runID string) error {
	known := x.collectors[runID]
	delete(x.collectors, runID) // what is not read to its end is not gone on with
	run, err := x.store.Run(x.ctx, runID)
	if errors.Is(err, beckon.ErrNotFound) || err == nil && run.TaskID == "" {
		return nil
	}
	if err != nil {
		return err
	}
	task, err := x.store.Task(x.ctx, run.TaskID)
	if err != nil {
		return err
	}
	log, err := transcript.OpenRead(x.logs, runID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer log.Close()
	b := batch{index: x, run: run, project: task.ProjectID, collector: known}
	if err := b.readAll(log); err != nil {
		return err
	}
	if run.Ended == 0 {
		x.collectors[runID] = b.collector
	}
	return nil
}

// linesIn returns how many lines of a run's log are in.
func (x *Index) linesIn(runID string, log *transcript.Log) (int64, error) {
	n, err := x.words.Done(x.ctx, runID)
	if err != nil || n <= log.Whole() {
		return n, err
	}
	return 0, x.words.Forget(x.ctx, runID) // it is another log than the one that was read
}

// batch is the part of a run that goes into the index together. While one is
// written the next is gathered.
type batch struct {
	index   *Index
	run     beckon.Run
	project string
	*collector
	bytes   int
	writing chan error // gets what became of the one before; nil: there is none
}

func (b *batch) readAll(log *transcript.Log) error {
	done, err := b.index.linesIn(b.run.ID, log)
	if err != nil {
		return err
	}
	if b.collector == nil || b.next != done {
		b.collector = newCollector(done)
	}
	return errors.Join(b.gather(log, done), b.wait())
}

// gather puts the lines in that are not.
func (b *batch) gather(log *transcript.Log, done int64) error {
	end, pace := log.Whole(), b.index.pace()
	for b.next < end {
		if err := b.gatherSome(log, done, end, pace); err != nil {
			return err
		}
		pace()
	}
	if end == done {
		return nil
	}
	return b.beginCommit(end, log.Size())
}

// gatherSome does so until a line is giant: it is not held while the index rests.
func (b *batch) gatherSome(log *transcript.Log, done, end int64, pace func()) error {
	for line, err := range log.View().ReadShort(new([]byte), b.next, end) {
		if err != nil {
			return err
		}
		b.add(line)
		if b.bytes += len(line.Raw); line.Number < done {
			continue
		}
		if len(b.places)+len(b.marks) >= batchLines || b.bytes >= batchBytes {
			if err := b.beginCommit(line.Number+1, 0); err != nil {
				return err
			}
		}
		if len(line.Raw) > giant {
			return nil
		}
		pace()
	}
	return nil
}

// beginCommit begins to commit the batch, after the one before. size is the log's once all
// is in.
func (b *batch) beginCommit(done, size int64) error {
	if err := errors.Join(b.wait(), b.index.ctx.Err()); err != nil {
		return err
	}
	p := textindex.Progress{TaskID: b.run.TaskID, ProjectID: b.project, Done: done, Size: size}
	places, marks, written := b.places, b.marks, make(chan error, 1)
	b.places, b.marks, b.bytes, b.writing = nil, nil, 0, written
	go func() {
		written <- b.index.words.AddLines(b.index.ctx, b.run.ID, p, places, marks, b.index.pace())
	}()
	return nil
}

// wait returns what became of the batch that is written.
func (b *batch) wait() error {
	if b.writing == nil {
		return nil
	}
	err := <-b.writing
	b.writing = nil
	return err
}

// pace returns what is called between two steps of the work, and rests after each
// slice of it.
func (x *Index) pace() func() {
	began := time.Now()
	return func() {
		if took := time.Since(began); took >= slice {
			x.pause(time.Duration(float64(took) * x.rest()))
			began = time.Now()
		}
	}
}

// rest is how many times as long as it worked the index rests.
func (x *Index) rest() float64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if time.Since(x.written) < time.Second {
		return restWorking
	}
	return restQuiet
}

// collector gathers the words and landmarks of a run's lines.
type collector struct {
	from     int64 // earlier lines are only for what they begin
	next     int64 // the first line that it has not seen
	calls    map[string]textindex.Place
	messages map[string]bool // messages, by entry
	places   []textindex.Place
	marks    []beckon.Landmark
}

// newCollector returns one of the lines from one on, which is to be given some of
// those before it first.
func newCollector(from int64) *collector {
	return &collector{from: from, next: max(from-backLines, 0), calls: map[string]textindex.Place{}, messages: map[string]bool{}}
}

// add collects the words and landmarks of a line.
func (g *collector) add(line transcript.Line) {
	for _, e := range g.mark(line) {
		p := g.place(e)
		if p.Normalised = normalise(transcript.Words(e)); p.Normalised != "" && line.Number >= g.from {
			g.places = append(g.places, p)
		}
	}
}

// mark collects the landmarks of a line and returns its entries, but the echo
// of a message that has its entry.
func (g *collector) mark(line transcript.Line) []beckon.Entry {
	g.next = line.Number + 1
	var entries []beckon.Entry
	for _, e := range transcript.Alone(line) {
		if e.Kind == beckon.UserEntry {
			if g.messages[e.ID] {
				continue
			}
			g.messages[e.ID] = true
		}
		entries = append(entries, e)
		if m, ok := transcript.LandmarkOf(e); ok && line.Number >= g.from {
			g.marks = append(g.marks, m)
		}
	}
	return entries
}

// place is where an entry's words stand: those of a result in its call.
func (g *collector) place(e beckon.Entry) textindex.Place {
	p := textindex.Place{Line: e.Pos, Own: e.Part, Pos: e.Pos, Part: e.Part, Kind: e.Kind, At: e.At}
	switch {
	case e.Tool != nil && e.Tool.Orphan:
		if call, ok := g.calls[e.ID]; ok {
			p.Pos, p.Part, p.Kind = call.Pos, call.Part, call.Kind
			delete(g.calls, e.ID)
		}
	case e.Tool != nil:
		g.calls[e.ID] = p
	}
	return p
}
