package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// Deliver tells the agent the answer that a question has by now, in a message of its
// own, unless its first message is yet to come and takes it along, or has. For a
// change the turn is cut short: it goes by what holds no more. A claude that does
// not heed that hears of it at its next tool.
func (o *Outbox) Deliver(ctx context.Context, id string) error {
	o.deliveryMu.Lock()
	defer o.deliveryMu.Unlock()
	q, err := o.queues.Store.Question(ctx, id)
	if err != nil || !o.opened || o.delivered[q.ID] > len(q.Earlier) {
		return err
	}
	o.forgetAnswer(q.ID)
	if len(q.Earlier) > 0 && !o.takeBackChange(ctx, q.ID) && o.agent.State().Open {
		o.agent.CutTurn(ctx, reason.Of(reason.YouChanged))
	}
	return o.prompt(ctx, "", Owed{Question: q})
}

// takeBackChange takes back the message that tells an earlier answer to the question,
// and reports whether the agent had not taken it: the turn that it was to begin is not
// there to be cut. The caller holds deliveryMu.
func (o *Outbox) takeBackChange(ctx context.Context, questionID string) bool {
	sent := o.onTheWay()
	i := slices.IndexFunc(sent, func(s *sending) bool { return !s.row && len(s.answers) == 1 && s.answers[0] == questionID })
	return i >= 0 && o.takeBack(ctx, sent[i].id) == nil
}

// Open says the run's first message: the one with that ID, or the brief or to
// carry on, and the answers that no run has heard. A session that a queued
// message waits for needs no word to carry on; a new one gets it with the brief.
func (o *Outbox) Open(ctx context.Context, opening string) error {
	o.deliveryMu.Lock()
	defer o.deliveryMu.Unlock()
	owing, err := o.queues.Owing(ctx, o.run.TaskID, o.run.Kind)
	if err != nil {
		return err
	}
	queued, waits, err := o.queues.Store.NextMessage(ctx, o.run.TaskID)
	if err != nil {
		return err
	}
	o.opened = true
	first := o.agent.Prompt()
	m, err := o.queues.Store.Message(ctx, opening)
	own := err == nil && m.Sent == 0
	if !own && waits && !o.resumed() && first != "" && commandOf(queued.Text) == "" {
		m, own = queued, true // the run that it was to open may have ended before its agent had it
	}
	if own {
		return errors.Join(o.openWith(ctx, m, owing), o.queues.PublishQueue(ctx, o.run.TaskID))
	}
	if waits && (o.resumed() || first == "") && len(owing) == 0 {
		_, err = o.sendQueued(ctx, queued) // it is what the session goes on with
		return errors.Join(err, o.queues.PublishQueue(ctx, o.run.TaskID))
	}
	if o.resumed() && waits {
		first = ""
	}
	return errors.Join(o.prompt(ctx, first, owing...), o.queues.PublishQueue(ctx, o.run.TaskID))
}

// openWith begins with a message of the user's, behind the brief, where the
// conversation is new and does not know it, and the answers that are owed.
func (o *Outbox) openWith(ctx context.Context, m beckon.Message, owing []Owed) error {
	parts, told, err := o.answers(ctx, owing)
	if err != nil {
		return err
	}
	if !o.resumed() {
		parts = append([]string{o.agent.Prompt()}, parts...)
	}
	m.Text = strings.TrimSpace(strings.Join(append(parts, m.Text), "\n\n"))
	_, err = o.sendQueued(ctx, m, told...)
	return err
}

// prompt says answers and what else there is to say, as one message. The caller
// holds deliveryMu.
func (o *Outbox) prompt(ctx context.Context, opening string, owing ...Owed) error {
	if opening == "" && len(owing) == 0 {
		return nil // a chat waits to be spoken to
	}
	parts, told, err := o.answers(ctx, owing)
	if err != nil {
		return err
	}
	switch {
	case opening == "":
	case o.resumed():
		parts = append(parts, opening)
	default: // an agent that knows of nothing yet
		parts = append([]string{opening}, parts...)
	}
	return o.say(ctx, strings.Join(parts, "\n\n"), told...)
}

// answers puts answers into words and gives the session what they allow. The
// caller holds deliveryMu.
func (o *Outbox) answers(ctx context.Context, owing []Owed) (words []string, told []beckon.Question, err error) {
	for _, q := range owing {
		if err := o.prepareFor(ctx, q.Question); err != nil {
			return nil, nil, err
		}
		words, told = append(words, answer.Late(q.Question, q.Doubtful)), append(told, q.Question)
		o.delivered[q.ID] = len(q.Earlier) + 1
	}
	return words, told, nil
}

// prepareFor gives the session what an answer allows, since the request that
// asked for it is gone, and takes back what a changed one allowed. The caller holds
// deliveryMu.
func (o *Outbox) prepareFor(ctx context.Context, q beckon.Question) error {
	allows := q.Answer.Verdict == beckon.AllowOnce || q.Answer.Verdict == beckon.AllowAlways
	switch {
	case q.Kind == beckon.Permission && allows && q.Permission.Digest != "":
		o.granted[callOf(q.Permission)] = true
	case q.Kind == beckon.Plan && allows:
		return o.setMode(ctx, o.agent.ModeAfterPlan(q.Answer))
	case q.Kind == beckon.Plan && len(q.Earlier) > 0:
		return o.setMode(ctx, beckon.ModePlan)
	}
	return nil
}

func (o *Outbox) setMode(ctx context.Context, mode beckon.PermissionMode) error {
	ctx, cancel := context.WithTimeout(ctx, obeyIn) // the sender of a message waits for it
	defer cancel()
	if err := o.agent.Session().SetMode(ctx, mode); err != nil {
		return fmt.Errorf("follow what was said to the plan: %w", err)
	}
	return nil
}

// callOf tells calls of tools apart.
func callOf(p *beckon.PermissionRequest) string { return p.Tool + "\x00" + p.Digest }

// TakeGrant reports whether the user allowed this very call to a run that ended
// before it heard so, and uses that up. Where the agent wants to do something else first,
// nothing is allowed any more: what the user saw may not be what the call does by then.
func (o *Outbox) TakeGrant(p *beckon.PermissionRequest) bool {
	if p == nil {
		return false
	}
	o.deliveryMu.Lock()
	defer o.deliveryMu.Unlock()
	call := callOf(p)
	granted := o.granted[call]
	if !granted {
		clear(o.granted)
	}
	delete(o.granted, call)
	return granted
}
