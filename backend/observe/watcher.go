package observe

import (
	"cmp"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"beckon/backend/agent/claude/sessionfile"

	"github.com/fsnotify/fsnotify"
)

// Watcher follows the sessions of this machine. Its methods may be called from any
// goroutine.
type Watcher struct {
	o     Options
	files *fsnotify.Watcher
	quit  chan struct{}
	done  chan struct{}
	calls chan func()
	asked chan struct{} // 1-buffered: everything is to be looked at, now or soon

	// The rest down to mu belongs to the goroutine of run.
	folders  *Folders
	lines    reader
	roots    FileRoots
	sessions map[string]*session
	retries  map[string]retry // presence files that were half written
	later    map[string]time.Time
	dirty    map[string]bool // what events named
	scan     bool            // everything is to be looked at
	rescan   bool            // and soon
	rescans  time.Time       // when Rescan last had everything looked at
	beat     time.Time       // of the last look at processes
	polled   time.Time
	looks    int     // at anything outside, for tests
	unsaid   []Event // for publish to say

	mu    sync.Mutex
	known []Session
	state State
}

// retry is when a presence file is read again.
type retry struct {
	at    time.Time
	tries int
}

// State says how far the watcher can see.
type State struct {
	// Roots are the folders that are watched, or will be once they exist.
	Roots []string
	// Polled are folders that cannot be watched, and why; what lives in them is
	// looked at every 2 s.
	Polled map[string]string
}

// Open begins to watch. What lives already is in the first events.
func Open(o Options) (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{
		o: o, files: events, quit: make(chan struct{}), done: make(chan struct{}), calls: make(chan func()),
		asked: make(chan struct{}, 1), lines: newReader(), roots: FileRoots{}, sessions: map[string]*session{},
		retries: map[string]retry{}, later: map[string]time.Time{}, dirty: map[string]bool{},
	}
	w.o.Log = cmp.Or(o.Log, slog.Default())
	if w.o.times == (times{}) {
		w.o.times = usual()
	}
	if w.o.add == nil {
		w.o.add = events.Add
	}
	if w.o.named == nil {
		w.o.named = ProcessRoots
	}
	if w.o.silent == nil {
		w.o.silent = silentOpen
	}
	w.folders = NewFolders(w.o.add, w.files.Remove, w.o.silent)
	go w.run()
	return w, nil
}

// Close ends the watch and waits for that. No event comes afterwards.
func (w *Watcher) Close() error {
	close(w.quit)
	<-w.done
	return w.files.Close()
}

// Find returns a session by its ID or by its newest SessionID, until a day after
// its end.
func (w *Watcher) Find(id string) (Session, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	oldest := time.Now().Add(-w.o.times.kept).UnixMilli()
	for _, s := range slices.Backward(w.known) {
		if (s.ID == id || s.SessionID == id) && (s.Ended == 0 || s.Ended > oldest) {
			return s, true
		}
	}
	return Session{}, false
}

// Check reads the files of a session now, and reports whether an ask is open as
// strictly as keys need it: its process lives and says that it waits, and the call
// has no result. result is what came of it, nil where nothing did yet.
func (w *Watcher) Check(id, askID string) (open bool, result *sessionfile.Result) {
	w.do(func() {
		s := w.sessions[id]
		if s == nil {
			return
		}
		now := time.Now()
		if r := w.rootOf(s); r != nil && s.Ended == 0 {
			w.readPresence(r, strconv.Itoa(s.PID)+".json", now)
			w.follow(s)
		}
		alive := s.Ended == 0 && LivingProcess(s.Claim())
		open = s.Status == Waiting && slices.ContainsFunc(s.pending(alive), func(a Ask) bool { return a.ID == askID })
		if r, ok := s.result(askID); ok {
			result = &r
		}
		w.settleAll(now)
		w.publish()
	})
	return open, result
}

// Settle waits until all was looked at that is to be.
func (w *Watcher) Settle() { w.do(func() { w.lookAtDue(time.Now()) }) }

// State returns how far the watcher can see.
func (w *Watcher) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// SetRoots replaces the roots of Options, as when the settings change, and looks
// at everything again.
func (w *Watcher) SetRoots(roots []string) {
	w.do(func() {
		w.roots.Close()
		w.o.Roots, w.scan = roots, true
	})
}

// Rescan has everything looked at again, also for roots in the environments of
// processes that no watched folder tells of. It does not wait for that, and it may be
// called often: that reads a lot, so that it is done at most every 2 s.
func (w *Watcher) Rescan() {
	select {
	case w.asked <- struct{}{}:
	default: // asked for already
	}
}

// Disown drops the sessions that are Beckon's own by now, as after it took one over.
func (w *Watcher) Disown() {
	w.do(func() {
		w.disown()
		w.publish()
	})
}

// do runs f in the watcher's goroutine, and waits until it ran.
func (w *Watcher) do(f func()) {
	ran := make(chan struct{})
	select {
	case w.calls <- func() { f(); close(ran) }:
		<-ran
	case <-w.done:
	}
}

func (w *Watcher) run() {
	defer close(w.done)
	defer w.roots.Close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var joined time.Time // when the events that came are taken together
	w.scan = true
	for {
		select {
		case <-w.quit:
			return
		case f := <-w.calls:
			f()
		case <-w.asked:
			w.rescan = true
		case e := <-w.files.Events:
			if w.touched(e); !joined.IsZero() || len(w.dirty) == 0 && !w.scan {
				continue // the timer is set
			}
			joined = time.Now().Add(w.o.times.join)
		case err := <-w.files.Errors:
			w.scan = w.scan || errors.Is(err, fsnotify.ErrEventOverflow)
		case <-timer.C:
		}
		now := time.Now()
		if due := w.due(now, joined); !due.IsZero() && !due.After(now) {
			joined = time.Time{}
			w.lookAtDue(now)
		}
		timer.Stop()
		if due := w.due(time.Now(), joined); !due.IsZero() {
			timer.Reset(time.Until(due))
		}
	}
}

// touched notes an event.
func (w *Watcher) touched(e fsnotify.Event) {
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	if gone && w.folders.Lost(e.Name) {
		w.scan = true
		return
	}
	switch ext := filepath.Ext(e.Name); {
	case ext == ".json" || ext == ".jsonl":
		w.dirty[e.Name] = true
	case e.Has(fsnotify.Create) && w.mayMatter(e.Name):
		w.scan = true
	}
}

// mayMatter reports whether something that was made can be, or lead to, a folder
// that is wanted.
func (w *Watcher) mayMatter(name string) bool {
	for _, dir := range w.wanted() {
		if rel, err := filepath.Rel(name, dir); err == nil && (rel == "." || filepath.IsLocal(rel)) {
			return true
		}
	}
	return slices.ContainsFunc(w.living(), func(s *session) bool {
		return s.File == "" && filepath.Dir(name) == filepath.Join(s.Root, "projects")
	})
}

// due returns when something is to be looked at, zero: not before an event.
func (w *Watcher) due(now, joined time.Time) time.Time {
	if w.scan {
		return cmp.Or(joined, now)
	}
	var due time.Time
	sooner := func(t time.Time) { due = earlier(due, t) }
	sooner(joined)
	if w.rescan {
		sooner(w.rescans.Add(w.o.times.rescan))
	}
	if w.polls() {
		sooner(w.polled.Add(w.o.times.poll))
	}
	for _, r := range w.retries {
		sooner(r.at)
	}
	for _, t := range w.later {
		sooner(t)
	}
	for _, s := range w.sessions {
		switch {
		case s.Ended == 0:
			sooner(w.beat.Add(w.o.times.beat))
		case s.shown:
			sooner(time.UnixMilli(s.Ended).Add(w.o.times.listed))
		}
	}
	return due
}

// emit notes what happened, for publish to say.
func (w *Watcher) emit(events ...Event) { w.unsaid = append(w.unsaid, events...) }
