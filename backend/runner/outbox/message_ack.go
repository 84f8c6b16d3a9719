package outbox

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// acknowledgedBy returns the messages that a line says claude has taken: one by
// its echo, which comes with the first words of its turn, and a command, which
// has none, by the turn that it begins. Most lines are long results of tools, so
// they are searched only while a message is on its way.
func (o *Outbox) acknowledgedBy(line *claude.Line) []*sending {
	sent := o.onTheWay()
	switch {
	case len(sent) == 0:
		return nil
	case isInit(line) && sent[0].command != "":
		return sent[:1]
	case line.Kind == claude.UserLine && bytes.Contains(line.Raw, []byte(`"isReplay":true`)):
		m, err := line.Message()
		return slices.DeleteFunc(sent, func(s *sending) bool { return err != nil || s.id != m.UUID })
	}
	return nil
}

// startedBy returns the messages that a line shows to be with the agent: those
// that it says were taken, and the one whose turn it begins.
func (o *Outbox) startedBy(line *claude.Line) []*sending {
	if line.Kind != claude.UserLine && line.Kind != claude.SystemLine {
		return nil
	}
	if sent := o.onTheWay(); len(sent) > 0 && isInit(line) {
		return sent[:1]
	}
	return o.acknowledgedBy(line)
}

func (o *Outbox) onTheWay() []*sending {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.sent)
}

func isInit(line *claude.Line) bool {
	return line.Kind == claude.SystemLine && bytes.Contains(line.Raw, []byte(`"subtype":"init"`))
}

// Unshown returns what shows the messages that a line shows to be with the
// agent, where the transcript does not yet.
func (o *Outbox) Unshown(line *claude.Line) [][]byte {
	var lines [][]byte
	for _, s := range o.startedBy(line) {
		o.mu.Lock()
		if !s.shown {
			s.shown = true
			lines = append(lines, s.line)
		}
		o.mu.Unlock()
	}
	return lines
}

// Acknowledge notes which of the messages claude has, and shows them no more in
// the queue; the transcript has them by then. Commands, of which claude keeps
// no record, are rows no more.
func (o *Outbox) Acknowledge(line *claude.Line) {
	started, taken := o.startedBy(line), o.acknowledgedBy(line)
	if len(started) == 0 {
		return
	}
	var ids, rows []string
	for _, s := range taken {
		ids = append(ids, s.id)
		switch {
		case s.row && s.command != "":
			rows = append(rows, s.id)
		case s.row || len(s.answers) > 0:
			o.took(receipt{proof: claude.Proof{ID: s.id}, questions: s.answers, row: s.row})
		}
	}
	o.forget(ids...)
	if slices.ContainsFunc(started, func(s *sending) bool { return s.row }) {
		o.dropRows(rows)
	}
}

// Refuse drops the message whose turn ended before claude took it, as where a hook refused
// it: the transcript has it. What it answers is owed to the next run.
func (o *Outbox) Refuse() {
	sent := o.onTheWay()
	if len(sent) == 0 {
		return
	}
	o.forget(sent[0].id)
	if sent[0].row {
		o.dropRows([]string{sent[0].id})
	}
}

// dropRows removes messages from the queue, beside the caller.
func (o *Outbox) dropRows(ids []string) {
	o.agent.Go(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeIn)
		defer cancel()
		logged("drop messages from the queue", o.queues.drop(ctx, o.run.TaskID, ids), "run", o.run.ID)
	})
}

// hasTaken reports whether claude printed that it took a message whose row is
// there still.
func (o *Outbox) hasTaken(id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.due, func(d receipt) bool { return d.proof.ID == id })
}

// visible leaves out of a task's queue what the transcript shows already,
// and counts what waits for the turn's end.
func (o *Outbox) visible(list []beckon.Message) []beckon.Message {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queued = 0
	return slices.DeleteFunc(list, func(m beckon.Message) bool {
		if m.Sent == 0 {
			o.queued++
		}
		return slices.ContainsFunc(o.sent, func(s *sending) bool { return s.id == m.ID && s.shown }) ||
			slices.ContainsFunc(o.due, func(d receipt) bool { return d.proof.ID == m.ID })
	})
}

// Expect remembers, before the agent has an answer, which tool call's result
// will say that it is in the session.
func (o *Outbox) Expect(q beckon.Question) {
	if q.Settlement != beckon.Answered || q.Delivered != 0 || q.Proof == "" || q.Proof != q.ToolUseID {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.acks[q.ToolUseID] = receipt{proof: proofOf(q), questions: []string{q.ID}}
}

// Answered finds the result of a tool call that asked in a line: claude has it,
// and is about to write it down.
func (o *Outbox) Answered(raw []byte) {
	for _, due := range o.answeredBy(raw) {
		o.took(due)
	}
}

func (o *Outbox) answeredBy(raw []byte) (taken []receipt) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for call, due := range o.acks {
		if bytes.Contains(raw, []byte(`"tool_use_id":"`+call+`"`)) {
			taken = append(taken, due)
			delete(o.acks, call)
		}
	}
	return taken
}

// forgetAnswer keeps the result of a call from passing for the delivery of the
// answer that overruled it.
func (o *Outbox) forgetAnswer(questionID string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.DeleteFunc(o.acks, func(_ string, due receipt) bool { return slices.Contains(due.questions, questionID) })
	o.due = slices.DeleteFunc(o.due, func(due receipt) bool { return slices.Contains(due.questions, questionID) })
}
