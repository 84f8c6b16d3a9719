package observe

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"beckon/backend/agent/claude/sessionfile"
)

// have takes in what a process says of itself.
func (w *Watcher) have(r *OpenRoot, p sessionfile.Presence, now time.Time) {
	id := p.Process()
	s := w.sessions[id]
	if s == nil {
		if s = w.meet(id, r, p); s == nil {
			return
		}
		w.sessions[id] = s
	}
	if s.Ended > 0 {
		return
	}
	if w.ours(p.SessionID) {
		w.forget(s)
		return
	}
	other := s.SessionID != p.SessionID
	for _, left := range s.says(p) {
		ask := left.Ask
		w.emit(Event{Kind: Settled, Session: s.Session, Ask: &ask, How: Interrupted})
	}
	if other {
		w.follow(s)
		w.scan = true // for its folders
	}
}

func (w *Watcher) ours(session string) bool { return w.o.Ours != nil && w.o.Ours(session) }

// meet returns a new session, nil where there is none: its process is not the one
// that wrote the file, or Beckon started it.
func (w *Watcher) meet(id string, r *OpenRoot, p sessionfile.Presence) *session {
	var said Session
	if said.Present(p); w.ours(p.SessionID) || !LivingProcess(said.Claim()) {
		return nil
	}
	env := EnvironmentOf(p.PID)
	if env.Ours() {
		return nil
	}
	socket, pane := env.Tmux()
	return &session{Session: Session{ID: id, Root: r.Real, Asks: []Ask{}, Terminal: Terminal{socket, pane}}, agents: map[string]*file{}}
}

// forget drops a session that is Beckon's own after all.
func (w *Watcher) forget(s *session) {
	delete(w.sessions, s.ID)
	delete(w.later, s.ID)
	if s.shown {
		w.emit(Event{Kind: Left, Session: s.Session})
	}
}

// end notes that a process is gone.
func (w *Watcher) end(s *session, now time.Time) {
	if r := w.rootOf(s); r != nil && r.Below != nil { // its last words
		w.follow(s)
	}
	events, _ := s.update(false, now, w.o.times.hold)
	s.Ended, s.Status = now.UnixMilli(), Unknown
	for i := range events {
		events[i].Session = s.Session
	}
	delete(w.later, s.ID)
	w.emit(events...)
	if s.shown {
		w.emit(Event{Kind: Ended, Session: s.Session})
	}
}

// tend looks after the processes: a kill leaves the presence file, and tells
// nobody.
func (w *Watcher) tend(now time.Time) {
	w.beat = now
	w.disown()
	for _, s := range w.living() {
		if !LivingProcess(s.Claim()) {
			w.end(s, now)
		}
	}
}

// disown drops the sessions of which Beckon has learned since that they are its own.
func (w *Watcher) disown() {
	for _, s := range w.sessions {
		if w.ours(s.SessionID) {
			w.forget(s)
		}
	}
}

// polls reports whether there is something to look at that gives no events: what
// sessions write, or where a session would appear.
func (w *Watcher) polls() bool {
	living := len(w.living()) > 0
	for dir := range w.folders.Polled() {
		if living || filepath.Base(dir) == "sessions" {
			return true
		}
	}
	return false
}

// settleAll says what has changed of each session, and drops what ended long ago.
func (w *Watcher) settleAll(now time.Time) {
	for id, s := range w.sessions {
		ended := now.Sub(time.UnixMilli(s.Ended))
		switch {
		case s.Ended == 0:
			w.update(s, now)
		case s.shown && ended >= w.o.times.listed:
			s.shown = false
			w.emit(Event{Kind: Left, Session: s.Session})
		case ended >= w.o.times.kept:
			delete(w.sessions, id)
		}
	}
}

// update says what has changed of a living session.
func (w *Watcher) update(s *session, now time.Time) {
	events, again := s.update(true, now, w.o.times.hold)
	delete(w.later, s.ID)
	if !again.IsZero() {
		w.later[s.ID] = again
	}
	if !s.shown {
		s.shown = true
		w.emit(Event{Kind: Appeared, Session: s.Session})
	} else if s.changed() {
		w.emit(Event{Kind: Changed, Session: s.Session})
	}
	s.told = s.Session
	w.emit(events...)
}

// changed reports whether anything but the asks is not as it was told.
func (s *session) changed() bool {
	a, b := s.told, s.Session
	a.Asks, b.Asks = nil, nil
	return a.ID != b.ID || a.SessionID != b.SessionID || a.File != b.File || a.CWD != b.CWD || a.Name != b.Name ||
		a.Version != b.Version || a.Status != b.Status || a.Last != b.Last || a.Several != b.Several || !slices.Equal(a.Agents, b.Agents)
}

// publish makes what is known readable for others, and then says what happened:
// who hears an event and asks for the list finds in it what the event says.
func (w *Watcher) publish() {
	known := []Session{}
	for _, s := range w.sessions {
		copied := s.Session
		copied.Asks = slices.Clone(s.Asks)
		known = append(known, copied)
	}
	slices.SortFunc(known, func(a, b Session) int {
		return cmp.Or(cmp.Compare(a.Started, b.Started), strings.Compare(a.ID, b.ID))
	})
	var roots []string
	for _, r := range w.roots.Sorted() {
		roots = append(roots, r.Real)
	}
	state := State{Roots: roots, Polled: w.folders.Polled()}
	w.mu.Lock()
	w.known, w.state = known, state
	w.mu.Unlock()
	events := w.unsaid
	w.unsaid = nil
	for _, e := range events {
		if w.o.Notify != nil {
			w.o.Notify(e)
		}
	}
}
