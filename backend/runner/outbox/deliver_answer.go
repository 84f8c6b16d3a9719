package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/runner/request"
)

// Park ends the run of a question that nobody answered in time. Its card goes
// to review, as that of any run that ended before its work did, and so frees
// its slot; the question waits on, and its answer resumes the session.
func (r *Runner) Park(q beckon.Question) {
	if l := r.liveRun(q.TaskID); l != nil && l.run.ID == q.RunID {
		l.end(beckon.Parked, q.Reason)
	}
}

// Carry brings an answer that nobody waits for to the agent: as a message
// where one lives that has the session, else by a run that resumes it, or,
// where resume is false, with the next run. Until claude has taken it the
// answer stands as not delivered, and every run begins with those.
func (r *Runner) Carry(q beckon.Question, resume bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && q.TaskID != "" {
		r.wg.Go(func() { logged("carry an answer", r.carry(r.ctx, q, resume), "question", q.ID) })
	}
}

func (r *Runner) carry(ctx context.Context, q beckon.Question, resume bool) error {
	r.allowAlways(ctx, q)
	run, err := r.Store.Run(ctx, q.RunID)
	if err != nil {
		return err
	}
	for {
		l := r.liveRun(q.TaskID)
		switch {
		case l == nil && resume:
			return r.resume(ctx, q.TaskID, run.Kind)
		case l == nil || l.kind() != run.Kind && !resume:
			return nil
		case l.kind() == run.Kind && l.carry(ctx, q) == nil:
			return nil
		}
		select { // it is about to end, or of another kind, whose end is waited for
		case <-l.ended:
		case <-ctx.Done():
			return nil
		}
		if q, err = r.Store.Question(ctx, q.ID); err != nil || q.Delivered != 0 {
			return err
		}
	}
}

// resume begins the run that answers are waiting for. Where none can begin
// the card says so; the answers keep.
func (r *Runner) resume(ctx context.Context, taskID string, kind beckon.RunKind) error {
	err := r.startAgain(ctx, taskID, kind)
	if err == nil || errors.Is(err, errClosing) || r.liveRun(taskID) != nil {
		return nil // the run that somebody else began takes the answers along
	}
	trouble := fmt.Sprintf("Your answer is kept, but its agent could not be resumed: %v", err)
	_, err = r.Cards.Update(ctx, taskID, func(t *beckon.Task) error { t.Trouble = trouble; return nil })
	return err
}

func (r *Runner) startAgain(ctx context.Context, taskID string, kind beckon.RunKind) error {
	if kind == beckon.ChatRun {
		_, err := r.StartInteractive(ctx, taskID)
		return err
	}
	t, err := r.Store.Task(ctx, taskID)
	if err != nil {
		return err
	}
	if err := t.Move(beckon.Running); err != nil {
		return err
	}
	_, err = r.begin(ctx, taskID, placement{})
	return err
}

// carry tells the agent an answer in a message of its own, unless its first
// message is yet to come and takes it along, or has.
func (l *live) carry(ctx context.Context, q beckon.Question) error {
	l.carrying.Lock()
	defer l.carrying.Unlock()
	if !l.greeted || l.carried[q.ID] {
		return nil
	}
	l.forgetAck(q.ID)
	return l.tell(ctx, "", owed{Question: q})
}

// open says the run's first message: the one with that ID, or the brief or to
// carry on, and the answers that no run has heard. A session that a queued
// message waits for needs no word to carry on.
func (l *live) open(ctx context.Context, opening string) error {
	l.carrying.Lock()
	defer l.carrying.Unlock()
	owing, err := l.r.owing(ctx, l.task.ID, l.run.Kind)
	if err != nil {
		return err
	}
	queued, waits, err := l.r.Store.NextMessage(ctx, l.task.ID)
	if err != nil {
		return err
	}
	l.greeted = true
	first := l.opening()
	if m, err := l.r.Store.Message(ctx, opening); err == nil && m.Sent == 0 {
		return errors.Join(l.openWith(ctx, m, owing), l.r.tellQueue(ctx, l.task.ID))
	}
	if waits && (l.resumed || first == "") && len(owing) == 0 {
		_, err = l.handOver(ctx, queued) // it is what the session goes on with
		return errors.Join(err, l.r.tellQueue(ctx, l.task.ID))
	}
	if l.resumed && waits {
		first = ""
	}
	return errors.Join(l.tell(ctx, first, owing...), l.r.tellQueue(ctx, l.task.ID))
}

// openWith begins with a message of the user's, behind the brief, where the
// conversation is new and does not know it, and the answers that are owed.
func (l *live) openWith(ctx context.Context, m beckon.Message, owing []owed) error {
	parts, ids, err := l.answers(ctx, owing)
	if err != nil {
		return err
	}
	if !l.resumed {
		parts = append([]string{l.opening()}, parts...)
	}
	m.Text = strings.TrimSpace(strings.Join(append(parts, m.Text), "\n\n"))
	_, err = l.handOver(ctx, m, ids...)
	return err
}

// tell says answers and what else there is to say, as one message. The caller
// holds carrying.
func (l *live) tell(ctx context.Context, opening string, owing ...owed) error {
	if opening == "" && len(owing) == 0 {
		return nil // a chat waits to be spoken to
	}
	parts, ids, err := l.answers(ctx, owing)
	if err != nil {
		return err
	}
	switch {
	case opening == "":
	case l.resumed:
		parts = append(parts, opening)
	default: // an agent that knows of nothing yet
		parts = append([]string{opening}, parts...)
	}
	return l.say(strings.Join(parts, "\n\n"), ids...)
}

// answers puts answers into words and gives the session what they allow. The
// caller holds carrying.
func (l *live) answers(ctx context.Context, owing []owed) (words, ids []string, err error) {
	for _, q := range owing {
		if err := l.prepareFor(ctx, q.Question); err != nil {
			return nil, nil, err
		}
		words, ids = append(words, request.LateAnswer(q.Question, q.doubtful)), append(ids, q.ID)
		l.carried[q.ID] = true
	}
	return words, ids, nil
}

// prepareFor gives the session what an answer allows, since the request that
// asked for it is gone. The caller holds carrying.
func (l *live) prepareFor(ctx context.Context, q beckon.Question) error {
	if q.Answer.Verdict != beckon.AllowOnce && q.Answer.Verdict != beckon.AllowAlways {
		return nil
	}
	switch q.Kind {
	case beckon.Permission:
		l.granted[q.Permission.Tool+"\x00"+q.Permission.Digest] = true
	case beckon.Plan:
		ctx, cancel := context.WithTimeout(ctx, interruptIn) // who sends a message waits for it
		defer cancel()
		mode := l.modeAfterPlan(q.Answer)
		if err := l.proc.SetMode(ctx, string(mode)); err != nil {
			return fmt.Errorf("let the plan be carried out: %w", err)
		}
	case beckon.Ask, beckon.Elicitation: // they allow nothing
	}
	return nil
}

// takeGrant reports whether the user allowed this very call to a run that ended
// before it heard so, and uses that up.
func (l *live) takeGrant(req claude.Request) bool {
	l.carrying.Lock()
	defer l.carrying.Unlock()
	call := req.ToolName + "\x00" + request.Digest(req.Input)
	granted := l.granted[call]
	delete(l.granted, call)
	return granted
}

// forgetAck keeps the result of a call from passing for the delivery of the
// answer that overruled it.
func (l *live) forgetAck(questionID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.acks, func(_ string, due receipt) bool { return slices.Contains(due.questions, questionID) })
	l.due = slices.DeleteFunc(l.due, func(due receipt) bool { return slices.Contains(due.questions, questionID) })
}
