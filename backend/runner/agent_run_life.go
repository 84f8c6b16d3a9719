package runner

import (
	"context"
	"fmt"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// work is the run's whole life.
func (run *agentRun) work(opening string) {
	defer run.r.release(run)
	err := run.launch(run.ctx)
	if err == nil {
		run.asks.Go(func() { run.greet(opening) })
		run.asks.Go(func() { run.silence.Watch(run.ctx, run.r.QuietAfter, run.openWork, run.noteSilence) })
		err = run.read()
	}
	if run.finish(err); run.sessionLost() {
		run.restartFresh(opening)
	} else {
		run.r.bringOwed(run.snapshot(), run.ended)
	}
}

// launch prepares and starts the process.
func (run *agentRun) launch(ctx context.Context) error {
	if err := run.view.Open(run.r.transcriptDir()); err != nil {
		return err
	}
	if run.setAside {
		logged("note that a session is lost", run.record(transcript.NoticeLine("session_set_aside", "")), "run", run.row.ID)
	}
	start, launch, err := run.prepare(ctx)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // it was ended before its process began
	}
	return run.startAgent(ctx, start, launch)
}

// startAgent starts the agent. No lock is held meanwhile: a program on a drive
// that does not answer may keep it for long, and Stop must work all the same.
func (run *agentRun) startAgent(ctx context.Context, start agent.Start, launch agent.Launch) error {
	p, err := start(ctx, launch)
	if err != nil {
		return err
	}
	run.mu.Lock()
	defer run.mu.Unlock()
	run.proc = p
	if run.outcome != "" { // end found no process to stop
		run.asks.Go(run.stop)
	}
	return nil
}

// greet waits until the agent is ready and tells it what to do. It runs beside
// read, which hands it the agent's replies.
func (run *agentRun) greet(opening string) {
	ctx, cancel := context.WithTimeout(run.ctx, readyIn)
	defer cancel()
	can, err := run.proc.Ready(ctx)
	if err != nil {
		run.fail(ctx, fmt.Errorf("%s did not get ready: %w", beckon.AgentSays(run.row.Agent), agent.Slow(err, "it did not answer", readyIn)))
		return
	}
	run.learn(can.Models, can.Commands)
	run.awaitOwnTurn()
	// Between its readiness and its first message it does not rest: who quits
	// then would not be asked about it.
	if err := run.out.Open(ctx, opening); err != nil {
		run.fail(ctx, fmt.Errorf("send the first message: %w", err))
		return
	}
	run.note(func() { run.facts.Initialized = true })
}

// awaitOwnTurn waits while a session that is resumed notes what it lost: a message
// that comes meanwhile is answered without the tools of claude's host (docs/PROTOCOL.md
// section 4). Where that does not end it goes on, and mustAsk looks.
func (run *agentRun) awaitOwnTurn() {
	late := time.NewTimer(notedIn)
	defer late.Stop()
	for run.notes.Load() {
		select {
		case <-run.noted:
		case <-run.ctx.Done():
			return
		case <-late.C:
			return
		}
	}
}
