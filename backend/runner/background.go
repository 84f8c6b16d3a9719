package runner

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/transcript"
)

// BackgroundLimit is how long a task run waits for what its agent left in the
// background while claude says nothing at all: long enough for a slow build,
// short enough that a server nobody stopped does not keep a slot for a day.
const BackgroundLimit = 30 * time.Minute

// heardIn is how long claude may take to begin the turn in which the agent
// hears that something in the background has ended. It takes milliseconds.
const heardIn = 3 * time.Second

// background follows what an agent has under way beside its turns: commands in
// the background, and sub-agents. A command in the foreground is among them
// too once it takes some seconds, and its end is announced like theirs.
type background struct {
	jobs []job // the oldest first
	// idle is since when claude has nothing more to do; zero while it has.
	idle time.Time
	// commands has the command of each background call whose job has not begun.
	commands map[string]string
}

// job is one of them.
type job struct {
	id, name string
	left     bool // it is known to go on without its call
	began    time.Time
	// over is when it ended, if the agent has not heard of that yet; a turn
	// that tells it may begin by itself.
	over time.Time
}

// called notes the command of a call that goes on in the background.
func (b *background) called(callID, command string) {
	if b.commands == nil {
		b.commands = map[string]string{}
	}
	b.commands[callID] = command
}

// begin notes that a job runs. Housekeeping of claude's own is none.
func (b *background) begin(s claude.System, now time.Time) {
	if s.SkipTranscript || slices.ContainsFunc(b.jobs, func(j job) bool { return j.id == s.TaskID }) {
		return
	}
	command := b.commands[s.ToolUseID]
	delete(b.commands, s.ToolUseID)
	name := or(or(command, s.Task.Description), s.TaskID)
	b.jobs = append(b.jobs, job{id: s.TaskID, name: name, left: command != "", began: now})
}

// change notes that a job ended, of which the agent is yet to hear.
func (b *background) change(s claude.System, now time.Time) {
	if !s.Ended() {
		return
	}
	for i := range b.jobs {
		if b.jobs[i].id == s.TaskID {
			b.jobs[i].over = now
		}
	}
}

// heard notes that the agent hears of a job's end.
func (b *background) heard(id string) {
	b.jobs = slices.DeleteFunc(b.jobs, func(j job) bool { return j.id == id })
}

// heardBy drops the jobs of whose end the agent hears by a line of its turn:
// claude announces no end that it could add to a running turn.
func (b *background) heardBy(raw []byte) {
	if len(b.jobs) == 0 || !bytes.Contains(raw, []byte("<task-notification>")) {
		return
	}
	b.jobs = slices.DeleteFunc(b.jobs, func(j job) bool {
		return !j.over.IsZero() && bytes.Contains(raw, []byte("<task-id>"+j.id+"</task-id>"))
	})
}

// settle drops what begins no turn any more: it ended a while ago, and for as
// long claude has had nothing more to do. The turn that tells of an end may
// follow another at once, or a moment after claude said that it is idle.
func (b *background) settle(now time.Time) {
	if b.idle.IsZero() || now.Sub(b.idle) < heardIn {
		return
	}
	b.jobs = slices.DeleteFunc(b.jobs, func(j job) bool { return !j.over.IsZero() && now.Sub(j.over) >= heardIn })
}

// names lists what runs: all of it, or what is known to outlive its call.
func (b *background) names(all bool) string {
	var names []string
	for _, j := range b.jobs {
		if j.over.IsZero() && (all || j.left) {
			names = append(names, j.name)
		}
	}
	return strings.Join(names, ", ")
}

// backgroundLimit is how long a silent wait lasts at most.
func (r *Runner) backgroundLimit() time.Duration {
	if r.BackgroundLimit > 0 {
		return r.BackgroundLimit
	}
	return BackgroundLimit
}

// activity shows what a run waits for.
func (b *background) activity() beckon.Activity {
	a := beckon.Activity{Verb: beckon.Background, Target: b.names(true)}
	for _, j := range b.jobs {
		if at := j.began.UnixMilli(); a.Since == 0 || at < a.Since {
			a.Since = at
		}
	}
	return a
}

// hearBackground follows the jobs of the agent's.
func (l *live) hearBackground(subtype string, s claude.System) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch subtype {
	case claude.TaskStarted:
		l.background.begin(s, now)
	case claude.TaskUpdated:
		if l.background.change(s, now); s.Ended() && !l.facts.TurnOpen {
			l.asks.Go(l.goOn)
		}
	case claude.TaskNotification:
		l.background.heard(s.TaskID)
	}
}

// hearBackgroundCall remembers the commands that go on in the background.
func (l *live) hearBackgroundCall(raw []byte) {
	if !bytes.Contains(raw, []byte(`"run_in_background":true`)) {
		return
	}
	m, err := claude.DecodeMessage(raw)
	if err != nil || m.Speech == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range m.Speech.Content {
		if command := b.BackgroundCommand(); command != "" {
			l.background.called(b.ID, command)
		}
	}
}

// hearBackgroundTold notes the ends that the agent hears of within its turn.
func (l *live) hearBackgroundTold(raw []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.background.heardBy(raw)
}

// hearAnything notes that claude is not silent.
func (l *live) hearAnything() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heardAt = time.Now()
}

// after does something later, unless the run ends before.
func (l *live) after(d time.Duration, do func()) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		do()
	case <-l.ctx.Done():
	}
}

// waitsForBackground reports whether a task run whose turn is over lives on
// for what its agent left in the background: that may end in a turn which asks.
func (l *live) waitsForBackground() bool {
	waits, told := l.leftBackground()
	if !waits {
		return false
	}
	l.keepTurn() // what Beckon's own death would end is known then
	first := false
	l.note(func() {
		first, l.watched = !l.watched, true
		if l.rested {
			l.facts.Background, l.facts.TurnOpen = true, false
		}
	})
	if first {
		l.asks.Go(l.watchBackground)
	}
	if told {
		l.asks.Go(func() { l.after(heardIn, l.goOn) }) // unless a turn begins before
	}
	return true
}

// leftBackground reports whether anything is left in the background, and
// whether all of it has ended and is only to be told.
func (l *live) leftBackground() (waits, told bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.background.settle(time.Now())
	waits = len(l.background.jobs) > 0
	if waits && l.rested {
		l.run.Activity = l.background.activity()
	}
	return waits, waits && l.background.names(true) == ""
}

// watchBackground ends a wait in which nothing is heard for too long. What
// waits for a person's answer is not silent.
func (l *live) watchBackground() {
	limit := l.r.backgroundLimit()
	for l.ctx.Err() == nil {
		var left time.Duration
		l.note(func() {
			if !l.facts.Background || l.facts.OpenQuestions > 0 {
				l.heardAt = time.Now()
			}
			left = limit - time.Since(l.heardAt)
		})
		if left <= 0 {
			l.giveUpBackground(limit)
			return
		}
		l.after(left, func() {})
	}
}

// giveUpBackground ends what runs in the background, and with it the run: the
// agent's last turn went well, so its work counts.
func (l *live) giveUpBackground(limit time.Duration) {
	l.mu.Lock()
	jobs, names := slices.Clone(l.background.jobs), l.background.names(true)
	l.gaveUp = fmt.Sprintf("What the agent left in the background was ended after %s without a word: %s", limit, names)
	l.mu.Unlock()
	logged("note the end of background work", l.record(transcript.NoticeLine("background_ended", names)), "run", l.run.ID)
	ctx, cancel := l.shutdown()
	defer cancel()
	for _, j := range jobs {
		logged("stop a background task", l.proc.StopTask(ctx, j.id), "run", l.run.ID)
	}
	l.proc.CloseInput()
	l.after(stopIn, func() { logged("stop claude", l.proc.Stop(ctx), "run", l.run.ID) })
}

// endedWithIt says what went with a run.
const endedWithIt = "What ran in the background ended with it: "

// lostBackground says, where the run ended over work in the background, what
// that was. It is the goroutine of work that asks, when the process is gone.
func (l *live) lostBackground() string {
	l.mu.Lock()
	names, gaveUp := or(l.dropped, l.background.names(l.facts.Background)), l.gaveUp
	l.mu.Unlock()
	if gaveUp != "" || names == "" {
		return gaveUp
	}
	if l.openedLog() != nil {
		logged("note the end of background work", l.record(transcript.NoticeLine("background_lost", names)), "run", l.run.ID)
	}
	return endedWithIt + names
}
