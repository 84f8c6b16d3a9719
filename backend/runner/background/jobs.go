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
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"beckon/backend/agent/claude"
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
	// commands has the command of each background call whose job has not begun.
	commands map[string]string
	wait     wait
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
	return &Jobs{now: now, commands: map[string]string{}, wait: wait{heardAt: now()}}
}

// Call notes the commands of a message that go on in the background.
func (b *Jobs) Call(m claude.Message) {
	if m.Speech == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, block := range m.Speech.Content {
		if command := block.BackgroundCommand(); command != "" {
			b.commands[block.ID] = command
		}
	}
}

// Change follows what claude says of a job, and reports whether the job ended:
// its agent is yet to hear of that.
func (b *Jobs) Change(subtype string, s claude.System) (ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch subtype {
	case claude.TaskStarted:
		b.begin(s)
	case claude.TaskUpdated:
		b.end(s)
		return s.Ended()
	case claude.TaskNotification:
		return b.announce(s.TaskID)
	}
	return false
}

// announce notes that the agent hears of a job's end, and reports whether
// nothing had said that it ended. Between two turns the next one tells the agent
// of it: until that begins, some milliseconds later, the job is not done with.
func (b *Jobs) announce(id string) (ended bool) {
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

// begin notes that a job runs. Housekeeping of claude's own is none.
func (b *Jobs) begin(s claude.System) {
	if s.SkipTranscript || slices.ContainsFunc(b.jobs, func(j job) bool { return j.id == s.TaskID }) {
		return
	}
	command := b.commands[s.ToolUseID]
	delete(b.commands, s.ToolUseID)
	name := cmp.Or(command, s.Task.Description, s.TaskID)
	b.jobs = append(b.jobs, job{id: s.TaskID, name: name, left: command != "", began: b.now()})
}

// end notes that a job ended, of which the agent is yet to hear.
func (b *Jobs) end(s claude.System) {
	if !s.Ended() {
		return
	}
	for i := range b.jobs {
		if b.jobs[i].id == s.TaskID {
			b.jobs[i].over = b.now()
		}
	}
}

// Told drops the jobs of whose end the agent hears by a line of its turn:
// claude announces no end that it could add to a running turn.
func (b *Jobs) Told(raw []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.jobs) == 0 || !bytes.Contains(raw, []byte("<task-notification>")) {
		return
	}
	b.jobs = slices.DeleteFunc(b.jobs, func(j job) bool {
		return !j.over.IsZero() && bytes.Contains(raw, []byte("<task-id>"+j.id+"</task-id>"))
	})
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
