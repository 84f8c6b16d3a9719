package search

import (
	"errors"
	"io/fs"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store/textindex"
	"beckon/backend/transcript"
)

// A batch is one commit. After it the index rests for some times as long as it
// took: longer while agents work, who come first.
const (
	batchLines  = 2048
	batchBytes  = 2 << 20
	restIdle    = 1
	restWorking = 4
)

// backLines is how far a run that is gone on with is read again, so that the
// calls of coming results are known.
const backLines = 512

// read puts the words of a run's new lines into the index and reports whether
// there were any.
func (x *Index) read(runID string) (grew bool, err error) {
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
	done, err := x.words.Done(x.ctx, runID)
	if err != nil {
		return false, err
	}
	if done > log.Whole() { // it is another log than the one that was read
		if err := x.words.Forget(x.ctx, runID); err != nil {
			return false, err
		}
		done = 0
	}
	b := batch{index: x, run: run, project: task.ProjectID, collector: newCollector(done)}
	return done < log.Whole(), b.readAll(log, done)
}

// batch is the part of a run that goes into the index together.
type batch struct {
	index   *Index
	run     beckon.Run
	project string
	*collector
	began time.Time
	bytes int
}

func (b *batch) readAll(log *transcript.Log, done int64) error {
	b.began = time.Now()
	end := log.Whole()
	for line, err := range log.Read(max(done-backLines, 0), end) {
		if err != nil {
			return err
		}
		b.add(line)
		if b.bytes += len(line.Raw); line.Number < done {
			continue
		}
		if len(b.places)+len(b.marks) >= batchLines || b.bytes >= batchBytes {
			if err := b.put(line.Number+1, 0); err != nil {
				return err
			}
		}
	}
	if end == done {
		return nil
	}
	return b.put(end, log.Size())
}

// put commits the batch, and rests. size is the log's once all is in.
func (b *batch) put(done, size int64) error {
	p := textindex.Progress{TaskID: b.run.TaskID, ProjectID: b.project, Done: done, Size: size}
	if err := b.index.words.Put(b.index.ctx, b.run.ID, p, b.places, b.marks); err != nil {
		return err
	}
	b.places, b.marks, b.bytes = b.places[:0], b.marks[:0], 0
	b.index.pause(time.Since(b.began) * b.index.rest())
	b.began = time.Now()
	return b.index.ctx.Err()
}

func (x *Index) rest() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.live) > 0 {
		return restWorking
	}
	return restIdle
}

// collector gathers the words and landmarks of a run's lines.
type collector struct {
	from     int64 // earlier lines are only for what they begin
	calls    map[string]textindex.Place
	messages map[string]bool // messages, by entry
	places   []textindex.Place
	marks    []beckon.Landmark
}

func newCollector(from int64) *collector {
	return &collector{from: from, calls: map[string]textindex.Place{}, messages: map[string]bool{}}
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
