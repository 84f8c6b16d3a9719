package search

import (
	"errors"
	"io/fs"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store/textindex"
	"beckon/backend/transcript"
)

// A load is one commit.
const (
	loadMost  = 2048 // entries and landmarks
	loadBytes = 4 << 20
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

// load is what goes into the index in one commit: new lines of one run or of many. While
// one is written the next is gathered.
type load struct {
	index   *Index
	lines   []textindex.Lines
	size    int        // entries and landmarks in them
	bytes   int        // of the log's lines that they were gathered from
	whole   int        // runs that end in it
	writing chan error // gets what became of the one before; nil: there is none
}

// read puts the words of a run's new lines into the load, and reports whether the run ends
// in it. A run may be read once before the load is finished: how far it is in is known by
// what is written.
func (l *load) read(runID string) (ends bool, err error) {
	x := l.index
	known := x.collectors[runID]
	delete(x.collectors, runID) // what is not read to its end is not gone on with
	run, err := x.store.Run(x.ctx, runID)
	if errors.Is(err, beckon.ErrNotFound) || err == nil && run.TaskID == "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	task, err := x.store.Task(x.ctx, run.TaskID)
	if err != nil {
		return false, err
	}
	log, err := transcript.OpenRead(x.logs, runID)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer log.Close()
	r := reader{load: l, run: run, project: task.ProjectID, collector: known}
	if ends, err = r.readAll(log); err != nil {
		return false, err
	}
	if run.Ended == 0 {
		x.collectors[runID] = r.collector
	}
	return ends, nil
}

// finish writes what was gathered and waits until it is in.
func (l *load) finish() error { return errors.Join(l.commit(), l.wait()) }

// commit begins to write what was gathered, after the load before. Where that failed,
// this one is let go: it may go on where that one did. What is let go, and what could
// not be written, is read again from what is in.
func (l *load) commit() error {
	if err := errors.Join(l.wait(), l.index.ctx.Err()); err != nil || len(l.lines) == 0 {
		l.index.fail(l.lines)
		l.clear()
		return err
	}
	lines, whole, written := l.lines, l.whole, make(chan error, 1)
	l.clear()
	l.writing = written
	go func() {
		err := l.index.words.Add(l.index.ctx, lines, l.index.pace())
		if err != nil {
			l.index.fail(lines)
		}
		l.index.finished(whole)
		written <- err
	}()
	return nil
}

func (l *load) clear() { l.lines, l.size, l.bytes, l.whole = nil, 0, 0, 0 }

// wait returns what became of the load that is written.
func (l *load) wait() error {
	if l.writing == nil {
		return nil
	}
	err := <-l.writing
	l.writing = nil
	return err
}

// linesIn returns how many lines of a run's log are in.
func (x *Index) linesIn(runID string, log *transcript.Log) (int64, error) {
	n, err := x.words.Done(x.ctx, runID)
	if err != nil || n <= log.Whole() {
		return n, err
	}
	return 0, x.words.Forget(x.ctx, runID) // it is another log than the one that was read
}

// reader reads the new lines of one run into a load.
type reader struct {
	*load
	run     beckon.Run
	project string
	*collector
}

func (r *reader) readAll(log *transcript.Log) (ends bool, err error) {
	done, err := r.index.linesIn(r.run.ID, log)
	if err != nil {
		return false, err
	}
	if r.collector == nil || r.next != done {
		r.collector = newCollector(done)
	}
	return r.gather(log, done)
}

// gather puts the lines into the load that are not in the index.
func (r *reader) gather(log *transcript.Log, done int64) (ends bool, err error) {
	end, pace := log.Whole(), r.index.pace()
	for r.next < end {
		if err := r.gatherSome(log, done, end, pace); err != nil {
			return false, err
		}
		pace()
	}
	if end == done {
		return false, nil
	}
	r.put(end, log.Size())
	r.whole++
	return true, nil
}

// gatherSome does so until a line is giant: it is not held while the index rests.
func (r *reader) gatherSome(log *transcript.Log, done, end int64, pace func()) error {
	for line, err := range log.View().ReadShort(new([]byte), r.next, end) {
		if err != nil {
			return err
		}
		r.add(line)
		if r.bytes += len(line.Raw); line.Number < done {
			continue
		}
		if r.size+len(r.places)+len(r.marks) >= loadMost || r.bytes >= loadBytes {
			r.put(line.Number+1, 0)
			if err := r.commit(); err != nil {
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

// put adds what was gathered up to the line done to the load. size is the log's once all
// is in.
func (r *reader) put(done, size int64) {
	r.lines = append(r.lines, textindex.Lines{
		RunID: r.run.ID, Places: r.places, Marks: r.marks,
		Progress: textindex.Progress{TaskID: r.run.TaskID, ProjectID: r.project, Done: done, Size: size},
	})
	r.size += len(r.places) + len(r.marks)
	r.places, r.marks = nil, nil
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
