package runner

import (
	"cmp"
	"time"

	"beckon/backend/beckon/reason"
	"beckon/backend/runner/background"
	"beckon/backend/transcript"
)

// BackgroundLimit is how long a task run waits for what its agent left in the
// background while claude says nothing at all: long enough for a slow build,
// short enough that a server nobody stopped does not keep a slot for a day.
const BackgroundLimit = 30 * time.Minute

// after does something later, unless the run ends before.
func (l *agentRun) after(d time.Duration, do func()) {
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
func (l *agentRun) waitsForBackground() bool {
	left, told := l.jobs.Left()
	if !left {
		return false
	}
	l.showBackground()
	l.keepTurn() // what Beckon's own death would end is known then
	l.note(func() {
		if l.rested {
			l.facts.Background, l.facts.TurnOpen = true, false
		}
	})
	if l.jobs.Watch() {
		l.asks.Go(l.watchBackground)
	}
	if told {
		l.asks.Go(func() { l.after(background.HeardIn, l.goOn) }) // unless a turn begins before
	}
	return true
}

// showBackground makes what a run waits for what it is at.
func (l *agentRun) showBackground() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rested {
		l.run.Activity = l.jobs.Activity()
	}
}

// watchBackground ends a wait in which nothing is heard for too long. What
// waits for a person's answer is not silent.
func (l *agentRun) watchBackground() {
	limit := cmp.Or(l.r.BackgroundLimit, BackgroundLimit)
	for l.ctx.Err() == nil {
		if !l.waitsInSilence() {
			l.jobs.Hear()
		}
		left := limit - l.jobs.Silence()
		if left <= 0 {
			l.giveUpBackground(limit)
			return
		}
		l.after(left, func() {})
	}
}

func (l *agentRun) waitsInSilence() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.facts.Background && l.r.Desk.Open(l.run.ID) == 0
}

// giveUpBackground ends what runs in the background, and with it the run: the
// agent's last turn went well, so its work counts.
func (l *agentRun) giveUpBackground(limit time.Duration) {
	jobs, names := l.jobs.GiveUp(limit)
	logged("note the end of background work", l.record(transcript.NoticeLine("background_ended", names)), "run", l.run.ID)
	ctx, cancel := l.shutdown()
	defer cancel()
	for _, id := range jobs {
		logged("stop a background task", l.proc.StopJob(ctx, id), "run", l.run.ID)
	}
	l.keepLast()
	l.proc.CloseInput()
	l.after(stopIn, func() { logged("stop claude", l.proc.Stop(ctx), "run", l.run.ID) })
}

// endedWithIt says what went with a run.
func endedWithIt(names string) *reason.Reason {
	return reason.Of(reason.BackgroundEnded, "what", names)
}

// lostBackground says, where the run ended over work in the background, what
// that was. It is the goroutine of work that asks, when the process is gone.
func (l *agentRun) lostBackground() *reason.Reason {
	l.mu.Lock()
	waited := l.facts.Background
	l.mu.Unlock()
	names, gaveUp := l.jobs.Lost(waited)
	if gaveUp != nil || names == "" {
		return gaveUp
	}
	if l.view.Log() != nil {
		logged("note the end of background work", l.record(transcript.NoticeLine("background_lost", names)), "run", l.run.ID)
	}
	return endedWithIt(names)
}
