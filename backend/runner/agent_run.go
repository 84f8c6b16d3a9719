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
	"beckon/backend/disk"
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
	silence *background.Silence
	agents  background.SubagentNames
	out     *outbox.Outbox
	// requests are claude's that wait for a person.
	requests background.Requests
	asks     background.Group // the goroutines that wait for answers
	resumed  bool             // it has an earlier session's
	ended    chan struct{}    // closed when the task's place is free again

	noted chan struct{} // has one when such a turn is over
	notes atomic.Bool   // a turn of a resumed session runs: before its first message, to note what it lost

	// Of the goroutine of work alone.
	task      beckon.Task
	spoke     bool        // the agent has said something
	dumb      bool        // it began its turn without Beckon's tools
	dir       string      // where it works
	strays    disk.Strays // what it writes outside
	setAside  bool        // the task had a session that is lost
	tools     Tools
	revoke    func()
	configDir string

	mu sync.Mutex
	// row is what is stored of the run; the database may lag behind it.
	row beckon.Run
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
	unheard    bool // nobody answered a question with which a turn ended
	// abilities is what the agent says that it can do.
	abilities beckon.Abilities
}

// turn is what is known of the newest turn's end.
type turn struct {
	ended       bool
	failed      bool
	interrupted bool
	limited     bool
	// asks is the question that it ends with, where its agent has no other way to ask, and
	// question the one of the desk's by which it is asked.
	asks, question string

	reason *reason.Reason
	// setback is what time alone cures, and resets when a limit does, in milliseconds.
	setback beckon.Setback
	resets  int64
}

func newAgentRun(r *Runner, t beckon.Task, p beckon.Project, row beckon.Run) *agentRun {
	ctx, cancel := context.WithCancelCause(r.ctx)
	run := &agentRun{
		noted: make(chan struct{}, 1),
		r:     r, project: p, ctx: ctx, cancel: cancel, task: t, row: row,
		view: view.New(t.ID, row.ID, view.Clients{Publish: r.Publish, Watched: r.Watched, Count: r.watchedLive}),
		jobs: background.New(time.Now), used: background.NewMeter(row),
		silence: background.NewSilence(), ended: make(chan struct{}), revoke: func() {}, resumed: row.Session+row.CopyOf != "",
	}
	run.written, run.wrote = context.WithCancel(ctx)
	run.out = r.queues.Outbox(row, addressee{run})
	return run
}

func (run *agentRun) kind() beckon.RunKind { return run.row.Kind } // never changes

func (run *agentRun) process() agent.Session {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.proc
}

// fail ends the run because of err, unless it is ending anyway: how a process
// went that is gone, its exit tells better.
func (run *agentRun) fail(ctx context.Context, err error) {
	switch {
	case errors.Is(err, agent.ErrEnded):
	case ctx.Err() == nil || errors.Is(err, context.DeadlineExceeded):
		run.end(beckon.Failed, beckon.ReasonOf(err))
	}
}

// end asks the run to end with an outcome; the first to ask decides which. It
// returns at once, the end comes through finish.
func (run *agentRun) end(outcome beckon.Outcome, why *reason.Reason) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.facts.Saving && outcome == beckon.Stopped && run.stopSaving != nil {
		run.stopSaving(errStopSaving)
	}
	if run.outcome != "" || run.facts.Saving || run.facts.Exited {
		return
	}
	run.outcome, run.why = outcome, why
	run.jobs.Drop(run.facts.Background)
	if run.proc != nil {
		run.asks.Go(run.stop)
	} else {
		run.cancel(why.Err())
	}
}

// stop ends the process, and its questions before claude can take them back.
func (run *agentRun) stop() {
	ctx, cancel := run.shutdown()
	defer cancel()
	logged("settle its questions", run.closeQuestions(ctx, run.outcome, run.why), "run", run.row.ID) // finish tries again
	run.cancel(run.why.Err())
	logged("stop claude", run.proc.Stop(ctx), "run", run.row.ID)
}

// note is the one door through which facts enter: it changes them under the
// lock and publishes the run as it then is, if that is new.
func (run *agentRun) note(change func()) beckon.Run {
	run.mu.Lock()
	defer run.mu.Unlock()
	change()
	run.facts.OpenQuestions = run.r.Desk.Open(run.row.ID)
	run.row.Phase = beckon.PhaseOf(run.facts)
	run.used.Fill(&run.row)
	row := run.row
	if row != run.published {
		run.published = row
		run.r.Publish(beckon.Event{Run: &row})
	}
	return row
}

func (run *agentRun) publish() beckon.Run { return run.note(func() {}) }

func (run *agentRun) noteQuestions() {
	run.noteHeard()
	run.jobs.Hear()
	run.publish()
}

// snapshot returns the run as it is.
func (run *agentRun) snapshot() beckon.Run {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.row
}

// shutdown is the context for what must be done although the run is over.
func (run *agentRun) shutdown() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(run.ctx), stopIn)
}

// closeQuestions settles what the run waits on: only who stops an agent closes
// its questions, any other end leaves them to be answered.
func (run *agentRun) closeQuestions(ctx context.Context, outcome beckon.Outcome, why *reason.Reason) error {
	if outcome == beckon.Stopped {
		return run.r.Desk.WithdrawAll(ctx, run.row.ID, why)
	}
	return run.r.Desk.Orphan(ctx, run.row.ID, why)
}
