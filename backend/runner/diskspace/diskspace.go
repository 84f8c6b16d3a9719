// Package diskspace knows whether the disk of the data folder is full, says so
// to the clients, and repeats what must be written until there is room.
//
// What records the end of a run must not be lost to a full disk: Insist does a
// step until it is done, or can never be done, or Beckon closes.
package diskspace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
)

// roomAgain is how often a full disk is tried again.
const roomAgain = time.Second

// Disk is what is known of the room on the data folder's disk. Its methods may
// be called from any goroutine.
type Disk struct {
	Config
	found chan struct{} // 1-buffered; a file other than the database found none

	mu   sync.Mutex
	full bool
	room chan struct{} // closed when a full disk has room again
}

// Config is what a Disk works with.
type Config struct {
	Store   *store.Store
	Publish func(beckon.Event)
	Dir     string // the data folder
	// Wake is called when there is room again.
	Wake func()
	// Quit is closed when Beckon begins to close.
	Quit <-chan struct{}
}

// New returns a Disk that is taken to have room until Watch finds otherwise.
func New(c Config) *Disk {
	return &Disk{Config: c, found: make(chan struct{}, 1), room: make(chan struct{})}
}

// set notes whether there is room, and reports whether that is news.
func (d *Disk) set(full bool) bool {
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
func (d *Disk) state() (full bool, room <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.full, d.room
}

// Watch tells the clients when the disk is full and when it has room again,
// until Beckon closes.
func (d *Disk) Watch() {
	for {
		select {
		case <-d.Store.Full():
		case <-d.found:
		case <-d.Quit:
			return
		}
		if d.Store.Room() == nil {
			continue // it was for a moment, or another disk
		}
		d.publish(true)
		if !d.awaitRoom() {
			return
		}
		d.publish(false)
		d.Wake()
	}
}

// awaitRoom waits until the disk takes a file, and reports whether it does:
// not where Beckon closes before.
func (d *Disk) awaitRoom() bool {
	again := time.NewTicker(roomAgain)
	defer again.Stop()
	for {
		select {
		case <-again.C:
			if d.Store.Room() == nil {
				return true
			}
		case <-d.Quit:
			return false
		}
	}
}

func (d *Disk) publish(full bool) {
	if d.set(full) {
		d.Publish(d.Event())
	}
}

// Event reports whether the disk is full.
func (d *Disk) Event() beckon.Event {
	full, _ := d.state()
	return beckon.Event{Disk: &beckon.Disk{Full: full, Dir: d.Dir}}
}

// Note has the disk looked at where err says that it is full, and returns err
// in words for the user.
func (d *Disk) Note(err error) error {
	if !store.IsFull(err) {
		return err
	}
	select {
	case d.found <- struct{}{}:
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

// Insist does what records the end of a run until it is done, for without it
// the page would show an agent that is gone. What can never be done is not
// tried again, and while Beckon closes all is tried once: what remains the next
// start settles.
func (d *Disk) Insist(what, runID string, step func(context.Context) error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := d.Once(step)
		if err == nil {
			return
		}
		if pause == firstPause {
			slog.Error(what, "err", err, "run", runID)
		}
		if code := beckon.Code(err); code != "internal" && code != "disk_full" {
			return
		}
		if !d.Pause(pause) {
			if err := d.Once(step); err != nil {
				slog.Error(what+" at last", "err", err, "run", runID)
			}
			return
		}
	}
}

// Once does a step within its own deadline, whatever became of the run.
func (d *Disk) Once(step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), stepIn)
	defer cancel()
	return d.Note(step(ctx))
}

// Pause waits before the next try, on a full disk until there is room. It
// reports whether another try makes sense: not where Beckon closes.
func (d *Disk) Pause(pause time.Duration) bool {
	full, room := d.state()
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
	case <-d.Quit:
		return false
	}
}
