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
func (run *agentRun) after(d time.Duration, do func()) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		do()
	case <-run.ctx.Done():
	}
}

// waitsForBackground reports whether a task run whose turn is over lives on
// for what its agent left in the background: that may end in a turn which asks.
func (run *agentRun) waitsForBackground() bool {
	left, told := run.jobs.Left()
	if !left {
		return false
	}
	run.showBackground()
	run.keepTurn() // what Beckon's own death would end is known then
	run.note(func() {
		if run.rested {
			run.facts.Background, run.facts.TurnOpen = true, false
		}
	})
	if run.jobs.Watch() {
		run.asks.Go(run.watchBackground)
	}
	if told {
		run.asks.Go(func() { run.after(background.HeardIn, run.goOn) }) // unless a turn begins before
	}
	return true
}

// showBackground makes what a run waits for what it is at.
func (run *agentRun) showBackground() {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.rested {
		run.row.Activity = run.jobs.Activity()
	}
}

// watchBackground ends a wait in which nothing is heard for too long. What
// waits for a person's answer is not silent.
func (run *agentRun) watchBackground() {
	limit := cmp.Or(run.r.BackgroundLimit, BackgroundLimit)
	for run.ctx.Err() == nil {
		if !run.waitsInSilence() {
			run.jobs.Hear()
		}
		left := limit - run.jobs.Silence()
		if left <= 0 {
			run.giveUpBackground(limit)
			return
		}
		run.after(left, func() {})
	}
}

func (run *agentRun) waitsInSilence() bool {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.facts.Background && run.r.Desk.Open(run.row.ID) == 0
}

// giveUpBackground ends what runs in the background, and with it the run: the
// agent's last turn went well, so its work counts.
func (run *agentRun) giveUpBackground(limit time.Duration) {
	jobs, names := run.jobs.GiveUp(limit)
	logged("note the end of background work", run.record(transcript.NoticeLine("background_ended", names)), "run", run.row.ID)
	ctx, cancel := run.shutdown()
	defer cancel()
	for _, id := range jobs {
		logged("stop a background task", run.proc.StopJob(ctx, id), "run", run.row.ID)
	}
	run.keepLast()
	run.proc.CloseInput()
	run.after(stopIn, func() { logged("stop claude", run.proc.Stop(ctx), "run", run.row.ID) })
}

// endedWithIt says what went with a run.
func endedWithIt(names string) *reason.Reason {
	return reason.Of(reason.BackgroundEnded, "what", names)
}

// lostBackground says, where the run ended over work in the background, what
// that was. It is the goroutine of work that asks, when the process is gone.
func (run *agentRun) lostBackground() *reason.Reason {
	run.mu.Lock()
	waited := run.facts.Background
	run.mu.Unlock()
	names, gaveUp := run.jobs.Lost(waited)
	if gaveUp != nil || names == "" {
		return gaveUp
	}
	if run.view.Log() != nil {
		logged("note the end of background work", run.record(transcript.NoticeLine("background_lost", names)), "run", run.row.ID)
	}
	return endedWithIt(names)
}
