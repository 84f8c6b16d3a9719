// Package awake keeps this computer from idle sleep while an agent works on it, where the
// user wants that. On battery it does so until the charge that the user set is reached. After
// a sleep it publishes how long that was, by the system's own clocks, and whom it met.
//
// It follows the program's events like any other client. A question that waits keeps nothing
// awake, nor does an agent on another machine: what works there works on. What the user does,
// such as closing the lid, is never hindered. It decides nothing about runs.
package awake

import (
	"context"
	"log/slog"
	"maps"
	"slices"
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
	// Publish tells clients of a sleep.
	Publish func(beckon.Event)
}

// Keeper keeps the computer awake.
type Keeper struct {
	c      Config
	system system
	frames chan beckon.Frame
	quit   chan struct{}
	wg     sync.WaitGroup
	is     atomic.Value // beckon.AwakeState
	slept  atomic.Pointer[beckon.Slept]
	why    string

	// The rest is the goroutine's.
	wants     beckon.Awake
	executors map[string]executing.Kind
	working   map[string]beckon.Run // by id
	open      map[string]bool       // the questions that wait, by id
	release   func()                // lets it sleep; nil while nothing is held
	failed    bool                  // it could not be kept, which is logged once
}

// system is what the operating system does.
type system struct {
	available func() bool
	inhibit   func(why string) (release func(), err error)
	power     func() power
	// follow reports each sleep, when it is over, with how long it was, until end.
	follow func(slept func(time.Duration)) (end func(), err error)
}

// power is what the computer runs on.
type power struct {
	battery bool
	percent int // that is left of it
}

// New returns a keeper that follows nothing before Start.
func New(c Config) *Keeper { return with(c, system{available, inhibit, readPower, followSleep}) }

func with(c Config, s system) *Keeper {
	k := &Keeper{
		c: c, system: s, frames: make(chan beckon.Frame), quit: make(chan struct{}),
		executors: map[string]executing.Kind{}, working: map[string]beckon.Run{}, open: map[string]bool{},
	}
	k.is.Store(beckon.AwakeIdle)
	k.slept.Store(&beckon.Slept{Runs: []string{}, Questions: []string{}})
	return k
}

// Start begins to follow, until end is called, which lets the computer sleep. why is shown by
// systems that list what keeps them awake.
func (k *Keeper) Start(why string) (end func(), err error) {
	k.why = why
	detach := k.c.Attach(func(f beckon.Frame) {
		select {
		case k.frames <- f:
		case <-k.quit:
		}
	})
	whole, err := k.c.State()
	if err != nil {
		close(k.quit)
		detach()
		return nil, err
	}
	k.apply(whole.Events)
	sleeps := make(chan time.Duration)
	unfollow, err := k.system.follow(func(slept time.Duration) {
		select {
		case sleeps <- slept:
		case <-k.quit:
		}
	})
	if err != nil {
		slog.Info("nothing reports when this computer slept", "err", err)
		unfollow = func() {}
	}
	k.wg.Go(func() { k.run(sleeps) })
	return func() {
		close(k.quit)
		detach()
		unfollow()
		k.wg.Wait()
	}, nil
}

// State returns the last sleep, as an event, for a client that begins to follow.
func (k *Keeper) State(context.Context) ([]beckon.Event, error) {
	return []beckon.Event{{Slept: k.slept.Load()}}, nil
}

// Now reports what is done about sleep at this moment. It may be called from any goroutine.
func (k *Keeper) Now() beckon.AwakeState {
	state, _ := k.is.Load().(beckon.AwakeState)
	if state == beckon.AwakeIdle && !k.system.available() {
		return beckon.AwakeUnavailable
	}
	return state
}

func (k *Keeper) run(sleeps <-chan time.Duration) {
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
		case slept := <-sleeps:
			k.noteSleep(time.Now(), slept)
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
		clear(k.open)
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
		case e.Question != nil && e.Question.Settlement == beckon.Open:
			k.open[e.Question.ID] = true
		case e.Question != nil:
			delete(k.open, e.Question.ID)
		case e.Gone != "":
			delete(k.working, e.Gone)
			delete(k.open, e.Gone)
		}
	}
}

// works reports whether a run would stop if the computer slept. One that asks waits anyway.
func works(r beckon.Run) bool {
	busy := r.Phase == beckon.Starting || r.Phase == beckon.Working || r.Phase == beckon.Saving
	return busy && r.Kind != beckon.ExternalRun
}

// here lists the runs that work on this computer: containers are its too.
func (k *Keeper) here() []string {
	ids := []string{}
	for id, r := range k.working {
		if r.Executor == "" || k.executors[r.Executor] == executing.Container {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// shortest is a sleep that is worth a word.
const shortest = time.Minute

// noteSleep publishes a sleep that met somebody. What was known before it is still so: nothing
// went on meanwhile.
func (k *Keeper) noteSleep(now time.Time, slept time.Duration) {
	note := &beckon.Slept{
		From: now.Add(-slept).UnixMilli(), To: now.UnixMilli(),
		Runs: k.here(), Questions: slices.AppendSeq([]string{}, maps.Keys(k.open)),
	}
	if slept < shortest || len(note.Runs)+len(note.Questions) == 0 {
		return
	}
	slices.Sort(note.Questions)
	k.slept.Store(note)
	k.c.Publish(beckon.Event{Slept: note})
}

// decide keeps the computer awake or lets it sleep, and reports whether the battery is to be
// looked at again.
func (k *Keeper) decide() bool {
	if !k.wants.On || len(k.here()) == 0 {
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
	release, err := k.system.inhibit(k.why)
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
