package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
	"beckon/backend/runner/background"
	"beckon/backend/runner/outbox"
	"beckon/backend/runner/subagent"
	"beckon/backend/runner/usage"
	"beckon/backend/runner/view"
	"beckon/backend/transcript"
)

// startIn is how long the system may take to start claude, readyIn how long
// claude may take from there to its first word, and stopIn how long it may
// take to leave before it is killed.
const (
	startIn = 30 * time.Second
	readyIn = 60 * time.Second
	stopIn  = 20 * time.Second
)

// agentRun is a run that has not ended. The goroutine of work owns it; what others
// may touch is guarded by mu.
type agentRun struct {
	r       *Runner
	project beckon.Project
	// ctx ends with the run; its cause says why, and withdraws its questions.
	ctx    context.Context
	cancel context.CancelCauseFunc
	view   *view.View // the transcript, as clients follow it
	jobs   *background.Jobs
	used   *usage.Meter
	agents subagent.Names
	out    *outbox.Outbox
	// requests are claude's that wait for a person.
	requests openRequests
	asks     group         // the goroutines that wait for answers
	resumed  bool          // it has an earlier session's
	ended    chan struct{} // closed when the task's place is free again

	// Of the goroutine of work alone.
	task      beckon.Task
	failure   failure // of the turn that runs
	spoke     bool    // the agent has said something
	setAside  bool    // the task had a session that is lost
	revoke    func()
	configDir string

	mu      sync.Mutex
	run     beckon.Run
	facts   beckon.Facts
	proc    *cli.Process
	outcome beckon.Outcome // asked for by end; empty while nobody did
	// stopSaving ends git's work on what the run left; nil before that.
	stopSaving context.CancelCauseFunc
	reason     string
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
	reason      string
	failure     failure
}

func newAgentRun(r *Runner, t beckon.Task, p beckon.Project, run beckon.Run) *agentRun {
	ctx, cancel := context.WithCancelCause(r.ctx)
	l := &agentRun{
		r: r, project: p, ctx: ctx, cancel: cancel, task: t, run: run,
		view: view.New(t.ID, run.ID, view.Clients{Publish: r.Publish, Watched: r.Watched, Count: r.watchedLive}),
		jobs: background.New(time.Now), used: usage.New(run),
		ended: make(chan struct{}), revoke: func() {}, resumed: run.Session != "",
	}
	l.out = r.queues.Outbox(run, addressee{l})
	return l
}

func (l *agentRun) kind() beckon.RunKind { return l.run.Kind } // never changes

func (l *agentRun) process() *cli.Process {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proc
}

// work is the run's whole life.
func (l *agentRun) work(opening string) {
	defer l.r.release(l)
	err := l.launch(l.ctx)
	if err == nil {
		l.asks.Go(func() { l.greet(opening) })
		err = l.read()
	}
	if l.finish(err); l.sessionLost() {
		l.restartFresh(opening)
	} else {
		l.r.bringOwed(l.run, l.ended)
	}
}

// launch prepares and starts the process.
func (l *agentRun) launch(ctx context.Context) error {
	if err := l.view.Open(l.r.transcriptDir()); err != nil {
		return err
	}
	if l.setAside {
		logged("note that a session is lost", l.record(transcript.NoticeLine("session_set_aside", "")), "run", l.run.ID)
	}
	o, err := l.prepare(ctx)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // it was ended before its process began
	}
	return l.startProcess(ctx, o)
}

// startProcess starts claude. No lock is held meanwhile: a program on a drive
// that does not answer may keep it for long, and Stop must work all the same.
func (l *agentRun) startProcess(ctx context.Context, o cli.Options) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startIn, errSlowStart)
	defer cancel()
	p, err := cli.Start(ctx, o)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.proc = p
	if l.outcome != "" { // end found no process to stop
		l.asks.Go(l.stop)
	}
	return nil
}

// openedLog returns the transcript, or nil while there is none.
func (l *agentRun) openedLog() *transcript.Log { return l.view.Log() }

// errSlowStart says that claude's program did not begin to run.
var errSlowStart = fmt.Errorf("the system did not start it within %s; is it on a network drive that does not answer?", startIn)

// greet waits until claude is ready and tells it what to do. It runs beside
// read, which hands it claude's replies.
func (l *agentRun) greet(opening string) {
	ctx, cancel := context.WithTimeout(l.ctx, readyIn)
	defer cancel()
	can, err := l.proc.Initialize(ctx, l.about())
	if err != nil {
		l.fail(ctx, fmt.Errorf("claude did not get ready: %w", slow(err, "it did not answer", readyIn)))
		return
	}
	l.learn(can.Models, can.Commands)
	if err := l.connectTools(ctx); err != nil {
		l.fail(ctx, err)
		return
	}
	// Between its readiness and its first message it does not rest: who quits
	// then would not be asked about it.
	if err := l.out.Open(ctx, opening); err != nil {
		l.fail(ctx, fmt.Errorf("send the first message: %w", err))
		return
	}
	l.note(func() { l.facts.Initialized = true })
}

// connectTools waits until claude has Beckon's tools: a first message that
// comes earlier starts a turn without them.
func (l *agentRun) connectTools(ctx context.Context) error {
	for {
		status, err := l.toolStatus(ctx)
		if err != nil {
			return fmt.Errorf("ask claude for its tools: %w", slow(err, "it did not answer", readyIn))
		}
		switch status {
		case "connected":
			return nil
		case "failed":
			return fmt.Errorf("claude could not reach Beckon's tools: %w", beckon.ErrUnavailable)
		}
		select {
		case <-ctx.Done():
			return slow(context.Cause(ctx), "claude did not connect to Beckon's tools", readyIn)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// slow returns err, and where a deadline passed says in words what did not
// happen in time.
func slow(err error, what string, within time.Duration) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return timeoutError{fmt.Sprintf("%s within %s; try again, and see whether claude works in a terminal", what, within)}
}

// timeoutError is a deadline that passed, in words for the user.
type timeoutError struct{ words string }

func (e timeoutError) Error() string { return e.words }
func (e timeoutError) Unwrap() error { return context.DeadlineExceeded }

// toolStatus returns what claude says of Beckon's server, "" for nothing.
func (l *agentRun) toolStatus(ctx context.Context) (string, error) {
	servers, err := l.proc.MCPServers(ctx)
	for _, s := range servers {
		if s.Name == "beckon" {
			return s.Status, err
		}
	}
	return "", err
}

// fail ends the run because of err, unless it is ending anyway: how a process
// went that is gone, its exit tells better.
func (l *agentRun) fail(ctx context.Context, err error) {
	switch {
	case errors.Is(err, cli.ErrEnded):
	case ctx.Err() == nil || errors.Is(err, context.DeadlineExceeded):
		l.end(beckon.Failed, err.Error())
	}
}

// end asks the run to end with an outcome; the first to ask decides which. It
// returns at once, the end comes through finish.
func (l *agentRun) end(outcome beckon.Outcome, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.facts.Saving && outcome == beckon.Stopped && l.stopSaving != nil {
		l.stopSaving(errStopSaving)
	}
	if l.outcome != "" || l.facts.Saving || l.facts.Exited {
		return
	}
	l.outcome, l.reason = outcome, reason
	l.jobs.Drop(l.facts.Background)
	if l.proc != nil {
		l.asks.Go(l.stop)
	} else {
		l.cancel(errors.New(reason))
	}
}

// stop ends the process, and its questions before claude can take them back.
func (l *agentRun) stop() {
	ctx, cancel := l.shutdown()
	defer cancel()
	logged("settle its questions", l.closeQuestions(ctx, l.outcome, l.reason), "run", l.run.ID) // finish tries again
	l.cancel(errors.New(l.reason))
	logged("stop claude", l.proc.Stop(ctx), "run", l.run.ID)
}

// note is the one door through which facts enter: it changes them under the
// lock and publishes the run as it then is.
func (l *agentRun) note(change func()) beckon.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	l.facts.OpenQuestions = l.r.Desk.Open(l.run.ID)
	l.run.Phase = beckon.PhaseOf(l.facts)
	l.used.Fill(&l.run)
	run := l.run
	l.r.Publish(beckon.Event{Run: &run})
	return run
}

func (l *agentRun) publish() beckon.Run { return l.note(func() {}) }

func (l *agentRun) noteQuestions() {
	l.jobs.Hear()
	l.publish()
}
