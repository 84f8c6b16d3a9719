package runner

import (
	"cmp"
	"context"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/transcript"
)

// handle acts on what a line means for the run.
func (run *agentRun) handle(event agent.Event, line agent.Line) {
	switch e := event.(type) {
	case agent.ActivityIs:
		run.noteActivity(e.Activity)
	case agent.Part:
		run.mustAsk()
		run.view.AddPart(line, e)
	case agent.Spoke:
		run.mustAsk()
		run.spoke = true
		run.view.EndPart(e.SubAgent)
	case agent.Heard:
		run.out.Acknowledge(e)
		run.out.Answered(e.Given)
	case agent.TurnBegan:
		run.out.Acknowledge(e)
		run.handleBegin(e)
	case agent.TurnEnded:
		run.view.EndPart(false)
		run.handleEnd(e)
	case agent.Busy:
		run.handleBusy()
	case agent.Idle:
		run.handleIdle()
	case agent.Asks:
		run.handleRequest(e.Request)
	case agent.TookBack:
		run.requests.Cancel(e.RequestID, reason.Of(reason.NoLongerWaits).Err())
	case agent.ToolMessage:
		run.handleToolMessage(e)
	default:
		run.follow(event)
	}
}

// follow notes what goes on beside the turns, and what the agent says of itself.
func (run *agentRun) follow(event agent.Event) {
	switch e := event.(type) {
	case agent.Writes:
		if run.kind() == beckon.TaskRun && run.row.Executor == "" {
			run.strays.Note(e.Path)
		}
	case agent.JobBegan:
		run.jobs.Begin(e)
	case agent.JobEnded:
		run.jobs.End(e.ID)
		run.asks.Go(run.goOn) // the run's own end may have waited for it
	case agent.JobAnnounced:
		if run.jobs.Announce(e.ID) {
			run.asks.Go(run.goOn)
		}
	case agent.JobTold:
		run.jobs.Told(e.ID)
	case agent.SubAgentBegan:
		run.agents.Started(e)
	case agent.SubAgentCalled:
		run.nameAsker(e.CallID, run.agents.Called(e))
	case agent.ContextIs:
		run.used.SetContext(e.Tokens)
		run.publish()
	case agent.Spent:
		run.used.Spend(e.Tokens)
		run.publish()
	case agent.ModeIs:
		run.note(func() { run.row.Mode = e.Mode })
	case agent.CommandsAre:
		run.learn(run.able().Models, e.Commands)
	case agent.QuotaIs:
		run.r.OnQuota(run.snapshot(), e)
	case agent.Retrying:
		run.noteActivity(beckon.Activity{Verb: beckon.Waiting, Target: e.Error})
	}
}

// handleBusy follows the turns that begin on their own.
func (run *agentRun) handleBusy() {
	run.notes.Store(run.resumed)
	run.note(run.beginTurn)
	run.forgetEnd()
}

// handleIdle follows what cancelled messages leave: a rest without another end of a turn.
func (run *agentRun) handleIdle() {
	run.notes.Store(false)
	select {
	case run.noted <- struct{}{}:
	default:
	}
	run.jobs.Idle()
	if run.turn.ended { // read without the lock: only this goroutine writes it
		run.note(run.rest)
		run.asks.Go(run.goOn)
	}
}

// handleBegin begins a turn. The session is written down before anybody hears of it. Where
// the agent refuses the mode auto, the run goes on in acceptEdits and says so.
func (run *agentRun) handleBegin(b agent.TurnBegan) {
	if run.snapshot().Session != b.Session {
		run.used.SetContext(0) // as after /clear
		run.keepSession(b)
	}
	run.wrote()
	var refused bool
	run.note(func() {
		refused = run.row.Turns == 0 && run.row.Mode == beckon.ModeAuto && b.Mode != "" && b.Mode != beckon.ModeAuto
		run.used.SetModel(b.Model)
		run.row.Session, run.row.Model, run.row.NextModel = b.Session, b.Model, ""
		run.row.Mode = cmp.Or(b.Mode, run.row.Mode)
		run.beginTurn()
	})
	run.forgetEnd()
	if refused {
		run.asks.Go(run.acceptEdits)
	}
	run.dumb = !b.Tools
}

func (run *agentRun) keepSession(b agent.TurnBegan) {
	ctx, cancel := run.shutdown()
	defer cancel()
	_, err := run.r.Store.UpdateRun(ctx, run.row.ID, func(r *beckon.Run) error {
		r.Session, r.Model, r.Mode = b.Session, b.Model, cmp.Or(b.Mode, r.Mode)
		return nil
	})
	logged("record the session", err, "run", run.row.ID)
	if run.kind() == beckon.TaskRun {
		_, err = run.r.Cards.Update(ctx, run.task.ID, func(t *beckon.Task) error { t.Session = b.Session; return nil })
		logged("record the session", err, "task", run.task.ID)
	}
}

// mustAsk ends the run of an agent that has begun to speak and cannot ask. A session
// that is resumed may first note what it lost in a turn without servers and words.
func (run *agentRun) mustAsk() {
	if run.dumb {
		run.end(beckon.Failed, reason.Of(reason.WithoutTools))
	}
}

// acceptEdits is what a run falls back to where auto is unavailable.
func (run *agentRun) acceptEdits() {
	ctx, cancel := context.WithTimeout(run.ctx, readyIn)
	defer cancel()
	err := run.proc.SetMode(ctx, beckon.ModeAcceptEdits)
	logged("set the permission mode", err, "run", run.row.ID)
	if err == nil {
		logged("note the mode", run.record(transcript.NoticeLine("auto_refused", string(beckon.ModeAcceptEdits))), "run", run.row.ID)
	}
}

// handleEnd ends a turn.
func (run *agentRun) handleEnd(e agent.TurnEnded) {
	end := turn{
		ended: true, failed: e.Failed, interrupted: e.Interrupted, limited: e.Limited,
		setback: e.Setback, resets: e.Resets, asks: e.Asks,
	}
	run.handleEmpty(e)
	switch {
	case e.Hook != "":
		end.failed, end.reason = true, reason.Said(e.Hook)
		run.handleRefusal(e)
	case run.out.NoCommand(e, run.able().Commands):
		end.failed, end.reason = true, reason.Said(e.Said)
	case e.Failed:
		end.reason = e.Reason()
	}
	run.used.TurnEnded(e)
	run.note(func() {
		run.turn = end
		run.rest()
		run.row.Turns++
		run.row.Activity = beckon.Activity{}
	})
	logged("sync the transcript", run.view.Sync(), "run", run.row.ID)
	run.out.WatchRecord()
	run.asks.Go(run.goOn)
	run.asks.Go(run.keepTurn)
}

// handleRefusal drops the message that a hook refused, where the turn ends before claude
// took it. A session that has nothing else is none to go on with.
func (run *agentRun) handleRefusal(e agent.TurnEnded) {
	if e.Rounds > 0 || e.Unasked {
		return
	}
	run.out.Refuse()
	if run.kind() == beckon.TaskRun && !run.resumed && run.snapshot().Turns == 0 {
		ctx, cancel := run.shutdown()
		defer cancel()
		run.note(func() { run.row.Session = "" })
		logged("forget a session without a message", run.forgetSession(ctx), "run", run.row.ID)
	}
}
