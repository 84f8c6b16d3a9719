// Package awake keeps this computer from idle sleep while an agent works on it, where the
// user wants that. On battery it does so until the charge that the user set is reached.
//
// It follows the program's events like any other client. A question that waits keeps nothing
// awake, nor does an agent on another machine: what works there works on. What the user does,
// such as closing the lid, is never hindered. It decides nothing about runs.
package awake

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
)

// lookAgain is how often the battery is looked at while the computer is to be kept awake.
const lookAgain = 30 * time.Second

// Config says what is followed.
type Config struct {
	// Attach sends frames to sink until detach; State is the whole state.
	Attach func(sink func(beckon.Frame)) (detach func())
	State  func() (beckon.Frame, error)
	// Why is shown by systems that list what keeps them awake.
	Why string
}

// Keeper keeps the computer awake.
type Keeper struct {
	c      Config
	system system
	detach func()
	frames chan beckon.Frame
	quit   chan struct{}
	wg     sync.WaitGroup
	is     atomic.Value // beckon.AwakeState

	// The rest is the goroutine's.
	wants     beckon.Awake
	executors map[string]executing.Kind
	working   map[string]beckon.Run // by id
	release   func()                // lets it sleep; nil while nothing is held
	failed    bool                  // it could not be kept, which is logged once
}

// system is what the operating system does.
type system struct {
	available func() bool
	inhibit   func(why string) (release func(), err error)
	power     func() power
}

// power is what the computer runs on.
type power struct {
	battery bool
	percent int // that is left of it
}

// Start begins to follow.
func Start(c Config) (*Keeper, error) { return start(c, system{available, inhibit, readPower}) }

func start(c Config, s system) (*Keeper, error) {
	k := &Keeper{
		c: c, system: s, frames: make(chan beckon.Frame), quit: make(chan struct{}),
		executors: map[string]executing.Kind{}, working: map[string]beckon.Run{},
	}
	k.is.Store(beckon.AwakeIdle)
	k.detach = c.Attach(func(f beckon.Frame) {
		select {
		case k.frames <- f:
		case <-k.quit:
		}
	})
	whole, err := c.State()
	if err != nil {
		close(k.quit)
		k.detach()
		return nil, err
	}
	k.apply(whole.Events)
	k.wg.Go(k.run)
	return k, nil
}

// Close lets the computer sleep.
func (k *Keeper) Close() {
	close(k.quit)
	k.detach()
	k.wg.Wait()
}

// State reports what is done about sleep at this moment. It may be called from any goroutine.
func (k *Keeper) State() beckon.AwakeState {
	state, _ := k.is.Load().(beckon.AwakeState)
	if state == beckon.AwakeIdle && !k.system.available() {
		return beckon.AwakeUnavailable
	}
	return state
}

func (k *Keeper) run() {
	timer := time.NewTimer(lookAgain)
	defer timer.Stop()
	for {
		if k.decide() {
			timer.Reset(lookAgain)
		} else {
			timer.Stop() // nothing changes by itself
		}
		select {
		case <-k.quit:
			k.letGo()
			return
		case f := <-k.frames:
			k.follow(f)
		case <-timer.C:
		}
	}
}

// follow takes a frame. After one that says it lost some the whole state is read.
func (k *Keeper) follow(f beckon.Frame) {
	events := f.Events
	if f.Lost {
		whole, err := k.c.State()
		if err != nil {
			slog.Error("what keeps the computer awake cannot read what it missed", "err", err)
			return
		}
		clear(k.working)
		events = whole.Events
	}
	k.apply(events)
}

func (k *Keeper) apply(events []beckon.Event) {
	for _, e := range events {
		switch {
		case e.Settings != nil:
			k.wants = e.Settings.Awake
		case e.Executors != nil:
			clear(k.executors)
			for _, one := range e.Executors.All {
				k.executors[one.Executor.ID] = one.Executor.Kind
			}
		case e.Run != nil && works(*e.Run):
			k.working[e.Run.ID] = *e.Run
		case e.Run != nil:
			delete(k.working, e.Run.ID)
		case e.Gone != "":
			delete(k.working, e.Gone)
		}
	}
}

// works reports whether a run would stop if the computer slept. One that asks waits anyway.
func works(r beckon.Run) bool {
	busy := r.Phase == beckon.Starting || r.Phase == beckon.Working || r.Phase == beckon.Saving
	return busy && r.Kind != beckon.ExternalRun
}

// worksHere reports whether a run works on this computer: containers are its too.
func (k *Keeper) worksHere() bool {
	for _, r := range k.working {
		if r.Executor == "" || k.executors[r.Executor] == executing.Container {
			return true
		}
	}
	return false
}

// decide keeps the computer awake or lets it sleep, and reports whether the battery is to be
// looked at again.
func (k *Keeper) decide() bool {
	if !k.wants.On || !k.worksHere() {
		k.letGo()
		k.is.Store(beckon.AwakeIdle)
		return false
	}
	if p := k.system.power(); p.battery && (k.wants.Battery >= 100 || p.percent < k.wants.Battery) {
		k.letGo()
		k.is.Store(beckon.AwakeBattery)
		return true
	}
	if k.release == nil {
		k.hold()
	}
	return true
}

func (k *Keeper) hold() {
	release, err := k.system.inhibit(k.c.Why)
	if err != nil {
		if !k.failed {
			slog.Warn("this computer may sleep while agents work", "err", err)
		}
		k.failed = true
		k.is.Store(beckon.AwakeUnavailable)
		return
	}
	k.release, k.failed = release, false
	k.is.Store(beckon.AwakeKept)
}

func (k *Keeper) letGo() {
	if k.release != nil {
		k.release()
	}
	k.release = nil
}
