package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/observe"
	"beckon/backend/observe/dialog"
)

// Answer types an answer into the terminal of a session that has no hook, and
// reports whether the question was one of those; any other is the desk's to
// settle. The error says what the user can do, and nothing is settled then.
func (r *Relay) Answer(ctx context.Context, questionID string, given beckon.Answer) (typed bool, err error) {
	a := r.byQuestion(questionID)
	if a == nil {
		return false, nil
	}
	q, err := r.Desk.Check(ctx, questionID, given)
	if err != nil {
		return true, err
	}
	return true, a.typeIn(ctx, a.reply(q), given)
}

// AllowKeys has answers typed into the terminals of the version of the CLI that a
// question comes from, although its screens are not known, until Beckon ends.
func (r *Relay) AllowKeys(questionID string) error {
	a := r.byQuestion(questionID)
	if a == nil {
		return fmt.Errorf("the question is not answered by keys: %w", beckon.ErrNotFound)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.allowed[a.s.now.Version] = true
	return nil
}

// reply is an answer as it is typed. What is to be allowed always is the row that
// the person read, which has to be on the screen.
func (a *ask) reply(q beckon.Question) dialog.Reply {
	a.s.r.mu.Lock()
	defer a.s.r.mu.Unlock()
	r := dialog.Reply{Answer: forTerminal(a.req, q)}
	if r.Verdict == beckon.AllowAlways {
		r.Row = q.Permission.Always
	}
	return r
}

// byQuestion returns the call of a question that has to be typed, or that
// cannot be answered from here; nil for any other.
func (r *Relay) byQuestion(id string) *ask {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.sessions {
		for _, a := range s.asks {
			if a.id == id && a.hook == nil && a.given == nil {
				return a
			}
		}
	}
	return nil
}

// typeIn types a reply, and settles the question by the answer once the session
// file has it. What others answer there meanwhile counts instead; and where this answer
// cannot be kept, what the file says.
func (a *ask) typeIn(ctx context.Context, reply dialog.Reply, given beckon.Answer) error {
	pane, pending, err := a.begin(ctx)
	if err != nil {
		return err
	}
	err = a.s.r.typed(ctx, pane, pending, reply)
	over := a.stop()
	if err == nil {
		err = a.s.r.Desk.Answer(context.WithoutCancel(ctx), a.id, given)
	}
	if err != nil && over != nil {
		a.conclude(*over)
	}
	return err
}

// How long a dialog may take until it is drawn, after the session file has its
// call, and how often the screen is looked at meanwhile.
const (
	drawnIn   = 1500 * time.Millisecond
	lookAgain = 100 * time.Millisecond
)

// typed types a reply, and waits for the dialog where it is not drawn yet.
func (r *Relay) typed(ctx context.Context, pane dialog.Terminal, pending dialog.Pending, reply dialog.Reply) error {
	for end := time.Now().Add(drawnIn); ; {
		err := dialog.Because(dialog.NoDialog)
		_, over := pending.Settled()
		late := time.Now().After(end)
		if over || late || pending.Open() { // else the session has not said yet that it waits
			err = r.typist.Answer(ctx, pane, pending, reply)
		}
		if !undrawn(err) || late {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(lookAgain):
		}
	}
}

// undrawn reports whether an answer found another screen than its dialog's, and
// nothing was typed.
func undrawn(err error) bool {
	var r *dialog.Refusal
	return errors.As(err, &r) && r.Keys == 0 && (r.Reason == dialog.NoDialog || r.Reason == dialog.OtherDialog)
}

// begin finds the pane of the session and keeps what the file says from
// settling the question while it is typed.
func (a *ask) begin(ctx context.Context) (dialog.Terminal, dialog.Pending, error) {
	r := a.s.r
	r.mu.Lock()
	session, way, pending := a.s.now, a.way(), a.pending()
	allowed := dialog.Tested(session.Version) || r.allowed[session.Version]
	r.mu.Unlock()
	if way != beckon.WayKeys {
		return nil, pending, errInTerminal
	}
	if !allowed {
		return nil, pending, &dialog.Refusal{Reason: dialog.Untested, Version: session.Version}
	}
	pane, err := r.Terminal(ctx, session)
	if err != nil {
		return nil, pending, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.hook != nil || a.given != nil || a.over != nil {
		return nil, pending, dialog.Because(dialog.Closed)
	}
	a.typing++
	return pane, pending, nil
}

// pending is the question as it has to be on the screen. The caller holds mu.
func (a *ask) pending() dialog.Pending {
	p := dialog.Pending{
		Question: drawnOf(a.req, a.agent), Dir: a.s.now.CWD, Several: a.s.now.Several,
		Open: a.isOpen, Settled: a.outcome,
	}
	for _, other := range a.s.asks {
		if other != a {
			p.Others = append(p.Others, drawnOf(other.req, other.agent))
		}
	}
	for _, other := range a.s.now.Asks { // those too for which there was no room
		if a.s.byCall(other.ID) == nil {
			p.Others = append(p.Others, drawnOf(requestOf(other), agentName(other.Agent)))
		}
	}
	return p
}

// drawnOf is a call as its dialog shows it.
func drawnOf(req claude.Request, agent string) beckon.Question {
	q := callQuestion(req)
	q.Agent = cmp.Or(agent, req.AgentID)
	return q
}

// stop ends what begin began, and returns what the session file said meanwhile.
func (a *ask) stop() *observe.Event {
	a.s.r.mu.Lock()
	defer a.s.r.mu.Unlock()
	a.typing--
	return a.over
}

// isOpen reports whether the session waits for this answer at this moment.
func (a *ask) isOpen() bool {
	open, _ := a.s.r.Check(a.session(), a.req.ToolUseID)
	return open
}

// outcome returns what the session file has as the result.
func (a *ask) outcome() (dialog.Settled, bool) {
	_, result := a.s.r.Check(a.session(), a.req.ToolUseID)
	if result == nil {
		return dialog.Settled{}, false
	}
	settled := dialog.Settled{Declined: result.Outcome == sessionfile.Refused || result.Outcome == sessionfile.Stopped}
	if len(result.Answers) > 0 {
		settled.Answers = map[string]string{}
	}
	for _, one := range result.Answers {
		settled.Answers[one.Question] = one.Answer
	}
	return settled, true
}

func (a *ask) session() string {
	a.s.r.mu.Lock()
	defer a.s.r.mu.Unlock()
	return a.s.now.ID
}

// conclude settles a question by what the session file says came of it.
func (a *ask) conclude(e observe.Event) {
	switch e.How {
	case observe.Answered, observe.Allowed, observe.Declined:
		answered := a.elsewhere(e)
		a.end(&answered)
	case observe.Interrupted:
		a.end(errInterrupted)
	case observe.Gone:
		a.end(errEnded)
	}
}
