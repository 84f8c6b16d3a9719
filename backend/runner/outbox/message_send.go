package outbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/transcript"
)

// sending is a message that was handed to claude, from then until claude says
// that it took it.
type sending struct {
	id      string
	answers []string // the questions that it answers
	row     bool     // it is the user's, and a row until it is taken
	line    []byte   // what shows it in the transcript
	shown   bool     // the transcript has it
	// command is of claude's own, which it does not echo: the next turn is its own.
	command string
}

// commandOf returns the command of its own that claude takes a message for, with its
// slash; "" where it takes it for none.
func commandOf(text string) string {
	if !strings.HasPrefix(text, "/") {
		return ""
	}
	return strings.Fields(text)[0]
}

// say sends the agent words of Beckon's, which answer those questions. They
// are in the transcript before they are sent.
func (o *Outbox) say(ctx context.Context, text string, answers ...beckon.Question) error {
	s := &sending{id: beckon.NewUUID(), answers: idsOf(answers), shown: true, command: commandOf(text)}
	if err := o.agent.Record(transcript.MessageLine(s.id, text)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeIn)
	defer cancel()
	if err := o.queues.Store.SetProof(ctx, s.id, answers...); err != nil {
		return err
	}
	return o.send(s, agent.Message{ID: s.id, Text: text})
}

// Tell says words of Beckon's to the agent, in a turn of their own.
func (o *Outbox) Tell(ctx context.Context, words string) error {
	o.deliveryMu.Lock()
	defer o.deliveryMu.Unlock()
	return o.say(ctx, words)
}

func idsOf(questions []beckon.Question) []string {
	ids := make([]string, 0, len(questions))
	for _, q := range questions {
		ids = append(ids, q.ID)
	}
	return ids
}

// send hands a message to claude.
func (o *Outbox) send(s *sending, m agent.Message) error {
	o.add(s)
	o.agent.BeginTurn()
	if err := o.agent.Session().Send(m); err != nil {
		o.forget(s.id)
		return fmt.Errorf("the agent did not take the message: %w", err)
	}
	return nil
}

// add notes that a message is on its way.
func (o *Outbox) add(s *sending) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sent = append(o.sent, s)
	o.command = cmp.Or(s.command, o.command)
}

// forget drops messages from those that claude is to take.
func (o *Outbox) forget(ids ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sent = slices.DeleteFunc(o.sent, func(s *sending) bool { return slices.Contains(ids, s.id) })
}

// Next sends the first message of the queue where a turn is over, and calls
// rest where there is none, or the turn's end lets none follow. Nothing goes
// out before rest returns. turn reports whether a turn is over that nothing
// followed, and whether the next message may.
func (o *Outbox) Next(ctx context.Context, turn func() (over, goesOn bool), rest func(error)) {
	o.deliveryMu.Lock()
	defer o.deliveryMu.Unlock()
	over, goesOn := turn()
	// A resumed claude may have a turn of its own before its first message, which
	// is what the session goes on with: Open sends it.
	if !over || !o.opened {
		return
	}
	sent, err := false, error(nil)
	if goesOn {
		sent, err = o.sendNext(ctx)
	}
	logged("send a queued message", err, "run", o.run.ID)
	if !sent {
		rest(err)
	}
}

// sendNext sends the first message of the queue, where there is one. The
// caller holds deliveryMu.
func (o *Outbox) sendNext(ctx context.Context) (sent bool, err error) {
	m, ok, err := o.queues.Store.NextMessage(ctx, o.run.TaskID)
	if err != nil || !ok {
		return false, err
	}
	if _, err := o.sendQueued(ctx, m); err != nil {
		return false, err
	}
	return true, o.queues.PublishQueue(ctx, o.run.TaskID)
}

// sendQueued gives claude a message of the user's and returns its row as it then
// is. The row says so before claude has it, so that a crash between the two
// does not send it twice. The caller holds deliveryMu.
func (o *Outbox) sendQueued(ctx context.Context, m beckon.Message, answers ...beckon.Question) (beckon.Message, error) {
	m.Text = doubtWords(m) + m.Text
	blocks := o.queues.blocks(m)
	sent, err := o.queues.Store.UpdateMessage(ctx, m.ID, func(m *beckon.Message) error { m.Sent = beckon.Now(); return nil })
	if err != nil {
		return m, err
	}
	if err := o.queues.Store.SetProof(ctx, m.ID, answers...); err != nil {
		return m, err
	}
	s := &sending{id: m.ID, row: true, answers: idsOf(answers), command: commandOf(m.Text), line: transcript.MessageLine(m.ID, m.Text, blocks...)}
	if s.command != "" && !o.agent.State().Open {
		err = o.agent.Record(s.line) // claude says what it did before it says that it began
		s.shown = true
	}
	if err == nil {
		err = o.send(s, agent.Message{ID: m.ID, Text: m.Text, Blocks: blocks})
	}
	if err == nil {
		return sent, nil
	}
	_, undo := o.queues.Store.UpdateMessage(ctx, m.ID, func(m *beckon.Message) error { m.Sent = 0; return nil })
	logged("queue a message again", undo, "message", m.ID)
	return m, err
}

// doubtWords go before a message that the agent may have had.
func doubtWords(m beckon.Message) string {
	if !m.Doubtful || commandOf(m.Text) != "" {
		return ""
	}
	return "(You may have had this message already. If so, do not act on it twice.)\n\n"
}

// trySend sends a message if its manner lets it go at once, and returns it
// as it then is. What hinders it leaves it in the queue.
func (o *Outbox) trySend(ctx context.Context, m beckon.Message, manner beckon.Manner) beckon.Message {
	if manner == beckon.Queue && o.agent.State().Open {
		return m // the turn's end sends it: it waits for no interrupt before that
	}
	o.deliveryMu.Lock()
	defer o.deliveryMu.Unlock()
	now, waits := o.isQueued(ctx, m)
	if !waits || o.agent.State().Open && (manner == beckon.Queue || manner == beckon.Redirect && !o.agent.CutTurn(ctx, reason.Of(reason.MessageInstead))) {
		return now
	}
	m, err := o.sendQueued(ctx, m)
	logged("send a message", err, "message", m.ID)
	return m
}

// isQueued returns a message as it is now, and whether it waits for an agent
// that had its first message and is not to end. The caller holds deliveryMu: until
// then the message may have been the first, or the next.
func (o *Outbox) isQueued(ctx context.Context, m beckon.Message) (beckon.Message, bool) {
	now, err := o.queues.Store.Message(ctx, m.ID)
	if err != nil { // it was read already
		m.Sent = beckon.Now()
		return m, false
	}
	return now, now.Sent == 0 && o.opened && !o.agent.State().Ending
}
