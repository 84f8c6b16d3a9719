package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/transcript"
)

// interruptIn is how long claude may take to end its turn for a message: it
// takes milliseconds, or does not hear.
const interruptIn = 3 * time.Second

// sending is a message that was handed to claude, from then until claude says
// that it took it.
type sending struct {
	id      string
	answers []string // the questions that it answers
	row     bool     // it is the user's, and a row until it is taken
	line    []byte   // what shows it in the transcript
	shown   bool     // the transcript has it
	// command is one that claude does not echo: the next turn is its own.
	command bool
}

// isCommand reports whether claude takes a message for a command of its own.
func isCommand(text string) bool { return strings.HasPrefix(text, "/") }

// say sends the agent words of Beckon's, which answer those questions. They
// are in the transcript before they are sent.
func (l *live) say(text string, answers ...string) error {
	s := &sending{id: claude.NewUUID(), answers: answers, shown: true, command: isCommand(text)}
	if err := l.record(transcript.MessageLine(s.id, text)); err != nil {
		return err
	}
	ctx, cancel := l.shutdown()
	defer cancel()
	if err := l.r.Store.Tell(ctx, s.id, answers...); err != nil {
		return err
	}
	return l.hand(s, claude.UserMessage{UUID: s.id, Text: text})
}

func (l *live) hand(s *sending, m claude.UserMessage) error {
	l.note(func() {
		l.sent = append(l.sent, s)
		l.commanded = l.commanded || s.command
		l.beginTurn()
	})
	if err := l.process().Send(m); err != nil {
		l.forget(s.id)
		return fmt.Errorf("the agent did not take the message: %w", err)
	}
	return nil
}

// forget drops messages from those that claude is to take.
func (l *live) forget(ids ...string) {
	l.note(func() {
		l.sent = slices.DeleteFunc(l.sent, func(s *sending) bool { return slices.Contains(ids, s.id) })
	})
}

// beginTurn notes that a turn is open. The caller holds mu.
func (l *live) beginTurn() {
	l.facts.TurnOpen, l.rested = true, false
	l.jobs.Busy()
	l.facts.Background = false
	if l.run.Activity.Verb == beckon.Background {
		l.run.Activity = beckon.Activity{}
	}
}

// rest notes that a turn is over. The run works on while a message is on its
// way or about to be. The caller holds mu.
func (l *live) rest() {
	l.rested = len(l.sent) == 0
	l.facts.TurnOpen = !l.rested || l.queued > 0 && l.turn.goesOn()
}

// goesOn reports whether the next message may follow. Behind a failure, such as
// a spent quota, the whole queue would only fail too.
func (t turn) goesOn() bool { return !t.failed || t.interrupted }

// goOn begins what follows a turn: the first message of the queue, in a turn
// of its own, or the end of a task run whose last turn was not cut short.
func (l *live) goOn() {
	ctx, cancel := l.shutdown()
	defer cancel()
	l.carrying.Lock()
	defer l.carrying.Unlock()
	last, rested := l.lastTurn()
	if !rested {
		return
	}
	sent, err := l.sendNext(ctx, last)
	logged("send a queued message", err, "run", l.run.ID)
	switch {
	case sent:
	case l.kind() == beckon.TaskRun && !last.interrupted && err == nil:
		if l.waitsForBackground() {
			return
		}
		l.proc.CloseInput()
	default:
		l.note(func() { l.facts.TurnOpen = len(l.sent) > 0 || !l.rested })
	}
}

// lastTurn returns how the last turn ended, and whether nothing followed it
// and the run is not to end.
func (l *live) lastTurn() (turn, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.turn, l.rested && l.outcome == ""
}

// sendNext sends the first message of the queue, where there is one. The
// caller holds carrying.
func (l *live) sendNext(ctx context.Context, last turn) (sent bool, err error) {
	if !last.goesOn() {
		return false, nil
	}
	m, ok, err := l.r.Store.NextMessage(ctx, l.task.ID)
	if err != nil || !ok {
		return false, err
	}
	if _, err := l.handOver(ctx, m); err != nil {
		return false, err
	}
	return true, l.r.tellQueue(ctx, l.task.ID)
}

// handOver gives claude a message of the user's and returns its row as it then
// is. The row says so before claude has it, so that a crash between the two
// does not send it twice. The caller holds carrying.
func (l *live) handOver(ctx context.Context, m beckon.Message, answers ...string) (beckon.Message, error) {
	m.Text = doubtWords(m) + m.Text
	blocks := l.r.blocksOf(m)
	sent, err := l.r.Store.UpdateMessage(ctx, m.ID, func(m *beckon.Message) error { m.Sent = beckon.Now(); return nil })
	if err != nil {
		return m, err
	}
	if err := l.r.Store.Tell(ctx, m.ID, answers...); err != nil {
		return m, err
	}
	s := &sending{id: m.ID, row: true, answers: answers, command: isCommand(m.Text), line: transcript.MessageLine(m.ID, m.Text, blocks...)}
	if s.command && !l.busy() {
		err = l.record(s.line) // claude says what it did before it says that it began
		s.shown = true
	}
	if err == nil {
		err = l.hand(s, claude.UserMessage{UUID: m.ID, Text: m.Text, Blocks: blocks})
	}
	if err == nil {
		return sent, nil
	}
	_, undo := l.r.Store.UpdateMessage(ctx, m.ID, func(m *beckon.Message) error { m.Sent = 0; return nil })
	logged("queue a message again", undo, "message", m.ID)
	return m, err
}

// doubtWords go before a message that the agent may have had.
func doubtWords(m beckon.Message) string {
	if !m.Doubtful || isCommand(m.Text) {
		return ""
	}
	return "(You may have had this message already. If so, do not act on it twice.)\n\n"
}

// offer hands a message over if its manner lets it go at once, and returns it
// as it then is. What hinders it leaves it in the queue.
func (l *live) offer(ctx context.Context, m beckon.Message, manner beckon.Manner) beckon.Message {
	l.carrying.Lock()
	defer l.carrying.Unlock()
	now, waits := l.waits(ctx, m)
	if !waits || l.busy() && (manner == beckon.Queue || manner == beckon.Redirect && !l.cutTurn(ctx)) {
		return now
	}
	m, err := l.handOver(ctx, m)
	logged("hand a message over", err, "message", m.ID)
	return m
}

// waits returns a message as it is now, and whether it waits for an agent that
// had its first message and is not to end. The caller holds carrying: until
// then the message may have been the first, or the next.
func (l *live) waits(ctx context.Context, m beckon.Message) (beckon.Message, bool) {
	now, err := l.r.Store.Message(ctx, m.ID)
	if err != nil { // it was read already
		m.Sent = beckon.Now()
		return m, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return now, now.Sent == 0 && l.greeted && l.outcome == ""
}

func (l *live) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.facts.TurnOpen
}

// cutTurn ends the open turn for a message, and reports whether claude heard.
func (l *live) cutTurn(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, interruptIn)
	defer cancel()
	err := l.interrupt(ctx, "You sent a message instead.")
	logged("interrupt for a message", err, "run", l.run.ID)
	return err == nil
}

// interrupt ends the open turn, and with it what it asked. A turn that goes on
// all the same is not left to wait for answers that nobody can give.
func (l *live) interrupt(ctx context.Context, reason string) error {
	asked := l.requests.ids()
	if err := l.r.Desk.WithdrawAll(ctx, l.run.ID, reason); err != nil {
		return err
	}
	err := l.process().Interrupt(ctx)
	if err == nil {
		return nil
	}
	for _, request := range asked {
		logged("refuse", l.process().RefuseControl(request, reason), "run", l.run.ID)
	}
	return err
}
