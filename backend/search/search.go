// Package search finds words in the transcripts of all runs, and the places in
// them worth jumping to.
//
// One goroutine gathers words for the index, from the logs alone: it hears that a
// run has written, waits a moment, and reads on from where it stopped, with
// rests, so that the agents and the page have the processor soon. What it has not
// reached yet is reported, not hidden. The texts themselves are not kept twice: a
// snippet is folded from the log when it is shown. The package knows nothing of
// live agents and changes nothing but the index.
package search

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/backend/store/textindex"
)

// settle is how long is gathered what runs wrote before the logs are read.
const settle = 400 * time.Millisecond

// afterFailure is how long the index rests when it could not be written.
const afterFailure = 30 * time.Second

// Index keeps the words in step with the logs, between Start and Close.
type Index struct {
	store *store.Store
	words *textindex.Index
	logs  string // the transcripts' folder
	ctx   context.Context
	stop  context.CancelFunc
	done  sync.WaitGroup
	woken chan struct{} // 1-buffered: there is something to do
	rests time.Duration // after what could not be written

	// Of the goroutine alone: what it knows of the runs that live.
	collectors map[string]*collector

	mu      sync.Mutex
	waiting []string        // runs to read, the first one first
	waits   map[string]bool // the same
	reading int             // of them, taken from the queue and not yet in
	failed  []string        // runs of which lines could not be written
	gone    []string        // tasks, projects and runs to forget
	written time.Time       // when a run wrote last
}

// New returns an index that hears of what happens by OnEvent and OnWritten. logs
// is the folder of the transcripts.
func New(s *store.Store, w *textindex.Index, logs string) *Index {
	ctx, stop := context.WithCancel(context.Background())
	return &Index{
		store: s, words: w, logs: logs, ctx: ctx, stop: stop,
		woken: make(chan struct{}, 1), rests: afterFailure, collectors: map[string]*collector{}, waits: map[string]bool{},
	}
}

// Start begins to index, with what was written while no index was there.
func (x *Index) Start() { x.done.Go(x.work) }

// Close ends the indexing, in the middle of a run if need be.
func (x *Index) Close() error {
	x.stop()
	x.done.Wait()
	return x.words.Close()
}

// OnEvent takes an event for a sign that a run wrote, or is gone. It never waits
// for the index.
func (x *Index) OnEvent(e beckon.Event) {
	switch {
	case e.Run != nil:
		x.await(e.Run.ID)
	case e.Gone != "":
		x.mu.Lock()
		x.gone = append(x.gone, e.Gone)
		x.mu.Unlock()
		x.wake()
	}
}

// OnWritten takes notice that a live run wrote. It never waits for the index.
func (x *Index) OnWritten(runID string) {
	x.mu.Lock()
	x.written = time.Now()
	x.mu.Unlock()
	x.await(runID)
}

// await puts a run in the queue.
func (x *Index) await(runID string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.waits[runID] {
		x.waits[runID] = true
		x.waiting = append(x.waiting, runID)
		x.wake()
	}
}

func (x *Index) wake() {
	select {
	case x.woken <- struct{}{}:
	default: // it is about to look anyway
	}
}

// pending is how many runs are not wholly in.
func (x *Index) pending() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.waiting) + x.reading
}

// work is the goroutine. It sleeps without a timer while nothing happens.
func (x *Index) work() {
	x.report("see what the search index lacks", x.catchUp())
	for {
		select {
		case <-x.ctx.Done():
			return
		case <-x.woken:
		}
		if !x.pause(settle) {
			return
		}
		x.forget()
		x.readWaiting()
	}
}

// catchUp queues the runs whose logs have grown since they were read, oldest
// first, and forgets those that are no more.
func (x *Index) catchUp() error {
	runs, err := x.store.TaskRuns(x.ctx)
	if err != nil {
		return err
	}
	known, err := x.words.Progress(x.ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		info, err := os.Stat(filepath.Join(x.logs, run.ID+".ndjson"))
		if err == nil && info.Size() != known[run.ID].Size {
			x.await(run.ID)
		}
		delete(known, run.ID)
	}
	for id := range known {
		if err := x.words.Forget(x.ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) forget() {
	x.mu.Lock()
	gone := x.gone
	x.gone = nil
	x.mu.Unlock()
	for _, id := range gone {
		x.report("forget what was deleted", x.words.Forget(x.ctx, id), "id", id)
	}
}

// readWaiting reads what waits, each run to the end that its log has by then, and puts
// what they have together into the index.
func (x *Index) readWaiting() {
	l := load{index: x}
	for n := x.pending(); n > 0 && x.ctx.Err() == nil; n-- {
		runID := x.takeRun()
		ends, err := l.read(runID)
		x.report("index a transcript", err, "run", runID)
		if !ends { // it has nothing new, or failed
			x.finished(1)
		}
	}
	x.report("write the search index", l.finish())
	x.mu.Lock()
	x.reading = 0
	failed := x.failed
	x.failed = nil
	x.mu.Unlock()
	for _, runID := range failed {
		x.await(runID)
	}
	if len(failed) > 0 && !x.pause(x.rests) {
		return
	}
	if x.pending() > 0 {
		x.wake()
	}
}

// fail notes that lines did not come into the index. Their runs are read again after a
// while: a disk that is full may have room by then.
func (x *Index) fail(lines []textindex.Lines) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range lines {
		x.failed = append(x.failed, l.RunID)
	}
}

// takeRun takes the first run from the queue. What it writes from here on puts it
// there again.
func (x *Index) takeRun() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	runID := x.waiting[0]
	delete(x.waits, runID)
	x.waiting = x.waiting[1:]
	x.reading++
	return runID
}

// finished notes that runs which were taken from the queue are in.
func (x *Index) finished(runs int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.reading -= runs
}

// pause waits, and reports whether the index is still wanted.
func (x *Index) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-x.ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (x *Index) report(what string, err error, ids ...any) {
	if err != nil && x.ctx.Err() == nil {
		slog.Error(what, append([]any{"err", err}, ids...)...)
	}
}
