package runner

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// handlePartial follows the text being written, and what the newest API message
// takes, before its lines are complete.
func (l *agentRun) handlePartial(line *claude.Line) {
	if l.used.Part(line) {
		l.publish()
	}
	if !bytes.Contains(line.Raw, []byte(`"message_delta"`)) { // its end, without a text
		l.view.AddPart(line)
	}
}

// handleSystem notes the session, the mode in force, and turns that begin by
// themselves.
func (l *agentRun) handleSystem(line *claude.Line) {
	m, err := line.Message()
	if err != nil || m.System == nil {
		return
	}
	switch m.Subtype {
	case claude.Init:
		l.handleInit(m.SessionID, *m.System)
	case claude.StatusChanged:
		if m.System.Mode != "" {
			l.note(func() { l.run.Mode = beckon.PermissionMode(m.System.Mode) })
		}
	case claude.StateChanged:
		l.handleState(m.System.State)
	case claude.CommandsChanged:
		l.learnCommands(l.able(), m.System.Commands)
	case claude.CompactBoundary:
		l.used.SetContext(m.System.Compacted.PostTokens)
		l.publish()
	case claude.TaskStarted, claude.TaskUpdated, claude.TaskNotification:
		if m.Subtype == claude.TaskStarted {
			l.agents.Started(*m.System)
		}
		l.handleBackground(m.Subtype, *m.System)
	case claude.Informational:
		if m.System.Prevents {
			l.failure.hook = cmp.Or(m.System.Content, "A hook ended the turn without a word.")
		}
	case claude.APIRetry:
		l.noteActivity(beckon.Activity{Verb: beckon.Waiting, Target: m.System.Error})
	}
}

// handleState follows the turns that begin on their own, and what cancelled
// messages leave: a rest without another result.
func (l *agentRun) handleState(state string) {
	switch state {
	case claude.StateRunning:
		l.notes.Store(l.resumed)
		l.note(l.beginTurn)
		l.forgetEnd()
	case claude.StateIdle:
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
}

// handleInit begins a turn. The session is written down before anybody hears of it. Where
// claude refuses the mode auto, the run goes on in acceptEdits and says so.
func (l *agentRun) handleInit(session string, s claude.System) {
	if l.snapshot().Session != session {
		l.used.SetContext(0) // as after /clear
		l.keepSession(session, s)
	}
	l.wrote()
	var refused bool
	l.note(func() {
		refused = l.run.Turns == 0 && l.run.Mode == beckon.ModeAuto && s.Mode != "" && s.Mode != string(beckon.ModeAuto)
		l.used.SetModel(s.Model)
		l.run.Session, l.run.Model, l.run.NextModel = session, s.Model, ""
		l.run.Mode = cmp.Or(beckon.PermissionMode(s.Mode), l.run.Mode)
		l.beginTurn()
	})
	l.forgetEnd()
	if refused {
		l.asks.Go(l.acceptEdits)
	}
	l.dumb = !s.HasServer(toolServer)
}

func (l *agentRun) keepSession(session string, s claude.System) {
	ctx, cancel := l.shutdown()
	defer cancel()
	_, err := l.r.Store.UpdateRun(ctx, l.run.ID, func(r *beckon.Run) error {
		r.Session, r.Model, r.Mode = session, s.Model, cmp.Or(beckon.PermissionMode(s.Mode), r.Mode)
		return nil
	})
	logged("record the session", err, "run", l.run.ID)
	if l.kind() == beckon.TaskRun {
		_, err = l.r.Cards.Update(ctx, l.task.ID, func(t *beckon.Task) error { t.Session = session; return nil })
		logged("record the session", err, "task", l.task.ID)
	}
}

// mustAsk ends the run of an agent that has begun to speak and cannot ask. A session
// that is resumed may first note what it lost in a turn without servers and words.
func (l *agentRun) mustAsk() {
	if l.dumb {
		l.end(beckon.Failed, withoutTools)
	}
}

// withoutTools is why an agent is stopped that could not ask.
const withoutTools = "claude began without Beckon's tools, so its agent could not ask you anything and was stopped. Its work and session are kept: see whether a policy of your organization's forbids MCP servers, or claude is older than Beckon needs, then try again."

// acceptEdits is what a run falls back to where auto is unavailable.
func (l *agentRun) acceptEdits() {
	ctx, cancel := context.WithTimeout(l.ctx, readyIn)
	defer cancel()
	err := l.proc.SetMode(ctx, string(beckon.ModeAcceptEdits))
	logged("set the permission mode", err, "run", l.run.ID)
	if err == nil {
		logged("note the mode", l.record(transcript.NoticeLine("auto_refused", string(beckon.ModeAcceptEdits))), "run", l.run.ID)
	}
}

// handleResult ends a turn.
func (l *agentRun) handleResult(line *claude.Line) {
	m, err := line.Message()
	if err != nil || m.Result == nil {
		return
	}
	res := m.Result
	end := turn{ended: true, failed: res.IsError, interrupted: res.Interrupted()}
	l.handleEmpty(*res)
	end.failure = l.takeFailure()
	end.limited = res.IsError && (res.APIErrorStatus == 429 || end.failure.resets > 0 || end.failure.kind == "rate_limit")
	switch {
	case end.failure.hook != "":
		end.failed, end.reason = true, end.failure.hook
		l.handleRefusal(*res)
	case l.out.NoCommand(*res, l.able().Commands):
		end.failed, end.reason = true, res.Text
	case res.IsError:
		end.reason = cmp.Or(end.failure.limit(), res.Text, strings.Join(res.Errors, "\n")) + end.failure.advice()
	}
	l.used.Result(*res)
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
func (l *agentRun) handleRefusal(res claude.Result) {
	if res.NumTurns > 0 || res.OfItsOwn() {
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

// handleRateLimit remembers that a quota was met, and when it ends.
func (l *agentRun) handleRateLimit(line *claude.Line) {
	m, err := line.Message()
	if err != nil || m.Limit == nil || m.Limit.Status != "rejected" {
		return
	}
	l.failure.kind, l.failure.resets = "rate_limit", m.Limit.ResetsAt*1000
}
