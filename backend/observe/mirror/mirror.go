// Package mirror keeps what sessions elsewhere say as transcripts of Beckon's
// own, so that they are read, followed and searched like any other. A session is
// mirrored from the moment in which somebody looks at it, and read on only while
// somebody does; its transcript goes with it. The session's own file is never
// written, and stays the truth.
package mirror

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/observe"
	"beckon/backend/runner/view"
	"beckon/backend/transcript"
)

const (
	// look is how much of a session's past is mirrored, in bytes. What is older is
	// in the session's own file.
	look = 8 << 20
	// readEvery is how often a session that somebody looks at is read on.
	readEvery = 250 * time.Millisecond
)

// Config is what Mirrors works with.
type Config struct {
	Dir     string // of the transcripts
	Clients view.Clients
}

// Mirrors are the transcripts of the sessions that run elsewhere.
type Mirrors struct {
	Config

	mu      sync.Mutex
	open    map[string]*mirror // by observe.Session.ID
	reading bool               // a goroutine reads on
	closed  bool
	working sync.WaitGroup
}

// New returns Mirrors that mirror nothing.
func New(c Config) *Mirrors { return &Mirrors{Config: c, open: map[string]*mirror{}} }

// Follow mirrors a session under a run, from now on, and returns once what is in
// its file by now can be read. A session that is mirrored already is only
// updated.
func (m *Mirrors) Follow(s observe.Session, runID string) error {
	m.mu.Lock()
	one := m.open[s.ID]
	if one == nil && !m.closed {
		one = &mirror{runID: runID, view: view.New(s.ID, runID, m.Clients), pages: observe.Pages{Look: look}}
		one.now.Store(&s)
		m.open[s.ID] = one
	}
	m.mu.Unlock()
	if one == nil {
		return nil
	}
	one.now.Store(&s)
	err := one.read(m.Dir)
	m.ReadOn()
	return err
}

// Update takes a session as it now is, where it is mirrored.
func (m *Mirrors) Update(s observe.Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if one := m.open[s.ID]; one != nil {
		one.now.Store(&s)
	}
}

// Log returns the transcript of the session that is mirrored under a run.
func (m *Mirrors) Log(runID string) (log *transcript.Log, mirrored bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range m.open {
		if one.runID == runID {
			return one.view.Log(), true
		}
	}
	return nil, false
}

// Forget removes the transcript of a session that is no longer listed, soon.
func (m *Mirrors) Forget(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	one := m.open[id]
	if one == nil || m.closed {
		return
	}
	delete(m.open, id)
	m.working.Go(func() { one.remove(m.Dir) })
}

// Close removes all transcripts: the next Beckon makes them again.
func (m *Mirrors) Close() {
	m.mu.Lock()
	m.closed = true
	open := m.open
	m.open = map[string]*mirror{}
	m.mu.Unlock()
	m.working.Wait()
	for _, one := range open {
		one.remove(m.Dir)
	}
}

// ReadOn reads what somebody looks at, until nobody does.
func (m *Mirrors) ReadOn() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reading || m.closed {
		return
	}
	m.reading = true
	m.working.Go(func() {
		tick := time.NewTicker(readEvery)
		defer tick.Stop()
		for range tick.C {
			watched, done := m.watched()
			if done {
				return
			}
			for _, one := range watched {
				logged(one.read(m.Dir), one.runID)
			}
		}
	})
}

// watched returns what somebody looks at. Where that is nothing, the goroutine
// that asks is done.
func (m *Mirrors) watched() (all []*mirror, done bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, one := range m.open {
		if m.Clients.Watched(id) {
			all = append(all, one)
		}
	}
	m.reading = len(all) > 0
	return all, !m.reading
}

// mirror is the transcript of one session.
type mirror struct {
	runID string
	view  *view.View

	now atomic.Pointer[observe.Session]

	mu      sync.Mutex // one reader at a time
	pages   observe.Pages
	opened  bool // the log is
	removed bool
}

// read adds what the session's file has by now.
func (m *mirror) read(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now.Load()
	if m.removed || now.File == "" {
		return nil
	}
	if !m.opened {
		if err := m.view.Open(dir); err != nil {
			return err
		}
		m.opened = true
	}
	fresh, err := m.pages.Next(*now)
	return errors.Join(err, m.view.Append(sessionfile.StdoutLines(fresh)...))
}

// remove ends the mirroring and removes the transcript.
func (m *mirror) remove(dir string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.removed = true
	if !m.opened {
		return
	}
	logged(m.view.Close(), m.runID)
	logged(transcript.Remove(dir, m.runID), m.runID)
}

func logged(err error, runID string) {
	if err != nil {
		slog.Error("mirror a session that runs elsewhere", "err", err, "run", runID)
	}
}

// RunOf returns the run of a session, as clients see it.
func RunOf(s observe.Session, runID string) beckon.Run {
	return beckon.Run{ID: runID, TaskID: s.ID, Number: 1, Kind: beckon.ExternalRun, Session: s.SessionID, Started: s.Started, Ended: s.Ended, Phase: phaseOf(s)}
}

func phaseOf(s observe.Session) beckon.Phase {
	switch {
	case s.Ended > 0:
		return beckon.Ended
	case s.Status == observe.Idle:
		return beckon.Idle
	case len(s.Asks) > 0:
		return beckon.Asking
	default:
		return beckon.Working
	}
}
