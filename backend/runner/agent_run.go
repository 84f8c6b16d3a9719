package runner

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/runner/background"
	"beckon/backend/runner/outbox"
	"beckon/backend/runner/view"
)

// readyIn is how long an agent may take from its start to its first word, and stopIn how
// long it may take to leave before it is killed.
const (
	readyIn   = 3 * time.Minute
	notedIn   = 10 * time.Second // what a session that is resumed lost
	stopIn    = 20 * time.Second
	writtenIn = 10 * time.Second
)

// agentRun is a run that has not ended: it joins parts that have a state and a
// lock of their own each. The goroutine of work owns the rest; what others may
// touch of that is guarded by mu.
type agentRun struct {
	r       *Runner
	project beckon.Project
	// ctx ends with the run; its cause says why, and withdraws its questions.
	ctx    context.Context
	cancel context.CancelCauseFunc
	// written ends once the session is in the database, or with ctx.
	written context.Context
	wrote   context.CancelFunc
	view    *view.View // the transcript, as clients follow it
	jobs    *background.Jobs
	used    *background.Meter
	agents  background.SubagentNames
	out     *outbox.Outbox
	// requests are claude's that wait for a person.
	requests openRequests
	asks     background.Group // the goroutines that wait for answers
	resumed  bool             // it has an earlier session's
	ended    chan struct{}    // closed when the task's place is free again

	noted chan struct{} // has one when such a turn is over
	notes atomic.Bool   // a turn of a resumed session runs: before its first message, to note what it lost

	// Of the goroutine of work alone.
	task      beckon.Task
	spoke     bool     // the agent has said something
	dumb      bool     // it began its turn without Beckon's tools
	dir       string   // where it works
	strays    []string // the files outside that it writes into
	setAside  bool     // the task had a session that is lost
	tools     Tools
	revoke    func()
	configDir string

	mu  sync.Mutex
	run beckon.Run
	// published is the run as the clients have it.
	published beckon.Run
	facts     beckon.Facts
	proc      agent.Session
	outcome   beckon.Outcome // asked for by end; empty while nobody did
	// stopSaving ends git's work on what the run left; nil before that.
	stopSaving context.CancelCauseFunc
	why        *reason.Reason // goes with outcome
	turn       turn
	rested     bool // no turn began since one ended
	poisoned   bool // the session answers with nothing
	// abilities is what the agent says that it can do.
	abilities beckon.Abilities
}

// turn is what is known of the newest turn's end.
type turn struct {
	ended       bool
	failed      bool
	interrupted bool
	limited     bool
	reason      *reason.Reason
	// setback is what time alone cures, and resets when a limit does, in milliseconds.
	setback beckon.Setback
	resets  int64
}

func newAgentRun(r *Runner, t beckon.Task, p beckon.Project, run beckon.Run) *agentRun {
	ctx, cancel := context.WithCancelCause(r.ctx)
	l := &agentRun{
		noted: make(chan struct{}, 1),
		r:     r, project: p, ctx: ctx, cancel: cancel, task: t, run: run,
		view: view.New(t.ID, run.ID, view.Clients{Publish: r.Publish, Watched: r.Watched, Count: r.watchedLive}),
		jobs: background.New(time.Now), used: background.NewMeter(run),
		ended: make(chan struct{}), revoke: func() {}, resumed: run.Session+run.CopyOf != "",
	}
	l.written, l.wrote = context.WithCancel(ctx)
	l.out = r.queues.Outbox(run, addressee{l})
	return l
}

func (l *agentRun) kind() beckon.RunKind { return l.run.Kind } // never changes

func (l *agentRun) process() agent.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proc
}

// fail ends the run because of err, unless it is ending anyway: how a process
// went that is gone, its exit tells better.
func (l *agentRun) fail(ctx context.Context, err error) {
	switch {
	case errors.Is(err, agent.ErrEnded):
	case ctx.Err() == nil || errors.Is(err, context.DeadlineExceeded):
		l.end(beckon.Failed, beckon.ReasonOf(err))
	}
}

// end asks the run to end with an outcome; the first to ask decides which. It
// returns at once, the end comes through finish.
func (l *agentRun) end(outcome beckon.Outcome, why *reason.Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.facts.Saving && outcome == beckon.Stopped && l.stopSaving != nil {
		l.stopSaving(errStopSaving)
	}
	if l.outcome != "" || l.facts.Saving || l.facts.Exited {
		return
	}
	l.outcome, l.why = outcome, why
	l.jobs.Drop(l.facts.Background)
	if l.proc != nil {
		l.asks.Go(l.stop)
	} else {
		l.cancel(why.Err())
	}
}

// stop ends the process, and its questions before claude can take them back.
func (l *agentRun) stop() {
	ctx, cancel := l.shutdown()
	defer cancel()
	logged("settle its questions", l.closeQuestions(ctx, l.outcome, l.why), "run", l.run.ID) // finish tries again
	l.cancel(l.why.Err())
	logged("stop claude", l.proc.Stop(ctx), "run", l.run.ID)
}

// note is the one door through which facts enter: it changes them under the
// lock and publishes the run as it then is, if that is new.
func (l *agentRun) note(change func()) beckon.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	l.facts.OpenQuestions = l.r.Desk.Open(l.run.ID)
	l.run.Phase = beckon.PhaseOf(l.facts)
	l.used.Fill(&l.run)
	run := l.run
	if run != l.published {
		l.published = run
		l.r.Publish(beckon.Event{Run: &run})
	}
	return run
}

func (l *agentRun) publish() beckon.Run { return l.note(func() {}) }

func (l *agentRun) noteQuestions() {
	l.jobs.Hear()
	l.publish()
}

// snapshot returns the run as it is.
func (l *agentRun) snapshot() beckon.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run
}

// shutdown is the context for what must be done although the run is over.
func (l *agentRun) shutdown() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(l.ctx), stopIn)
}

// closeQuestions settles what the run waits on: only who stops an agent closes
// its questions, any other end leaves them to be answered.
func (l *agentRun) closeQuestions(ctx context.Context, outcome beckon.Outcome, why *reason.Reason) error {
	if outcome == beckon.Stopped {
		return l.r.Desk.WithdrawAll(ctx, l.run.ID, why)
	}
	return l.r.Desk.Orphan(ctx, l.run.ID, why)
}
