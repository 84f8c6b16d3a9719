// Package background follows what an agent has under way beside its turns:
// commands in the background, and sub-agents. A command in the foreground is
// among them too once it takes some seconds, and its end is announced like
// theirs.
//
// It says what is left, what a turn will still tell the agent of, and how long
// claude has been silent, what a run takes of tokens and context, and what its
// sub-agents are called. It decides nothing and waits for nothing.
package background

import (
	"slices"
	"strings"
	"sync"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// HeardIn is how long claude may take to begin the turn in which the agent
// hears that something in the background has ended. It takes milliseconds.
const HeardIn = 3 * time.Second

// Jobs is what one agent has under way. It may be used from any goroutine.
type Jobs struct {
	now func() time.Time

	mu   sync.Mutex
	jobs []job // the oldest first
	// idle is since when claude has nothing more to do; zero while it has.
	idle time.Time
	// resting is whether no turn is open. That claude has nothing more to do it
	// may say later, or not at all where a turn of its own follows.
	resting bool
	wait    wait
}

// job is one of them.
type job struct {
	id, name string
	left     bool // it is known to go on without its call
	began    time.Time
	// over is when it ended, if the agent has not heard of that yet; a turn
	// that tells it may begin on its own.
	over time.Time
	// announced is whether claude said that the turn that tells it begins.
	announced bool
}

// New returns what an agent has under way that has not begun. now is its clock.
func New(now func() time.Time) *Jobs {
	return &Jobs{now: now, wait: wait{heardAt: now()}}
}

// Announce notes that the agent hears of a job's end, and reports whether
// nothing had said that it ended. Between two turns the next one tells the agent
// of it: until that begins, some milliseconds later, the job is not done with.
func (b *Jobs) Announce(id string) (ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.resting {
		b.jobs = slices.DeleteFunc(b.jobs, func(j job) bool { return j.id == id })
		return false
	}
	for i := range b.jobs {
		if j := &b.jobs[i]; j.id == id {
			j.announced, ended = true, j.over.IsZero()
			if ended {
				j.over = b.now()
			}
		}
	}
	return ended
}

// Begin notes that a job runs.
func (b *Jobs) Begin(j agent.JobBegan) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.jobs, func(known job) bool { return known.id == j.ID }) {
		b.jobs = append(b.jobs, job{id: j.ID, name: j.Name, left: j.Left, began: b.now()})
	}
}

// End notes that a job ended, of which the agent is yet to hear.
func (b *Jobs) End(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.jobs {
		if b.jobs[i].id == id {
			b.jobs[i].over = b.now()
		}
	}
}

// Told drops a job of whose end the agent has heard: no end is announced that a running
// turn has.
func (b *Jobs) Told(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs = slices.DeleteFunc(b.jobs, func(j job) bool { return j.id == id && !j.over.IsZero() })
}

// Idle notes that claude has nothing more to do.
func (b *Jobs) Idle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.idle = b.now()
}

// Busy notes that a turn is open, which tells what was announced.
func (b *Jobs) Busy() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.idle, b.resting = time.Time{}, false
	b.jobs = slices.DeleteFunc(b.jobs, func(j job) bool { return j.announced })
}

// Rest notes that no turn is open.
func (b *Jobs) Rest() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.resting = true
}

// Left reports whether anything is left in the background, and whether all of
// it has ended and the agent is only to be told.
func (b *Jobs) Left() (left, told bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle()
	left = len(b.jobs) > 0
	return left, left && b.names(true) == ""
}

// settle drops what begins no turn any more: it ended a while ago, and for as
// long claude has had nothing more to do. The turn that tells of an end may
// follow another at once, or a moment after claude said that it is idle.
func (b *Jobs) settle() {
	now := b.now()
	if b.idle.IsZero() || now.Sub(b.idle) < HeardIn {
		return
	}
	b.jobs = slices.DeleteFunc(b.jobs, func(j job) bool { return !j.over.IsZero() && now.Sub(j.over) >= HeardIn })
}

// names lists what runs: all of it, or what is known to outlive its call.
func (b *Jobs) names(all bool) string {
	var names []string
	for _, j := range b.jobs {
		if j.over.IsZero() && (all || j.left) {
			names = append(names, j.name)
		}
	}
	return strings.Join(names, ", ")
}

// Activity shows what a run waits for.
func (b *Jobs) Activity() beckon.Activity {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := beckon.Activity{Verb: beckon.Background, Target: b.names(true)}
	for _, j := range b.jobs {
		if at := j.began.UnixMilli(); a.Since == 0 || at < a.Since {
			a.Since = at
		}
	}
	return a
}
