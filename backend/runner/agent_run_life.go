package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"beckon/backend/agent"
	"beckon/backend/transcript"
)

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
	start, launch, err := l.prepare(ctx)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // it was ended before its process began
	}
	return l.startAgent(ctx, start, launch)
}

// startAgent starts the agent. No lock is held meanwhile: a program on a drive
// that does not answer may keep it for long, and Stop must work all the same.
func (l *agentRun) startAgent(ctx context.Context, start agent.Start, launch agent.Launch) error {
	p, err := start(ctx, launch)
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

// greet waits until claude is ready and tells it what to do. It runs beside
// read, which hands it claude's replies.
func (l *agentRun) greet(opening string) {
	ctx, cancel := context.WithTimeout(l.ctx, readyIn)
	defer cancel()
	can, err := l.proc.Ready(ctx)
	if err != nil {
		l.fail(ctx, fmt.Errorf("claude did not get ready: %w", slow(err, "it did not answer", readyIn)))
		return
	}
	l.learn(can.Models, can.Commands)
	l.awaitOwnTurn()
	// Between its readiness and its first message it does not rest: who quits
	// then would not be asked about it.
	if err := l.out.Open(ctx, opening); err != nil {
		l.fail(ctx, fmt.Errorf("send the first message: %w", err))
		return
	}
	l.note(func() { l.facts.Initialized = true })
}

// awaitOwnTurn waits while a session that is resumed notes what it lost: a message
// that comes meanwhile is answered without the tools of claude's host (docs/PROTOCOL.md
// section 4). Where that does not end it goes on, and mustAsk looks.
func (l *agentRun) awaitOwnTurn() {
	late := time.NewTimer(notedIn)
	defer late.Stop()
	for l.notes.Load() {
		select {
		case <-l.noted:
		case <-l.ctx.Done():
			return
		case <-late.C:
			return
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
