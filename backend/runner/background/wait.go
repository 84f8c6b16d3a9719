package background

import (
	"time"

	"beckon/backend/beckon/reason"
)

// wait is what is known of a run that lives on for what its agent left.
type wait struct {
	heardAt time.Time      // when claude was heard last
	watched bool           // somebody ends the wait if claude is silent for too long
	gaveUp  *reason.Reason // why the wait was ended
	dropped string         // what still ran when the run was to end
}

// Hear notes that claude is not silent.
func (b *Jobs) Hear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wait.heardAt = b.now()
}

// Silence is how long claude has not been heard.
func (b *Jobs) Silence() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now().Sub(b.wait.heardAt)
}

// Watch reports whether nobody watches over the wait yet; the caller does from
// then on.
func (b *Jobs) Watch() (first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first, b.wait.watched = !b.wait.watched, true
	return first
}

// GiveUp ends the wait, after so long a silence, and returns the ids of what is
// left, and the names of what runs.
func (b *Jobs) GiveUp(after time.Duration) (ids []string, names string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	names = b.names(true)
	b.wait.gaveUp = reason.Of(reason.BackgroundSilent, "time", after.String(), "what", names)
	for _, j := range b.jobs {
		ids = append(ids, j.id)
	}
	return ids, names
}

// Drop notes what the end of the run will end: all that runs, or what is known
// to outlive its call.
func (b *Jobs) Drop(all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wait.dropped = b.names(all)
}

// Lost returns what ended with the run: what was dropped, or what runs as Drop
// has it, and why the wait was given up, if it was.
func (b *Jobs) Lost(all bool) (names string, gaveUp *reason.Reason) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if names = b.wait.dropped; names == "" {
		names = b.names(all)
	}
	return names, b.wait.gaveUp
}
