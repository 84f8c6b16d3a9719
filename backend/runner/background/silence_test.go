package background

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/beckon"
)

// watched is a silence that is watched, and what was noted of it.
type watched struct {
	*Silence
	t *testing.T

	mu    sync.Mutex
	limit time.Duration
	works bool
	noted int
	waits beckon.Activity
}

func (w *watched) set(limit time.Duration, works bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit, w.works = limit, works
}

func (w *watched) watch(ctx context.Context) {
	w.Watch(ctx, func() time.Duration {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.limit
	}, func() (beckon.Activity, bool) {
		w.mu.Lock()
		defer w.mu.Unlock()
		return beckon.Activity{Verb: beckon.Executing, Target: "make"}, w.works
	}, func(_ time.Time, waits beckon.Activity) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.noted++
		w.waits = waits
	})
}

func (w *watched) after(d time.Duration, want int, verb beckon.Verb) {
	w.t.Helper()
	time.Sleep(d)
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.noted != want || w.waits.Verb != verb {
		w.t.Errorf("after %s more it was noted %d times, at %q; want %d, at %q", d, w.noted, w.waits.Verb, want, verb)
	}
}

// TestASilenceIsNotedOnceItIsLong: later while a command runs, once, and again after the agent
// was heard.
func TestASilenceIsNotedOnceItIsLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := &watched{Silence: NewSilence(), t: t}
		w.set(10*time.Minute, false)
		go w.watch(ctx)
		w.after(10*time.Minute-time.Second, 0, "")
		w.after(time.Second, 1, beckon.Waiting) // for its model
		w.after(3*time.Hour, 1, beckon.Waiting)

		w.Break()
		w.set(10*time.Minute, true)
		w.after(59*time.Minute, 1, beckon.Waiting)
		w.after(time.Minute, 2, beckon.Executing)

		w.set(0, false)
		w.Break()
		w.after(24*time.Hour, 2, beckon.Executing)
		w.set(5*time.Minute, false)
		w.after(time.Minute, 3, beckon.Waiting)
		cancel()
	})
}
