package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
)

// roomAgain is how often a full disk is tried again.
const roomAgain = time.Second

// disk is what is known of the room on the data folder's disk.
type disk struct {
	found chan struct{} // 1-buffered; a file other than the database found none

	mu   sync.Mutex
	full bool
	room chan struct{} // closed when a full disk has room again
}

func newDisk() *disk {
	return &disk{found: make(chan struct{}, 1), room: make(chan struct{})}
}

// set notes whether there is room, and reports whether that is news.
func (d *disk) set(full bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if full == d.full {
		return false
	}
	d.full = full
	if full {
		d.room = make(chan struct{})
	} else {
		close(d.room)
	}
	return true
}

// state returns whether the disk is full, and what is closed when that is over.
func (d *disk) state() (full bool, room <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.full, d.room
}

// watchDisk tells the clients when the disk is full and when it has room
// again, and then lets the queue go on, until Beckon closes.
func (r *Runner) watchDisk() {
	for {
		select {
		case <-r.Store.Full():
		case <-r.disk.found:
		case <-r.quit:
			return
		}
		if r.Store.Room() == nil {
			continue // it was for a moment, or another disk
		}
		r.setDisk(true)
		if !r.awaitRoom() {
			return
		}
		r.setDisk(false)
		r.wake()
	}
}

// awaitRoom waits until the disk takes a file, and reports whether it does:
// not where Beckon closes before.
func (r *Runner) awaitRoom() bool {
	again := time.NewTicker(roomAgain)
	defer again.Stop()
	for {
		select {
		case <-again.C:
			if r.Store.Room() == nil {
				return true
			}
		case <-r.quit:
			return false
		}
	}
}

func (r *Runner) setDisk(full bool) {
	if r.disk.set(full) {
		r.Publish(r.diskEvent())
	}
}

func (r *Runner) diskEvent() beckon.Event {
	full, _ := r.disk.state()
	return beckon.Event{Disk: &beckon.Disk{Full: full, Dir: r.DataDir}}
}

// noteFull has the disk looked at where err says that it is full, and returns
// err in words for the user.
func (r *Runner) noteFull(err error) error {
	if !store.IsFull(err) {
		return err
	}
	select {
	case r.disk.found <- struct{}{}:
	default: // it is about to be looked at
	}
	if errors.Is(err, beckon.ErrDiskFull) {
		return err // it has its words
	}
	return fmt.Errorf("%w: %w", beckon.ErrDiskFull, err)
}

// Each try of a step of a run's end may take stepIn. A failed one is repeated
// after a pause that grows from firstPause to lastPause.
const (
	stepIn     = 10 * time.Second
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// insist does what records the end of a run until it is done, for without it
// the page would show an agent that is gone. What can never be done is not
// tried again, and while Beckon closes all is tried once: what remains the next
// start settles.
func (r *Runner) insist(what, runID string, step func(context.Context) error, failed func()) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := r.once(step)
		if err == nil {
			return
		}
		if pause == firstPause {
			logged(what, err, "run", runID)
			failed()
		}
		if code := beckon.Code(err); code != "internal" && code != "disk_full" {
			return
		}
		if !r.pauseFor(pause) {
			logged(what+" at last", r.once(step), "run", runID)
			return
		}
	}
}

// unlessFull returns an error that room on the disk ends, and logs another: a
// transcript that cannot be read does not hold up the end of its run.
func unlessFull(what string, err error, runID string) error {
	if store.IsFull(err) {
		return err
	}
	logged(what, err, "run", runID)
	return nil
}

// once does a step within its own deadline, whatever became of the run.
func (r *Runner) once(step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), stepIn)
	defer cancel()
	return r.noteFull(step(ctx))
}

// pauseFor waits before the next try, on a full disk until there is room. It
// reports whether another try makes sense: not where Beckon closes.
func (r *Runner) pauseFor(pause time.Duration) bool {
	full, room := r.disk.state()
	var again <-chan time.Time
	if !full {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		again, room = timer.C, nil
	}
	select {
	case <-again:
		return true
	case <-room:
		return true
	case <-r.quit:
		return false
	}
}
