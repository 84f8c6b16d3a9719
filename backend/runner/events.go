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
func (l *agentRun) handle(event agent.Event, line agent.Line) {
	switch e := event.(type) {
	case agent.ActivityIs:
		l.noteActivity(e.Activity)
	case agent.Part:
		l.mustAsk()
		l.view.AddPart(line, e)
	case agent.Spoke:
		l.mustAsk()
		l.spoke = true
		l.view.EndPart(e.SubAgent)
	case agent.Heard:
		l.out.Acknowledge(e)
		l.out.Answered(e)
	case agent.TurnBegan:
		l.out.Acknowledge(e)
		l.handleBegin(e)
	case agent.TurnEnded:
		l.view.EndPart(false)
		l.handleEnd(e)
	case agent.Busy:
		l.handleBusy()
	case agent.Idle:
		l.handleIdle()
	case agent.Asks:
		l.handleRequest(e.Request)
	case agent.TookBack:
		l.requests.cancel(e.RequestID, reason.Of(reason.NoLongerWaits).Err())
	case agent.ToolMessage:
		l.handleToolMessage(e)
	default:
		l.follow(event)
	}
}

// follow notes what goes on beside the turns, and what the agent says of itself.
func (l *agentRun) follow(event agent.Event) {
	switch e := event.(type) {
	case agent.Writes:
		l.noteWrite(e.Path)
	case agent.JobBegan:
		l.jobs.Begin(e)
	case agent.JobEnded:
		l.jobs.End(e.ID)
		l.asks.Go(l.goOn) // the run's own end may have waited for it
	case agent.JobAnnounced:
		if l.jobs.Announce(e.ID) {
			l.asks.Go(l.goOn)
		}
	case agent.JobTold:
		l.jobs.Told(e.ID)
	case agent.SubAgentBegan:
		l.agents.Started(e)
	case agent.SubAgentCalled:
		l.nameAsker(e.CallID, l.agents.Called(e))
	case agent.ContextIs:
		l.used.SetContext(e.Tokens)
		l.publish()
	case agent.Spent:
		l.used.Spend(e.Tokens)
		l.publish()
	case agent.ModeIs:
		l.note(func() { l.run.Mode = e.Mode })
	case agent.CommandsAre:
		l.learn(l.able().Models, e.Commands)
	case agent.Retrying:
		l.noteActivity(beckon.Activity{Verb: beckon.Waiting, Target: e.Error})
	}
}

// handleBusy follows the turns that begin on their own.
func (l *agentRun) handleBusy() {
	l.notes.Store(l.resumed)
	l.note(l.beginTurn)
	l.forgetEnd()
}

// handleIdle follows what cancelled messages leave: a rest without another end of a turn.
func (l *agentRun) handleIdle() {
	l.notes.Store(false)
	select {
	case l.noted <- struct{}{}:
	default:
	}
	l.jobs.Idle()
	if l.turn.ended { // read without the lock: only this goroutine writes it
		l.note(l.rest)
		l.asks.Go(l.goOn)
	}
}

// handleBegin begins a turn. The session is written down before anybody hears of it. Where
// the agent refuses the mode auto, the run goes on in acceptEdits and says so.
func (l *agentRun) handleBegin(b agent.TurnBegan) {
	if l.snapshot().Session != b.Session {
		l.used.SetContext(0) // as after /clear
		l.keepSession(b)
	}
	l.wrote()
	var refused bool
	l.note(func() {
		refused = l.run.Turns == 0 && l.run.Mode == beckon.ModeAuto && b.Mode != "" && b.Mode != beckon.ModeAuto
		l.used.SetModel(b.Model)
		l.run.Session, l.run.Model, l.run.NextModel = b.Session, b.Model, ""
		l.run.Mode = cmp.Or(b.Mode, l.run.Mode)
		l.beginTurn()
	})
	l.forgetEnd()
	if refused {
		l.asks.Go(l.acceptEdits)
	}
	l.dumb = !b.Tools
}

func (l *agentRun) keepSession(b agent.TurnBegan) {
	ctx, cancel := l.shutdown()
	defer cancel()
	_, err := l.r.Store.UpdateRun(ctx, l.run.ID, func(r *beckon.Run) error {
		r.Session, r.Model, r.Mode = b.Session, b.Model, cmp.Or(b.Mode, r.Mode)
		return nil
	})
	logged("record the session", err, "run", l.run.ID)
	if l.kind() == beckon.TaskRun {
		_, err = l.r.Cards.Update(ctx, l.task.ID, func(t *beckon.Task) error { t.Session = b.Session; return nil })
		logged("record the session", err, "task", l.task.ID)
	}
}

// mustAsk ends the run of an agent that has begun to speak and cannot ask. A session
// that is resumed may first note what it lost in a turn without servers and words.
func (l *agentRun) mustAsk() {
	if l.dumb {
		l.end(beckon.Failed, reason.Of(reason.WithoutTools))
	}
}

// acceptEdits is what a run falls back to where auto is unavailable.
func (l *agentRun) acceptEdits() {
	ctx, cancel := context.WithTimeout(l.ctx, readyIn)
	defer cancel()
	err := l.proc.SetMode(ctx, beckon.ModeAcceptEdits)
	logged("set the permission mode", err, "run", l.run.ID)
	if err == nil {
		logged("note the mode", l.record(transcript.NoticeLine("auto_refused", string(beckon.ModeAcceptEdits))), "run", l.run.ID)
	}
}

// handleEnd ends a turn.
func (l *agentRun) handleEnd(e agent.TurnEnded) {
	end := turn{
		ended: true, failed: e.Failed, interrupted: e.Interrupted, limited: e.Limited,
		setback: e.Setback, resets: e.Resets,
	}
	l.handleEmpty(e)
	switch {
	case e.Hook != "":
		end.failed, end.reason = true, reason.Said(e.Hook)
		l.handleRefusal(e)
	case l.out.NoCommand(e, l.able().Commands):
		end.failed, end.reason = true, reason.Said(e.Said)
	case e.Failed:
		end.reason = reasonOf(e)
	}
	l.used.TurnEnded(e)
	l.note(func() {
		l.turn = end
		l.rest()
		l.run.Turns++
		l.run.Activity = beckon.Activity{}
	})
	logged("sync the transcript", l.view.Sync(), "run", l.run.ID)
	l.out.WatchRecord()
	l.asks.Go(l.goOn)
	l.asks.Go(l.keepTurn)
}

// handleRefusal drops the message that a hook refused, where the turn ends before claude
// took it. A session that has nothing else is none to go on with.
func (l *agentRun) handleRefusal(e agent.TurnEnded) {
	if e.Rounds > 0 || e.Unasked {
		return
	}
	l.out.Refuse()
	if l.kind() == beckon.TaskRun && !l.resumed && l.snapshot().Turns == 0 {
		ctx, cancel := l.shutdown()
		defer cancel()
		l.note(func() { l.run.Session = "" })
		logged("forget a session without a message", l.forgetSession(ctx), "run", l.run.ID)
	}
}
