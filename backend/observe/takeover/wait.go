package takeover

import (
	"context"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/observe"
)

const (
	// closedIn is how long a process may take to go whose session has ended.
	closedIn = 30 * time.Second
	lookIn   = 100 * time.Millisecond
)

// wait is for a session that is to be continued once it is closed where it runs.
type wait struct {
	begun   bool            // it has ended
	failure *beckon.Failure // why it could not be continued
}

// Await has a session continued once it is closed where it runs, or no longer.
func (t *Taker) Await(ctx context.Context, id string, wanted bool) error {
	s, err := t.find(ctx, id)
	if err != nil {
		return err
	}
	t.mu.Lock()
	was := t.waits[s.ID]
	switch {
	case was != nil && was.begun && was.failure == nil: // too late for both
	case wanted:
		t.waits[s.ID] = &wait{}
	default:
		delete(t.waits, s.ID)
	}
	t.mu.Unlock()
	t.Changed(s.ID)
	if now, known := t.now(s.ID); known && now.Ended > 0 {
		t.begin(s.ID) // before it was waited for
	}
	return nil
}

// OnEvent takes what the watcher found out. It waits for nothing.
func (t *Taker) OnEvent(e observe.Event) {
	if e.Kind == observe.Ended {
		t.begin(e.Session.ID)
	}
	if e.Kind == observe.Left {
		t.mu.Lock()
		delete(t.waits, e.Session.ID)
		t.mu.Unlock()
	}
}

// begin continues a session that was waited for.
func (t *Taker) begin(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.waits[id]
	if w == nil || w.begun || t.ctx.Err() != nil {
		return
	}
	w.begun = true
	t.working.Go(func() {
		_, err := t.continued(id)
		if err == nil || t.ctx.Err() != nil {
			return
		}
		failure := beckon.FailureOf(err)
		t.mu.Lock()
		w.failure = &failure
		t.mu.Unlock()
		t.Changed(id)
	})
}

// continued continues a session that has ended, once its process is gone: that
// may still write.
func (t *Taker) continued(id string) (beckon.Task, error) {
	ctx, cancel := context.WithTimeout(t.ctx, closedIn)
	defer cancel()
	for s, known := t.now(id); known && t.Past.Living(s); {
		select {
		case <-ctx.Done():
			return beckon.Task{}, errOpen
		case <-time.After(lookIn):
		}
	}
	return t.Continue(t.ctx, id, false)
}

func (t *Taker) now(id string) (s observe.Session, known bool) {
	if w := t.Watcher(); w != nil {
		return w.Find(id)
	}
	return s, false
}

// Mark notes on a session, as clients see it, what it is waited for.
func (t *Taker) Mark(s *beckon.OutsideSession) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w := t.waits[s.ID]; w != nil {
		s.Awaited, s.Trouble = w.failure == nil, w.failure
	}
}

// Forget waits for nothing any more, as when the user wants to see no sessions.
func (t *Taker) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.waits)
}

// Close waits for what is being taken over.
func (t *Taker) Close() {
	t.mu.Lock()
	t.cancel()
	t.mu.Unlock()
	t.working.Wait()
}
