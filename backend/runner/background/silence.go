package background

import (
	"context"
	"sync"
	"time"

	"beckon/backend/beckon"
)

// patience is how many times as long as an agent its tool call, or what it left in the
// background, may be silent: a build says nothing for longer than a model does.
const patience = 6

// lookAgain is how long a look at the limit holds, which the user may change.
const lookAgain = time.Minute

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

func (s *Silence) since() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard
}

// Watch calls note, as long as ctx lasts, once for each silence that is longer than the
// limit, with when it began and what the agent waits for. While open returns work that the
// agent waits for, the silence may be longer. A limit of 0 is none.
func (s *Silence) Watch(ctx context.Context, limit func() time.Duration, open func() (beckon.Activity, bool),
	note func(since time.Time, waits beckon.Activity),
) {
	for noted := (time.Time{}); ; {
		after, since := limit(), s.since()
		silent := time.Since(since)
		if after > 0 && silent >= after && !since.Equal(noted) {
			waits, works := open()
			if !works {
				waits = beckon.Activity{Verb: beckon.Waiting, Since: since.UnixMilli()}
			}
			if !works || silent >= patience*after {
				note(since, waits)
				noted = since
			}
		}
		if !pause(ctx, untilLook(after, silent)) {
			return
		}
	}
}

// untilLook returns how long nothing can change that Watch would note.
func untilLook(after, silent time.Duration) time.Duration {
	switch {
	case after <= 0:
		return lookAgain
	case silent < after:
		return min(after-silent, lookAgain)
	default:
		return min(after, lookAgain)
	}
}

// pause waits, and reports whether ctx lasted so long.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
