package question

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"beckon/backend/beckon"
)

// The machine slept, or its clock was set, where the wall clock went on by
// more than jump since the desk last looked, which it does each look.
const (
	look = 2 * time.Second
	jump = 4 * time.Second
)

// clock is a waiting question's, as its row has it.
type clock struct {
	span    int64         // the whole, in milliseconds; 0 for no clock; never changes
	changed chan struct{} // 1-buffered: deadline is another

	mu       sync.Mutex // held while the row's clock changes, or the clock decides
	deadline int64      // 0 while held
	left     int64      // 0 while it runs
	byPause  bool       // held by PauseAll
}

// set takes the clock over from a question that nobody can see yet.
func (c *clock) set(q beckon.Question) {
	c.span, c.deadline, c.left = q.WaitMs, q.Deadline, q.HeldMs
	c.changed = make(chan struct{}, 1)
}

// alarm rings when the deadline has come, and never while there is none.
func (c *clock) alarm(now time.Time) (rings <-chan time.Time, stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deadline == 0 {
		return nil, func() {}
	}
	t := time.NewTimer(time.Duration(max(0, c.deadline-now.UnixMilli())) * time.Millisecond)
	return t.C, func() { t.Stop() }
}

// rearmed tells the waiter that the deadline has changed.
func (c *clock) rearmed() {
	select {
	case c.changed <- struct{}{}:
	default: // it will look anyway
	}
}

// expire has the policy decide a question whose time is over, unless it was
// held or settled meanwhile.
func (d *Desk) expire(ctx context.Context, w *waiter, q beckon.Question) error {
	d.checkSleep()
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	if w.clock.deadline == 0 || d.now().UnixMilli() < w.clock.deadline {
		return nil
	}
	w.clock.deadline = 0 // it rings once; the goroutine that settles it sends
	var err error
	if q.Policy == beckon.Park {
		if err = d.orphan(ctx, q.ID, parked(q)); err == nil {
			q.Reason = parked(q)
			d.owner.Park(q)
		}
	} else {
		err = d.settle(ctx, q.ID, beckon.Expired, nil, expiry(q))
	}
	return unlessConflict(err)
}

// Hold stops the clock of an open question, or lets it go on with what was
// left. One without a clock stays as it is.
func (d *Desk) Hold(ctx context.Context, id string, held bool) error {
	w := d.waiterOf(id)
	if w == nil {
		return d.conflict(ctx, id)
	}
	return d.hold(ctx, id, w, held, false)
}

func (d *Desk) hold(ctx context.Context, id string, w *waiter, held, byPause bool) error {
	w.shown()
	c := &w.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	now := d.now().UnixMilli()
	switch {
	case held && c.deadline > 0:
		return d.setClock(ctx, id, c, 0, max(1, c.deadline-now), byPause)
	case !held && c.left > 0:
		return d.setClock(ctx, id, c, now+c.left, 0, false)
	default:
		return nil
	}
}

// shown returns once the question has a row.
func (w *waiter) shown() {
	w.showing.Lock()
	defer w.showing.Unlock()
}

// setClock commits a clock, publishes it, and wakes the one who waits. The
// caller holds c.mu.
func (d *Desk) setClock(ctx context.Context, id string, c *clock, deadline, left int64, byPause bool) error {
	q, err := d.store.SetClock(context.WithoutCancel(ctx), id, deadline, left)
	if err != nil {
		return fmt.Errorf("set the clock: %w", err)
	}
	c.deadline, c.left, c.byPause = deadline, left, byPause
	d.publishNewest(ctx, q)
	c.rearmed()
	return nil
}

// PauseAll holds every running clock, those of questions that are yet to come
// too, or lets go on the ones that it held. One that cannot be does not stop
// the others.
func (d *Desk) PauseAll(ctx context.Context, held bool) error {
	d.pausing.Lock()
	defer d.pausing.Unlock()
	d.mu.Lock()
	d.paused = held
	waiting := maps.Clone(d.waiting)
	d.mu.Unlock()
	var errs []error
	for id, w := range waiting {
		if held || w.clock.heldByPause() {
			errs = append(errs, unlessConflict(d.hold(ctx, id, w, held, held)))
		}
	}
	return errors.Join(errs...)
}

func (c *clock) heldByPause() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byPause
}

// watched counts the clocks that somebody waits on; while there is one, a
// goroutine looks after them. The caller holds mu.
func (d *Desk) watched(n int) {
	d.running += n
	switch {
	case n > 0 && d.running == 1:
		d.seen, d.wake = d.now().UnixMilli(), make(chan struct{})
		go d.watch(d.wake)
	case d.running == 0:
		close(d.wake)
	}
}

// watch finds out that the machine slept before a clock does.
func (d *Desk) watch(end <-chan struct{}) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			d.checkSleep()
		case <-end:
			return
		}
	}
}

// checkSleep gives the clocks back what went by while the machine slept: they
// go on with what was left when the sleep began. When it returns they have it,
// though another call found the sleep: an alarm of the waking comes at the same
// moment as the look.
func (d *Desk) checkSleep() {
	d.looking.Lock()
	defer d.looking.Unlock()
	d.mu.Lock()
	now := d.now().UnixMilli()
	gone := now - d.seen
	d.seen = now
	waiting := slices.Collect(maps.Keys(d.waiting))
	d.mu.Unlock()
	if time.Duration(gone)*time.Millisecond < jump && gone > -jump.Milliseconds() {
		return
	}
	for _, id := range waiting {
		d.shift(id, gone)
	}
}

// shift moves a running clock's deadline by that many milliseconds.
func (d *Desk) shift(id string, by int64) {
	w := d.waiterOf(id)
	if w == nil {
		return
	}
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	if w.clock.deadline > 0 {
		// A question that was settled meanwhile has no clock to set.
		_ = d.setClock(context.Background(), id, &w.clock, w.clock.deadline+by, 0, false)
	}
}
