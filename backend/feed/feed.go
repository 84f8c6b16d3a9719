// Package feed carries events to the clients that show Beckon, a frame at a
// time: the window, and each page of `serve`.
//
// It keeps the newest value for each key and each client until the client's
// next frame; since events carry values and not differences, nothing is lost
// by that. A frame is sent at once after silence, and always for a question.
// A client that says when it has taken a frame, as a page does that has drawn it,
// gets the next one then, so it sets the pace itself. A client that cannot keep up
// loses its queue, gets notice of it, and attaches again; it never delays the
// publisher or another client. The feed knows nothing of what it carries but
// what presses, and which tasks a client watches.
package feed

import (
	"fmt"
	"sync"
	"sync/atomic"

	"beckon/backend/beckon"
)

// maxWatched bounds how many transcripts one client can show.
const maxWatched = 64

// Feed hands frames of events to its clients. The zero value is not usable.
type Feed struct {
	// watched is the union of what the clients watch, replaced and never
	// changed, so that Watched takes no lock.
	watched atomic.Pointer[map[string]bool]

	mu      sync.Mutex
	seq     int64
	clients map[string]*client
}

// New returns a feed without clients.
func New() *Feed {
	f := &Feed{clients: map[string]*client{}}
	f.watched.Store(&map[string]bool{})
	return f
}

// Publish puts e into the next frame of each client that it concerns: Entry,
// Live and Reload go to those that watch the task, all else to everyone. It
// never blocks. What e points to must not change afterwards.
func (f *Feed) Publish(e beckon.Event) {
	task, scoped := scope(e)
	if scoped && !f.Watched(task) {
		return
	}
	key, size, urgency := e.Key(), sizeOf(e), urgencyOf(e)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.clients {
		if !scoped || c.watches[task] {
			c.queue.putEvent(key, e, size)
			c.schedule(urgency)
		}
	}
}

// Attach sends what is published from now on to sink, one frame at a time,
// until detach is called; detach waits for a sink that is at work, so it must
// not be called from sink. A client that attaches while it is attached replaces
// its older self and keeps what it watches.
func (f *Feed) Attach(id string, sink func(beckon.Frame)) (detach func()) {
	c := newClient(f, sink)
	f.mu.Lock()
	if old := f.clients[id]; old != nil {
		c.watches = old.watches
		old.end()
	}
	f.clients[id] = c
	f.mu.Unlock()
	go c.run()
	return func() {
		f.mu.Lock()
		c.end()
		if f.clients[id] == c {
			delete(f.clients, id)
			f.joinWatches()
		}
		f.mu.Unlock()
		<-c.ended
	}
}

// Watch replaces the tasks whose transcripts the client shows. It holds for
// what is published from now on, so a page is fetched after it and not before.
// It is ErrNotFound for a client that is not attached.
func (f *Feed) Watch(id string, taskIDs []string) error {
	if len(taskIDs) > maxWatched {
		return fmt.Errorf("%d tasks watched at once, at most %d: %w", len(taskIDs), maxWatched, beckon.ErrInvalid)
	}
	set := make(map[string]bool, len(taskIDs))
	for _, task := range taskIDs {
		set[task] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.clients[id]
	if c == nil {
		return fmt.Errorf("client %q is not attached: %w", id, beckon.ErrNotFound)
	}
	c.watches = set
	f.joinWatches()
	return nil
}

// Taken notes that a client has taken the frame of a number, and all before it. From the first
// time on the next frame waits until the one before is taken, a second at the most; only a
// question does not wait. A client that never says so gets frames as fast as it reads them.
func (f *Feed) Taken(id string, seq int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.clients[id]; c != nil {
		c.taken(seq)
	}
}

// Watched reports whether any client shows the task's transcript. It is cheap
// enough to ask for each line.
func (f *Feed) Watched(taskID string) bool { return (*f.watched.Load())[taskID] }

// Seq returns the number of the latest frame of any client.
func (f *Feed) Seq() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seq
}

// Snapshot makes the frame that is the whole state, from what build reads.
//
// The frame is numbered before build begins, so for each key the rule of
// Frame.Seq holds: a value in a frame with a higher number replaces the
// snapshot's, even if that frame arrives first; one with a lower number is
// older. What is committed and published while build reads is in a frame with
// a higher number, whether or not build saw it. A value that was published
// just before may be sent again after the snapshot, which is harmless.
func (f *Feed) Snapshot(build func() ([]beckon.Event, error)) (beckon.Frame, error) {
	f.mu.Lock()
	f.seq++
	seq := f.seq
	f.mu.Unlock()
	events, err := build()
	if err != nil {
		return beckon.Frame{Events: []beckon.Event{}}, err
	}
	if events == nil {
		events = []beckon.Event{}
	}
	return beckon.Frame{Seq: seq, Whole: true, Events: events}, nil
}

// joinWatches computes the union again; mu is held.
func (f *Feed) joinWatches() {
	all := map[string]bool{}
	for _, c := range f.clients {
		for task := range c.watches {
			all[task] = true
		}
	}
	f.watched.Store(&all)
}
