package background

import (
	"context"
	"sync"
	"time"
)

// QuietAfter is how long an agent may say nothing within a turn before its run says so: it
// may work on, or try for the third time to reach a model that has no room for it, of which
// some agents say nothing.
const QuietAfter = 2 * time.Minute

// Silence measures how long an agent says nothing. It may be used from any goroutine.
type Silence struct {
	mu    sync.Mutex
	heard time.Time // when something was, last
}

// NewSilence returns one that begins.
func NewSilence() *Silence { return &Silence{heard: time.Now()} }

// Break notes that the agent said something, or was spoken to.
func (s *Silence) Break() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = time.Now()
}

// Watch calls note, as long as ctx lasts, each time that it has lasted so long, and after that
// time again, with when it began.
func (s *Silence) Watch(ctx context.Context, after time.Duration, note func(since time.Time)) {
	for wait := after; ; {
		look := time.NewTimer(wait)
		select {
		case <-look.C:
		case <-ctx.Done():
			look.Stop()
			return
		}
		s.mu.Lock()
		since := s.heard
		s.mu.Unlock()
		if wait = after - time.Since(since); wait <= 0 {
			note(since)
			wait = after
		}
	}
}
