package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/observe"
	"beckon/backend/question"
)

// errInTerminal is what one reads who answers a question that cannot be
// answered from here.
var errInTerminal = problem.New(problem.InTerminal,
	fmt.Errorf("this session can be answered in its terminal only; nothing was sent: %w", beckon.ErrUnavailable))

// ask is a call that a session waits for a person with. The Relay's mu guards it.
type ask struct {
	s     *session
	id    string         // of its question
	req   claude.Request // ToolUseID is empty while only the hook has told of it
	agent string
	ctx   context.Context // of its question
	end   context.CancelCauseFunc

	offering sync.Mutex // held while the card says what "allow always" means

	mayShow bool                 // its dialog may be the one on the screen
	looked  bool                 // its rows were read off the screen, or are about to be
	row     string               // that allows it always, as the screen has it
	pids    []int                // of its hook, and of what called that
	hook    chan json.RawMessage // of the hook that waits, 1-buffered; nil: none
	given   *beckon.Question     // as it was answered here
	typing  int                  // how many type the answer into its terminal
	over    *observe.Event       // what the session file says came of it
	unseen  *time.Timer          // ends it where only a hook told of it, and no dialog is drawn any more
}

func newAsk(s *session, req claude.Request, agent string) *ask {
	a := &ask{s: s, id: beckon.NewID(), req: req, agent: agent}
	a.ctx, a.end = context.WithCancelCause(s.r.ctx)
	return a
}

// way is how the question can be answered from here.
func (a *ask) way() beckon.AnswerWay {
	switch {
	case a.hook != nil || a.given != nil:
		return beckon.WayHook
	case a.mayShow && a.s.now.Terminal.TmuxPane != "":
		return beckon.WayKeys
	default:
		return beckon.WayTerminal
	}
}

// askDesk asks, and hands the answer on.
func (a *ask) askDesk() {
	defer a.end(nil)
	q, err := a.ask()
	if err == nil && q.Settlement == beckon.Answered && q.Answer.By != beckon.ByTerminal {
		a.answered(q)
		return
	}
	if err != nil && a.ctx.Err() == nil && !errors.Is(err, question.ErrGone) && !errors.Is(err, question.ErrFlood) {
		logged("ask for a session elsewhere", err, "question", a.id)
	}
	a.release(nil)
}

func (a *ask) ask() (beckon.Question, error) {
	a.s.r.mu.Lock()
	q, sessionID := callQuestion(a.req), a.s.now.SessionID
	q.ID, q.Agent, q.Origin, q.Policy = a.id, a.agent, a.s.origin(), beckon.Wait
	a.s.r.mu.Unlock()
	runID, err := a.s.run(a.ctx, sessionID)
	if err != nil {
		return q, err
	}
	q.RunID = runID
	return a.s.r.Desk.Ask(a.ctx, q)
}

// answered hands the answer of a user here to the hook. Where the session file
// was quicker, its word counts.
func (a *ask) answered(q beckon.Question) {
	output, err := callOutput(a.req, q)
	logged("word an answer for a session elsewhere", err, "question", a.id)
	a.s.r.mu.Lock()
	a.given = &q
	over := a.over != nil
	a.s.r.mu.Unlock()
	if over {
		a.compare(q)
		return
	}
	a.release(output)
}

// release lets the hook go, with its output or, as nil, without.
func (a *ask) release(output json.RawMessage) {
	a.s.r.mu.Lock()
	defer a.s.r.mu.Unlock()
	if a.hook != nil {
		a.hook <- output
		a.hook = nil
	}
}

// compare notes whether the session got the answer from here, or another one.
func (a *ask) compare(q beckon.Question) {
	a.release(nil)
	ctx := context.WithoutCancel(a.ctx)
	a.confirm(q)
	if a.over.How == observe.Interrupted || a.over.How == observe.Gone {
		return // it never heard it
	}
	if callArrived(a.req, q, outcome(*a.over)) {
		logged("note a delivery", a.s.r.Desk.Delivered(ctx, q.ID), "question", q.ID)
		return
	}
	logged("note another answer", a.s.r.Desk.Overtake(ctx, q.ID, a.elsewhere(*a.over)), "question", q.ID)
}

// elsewhere is what was answered in the terminal.
func (a *ask) elsewhere(e observe.Event) question.Elsewhere {
	return question.Elsewhere{Answer: callSaid(a.req, outcome(e)), By: beckon.ByTerminal}
}

func outcome(e observe.Event) callOutcome {
	return callOutcome{Declined: e.How == observe.Declined, Allowed: e.How == observe.Allowed, Words: e.Words, Answers: e.Answers}
}

// resultIn is how long the result of a call may take that was denied from here.
const resultIn = 5 * time.Second

// confirm waits for the result of a call that was denied from here and seems to
// run: the session goes on before it writes down that it was denied.
func (a *ask) confirm(q beckon.Question) {
	if !callRefuses(*q.Answer) || a.over.How != observe.Allowed || a.over.Words != "" {
		return
	}
	for end := time.Now().Add(resultIn); time.Now().Before(end); {
		if _, r := a.s.r.Check(a.session(), a.req.ToolUseID); r != nil {
			e := *a.over
			if e.Words = r.Words; r.Outcome == sessionfile.Refused || r.Outcome == sessionfile.Stopped {
				e.How = observe.Declined
			}
			a.s.r.mu.Lock()
			a.over = &e
			a.s.r.mu.Unlock()
			return
		}
		select {
		case <-a.s.r.ctx.Done():
			return
		case <-time.After(lookAgain):
		}
	}
}
