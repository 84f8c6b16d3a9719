package outbox

import (
	"context"
	"maps"
	"slices"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// acknowledgedBy returns the messages that an event says the agent has taken: one by
// its echo, and a command, which has none, by the turn that it begins.
func (o *Outbox) acknowledgedBy(event agent.Event) []*sending {
	switch e := event.(type) {
	case agent.TurnBegan:
		if sent := o.onTheWay(); len(sent) > 0 && sent[0].command != "" {
			return sent[:1]
		}
	case agent.Heard:
		if sent := o.onTheWay(); len(sent) > 0 {
			id := e.Message()
			return slices.DeleteFunc(sent, func(s *sending) bool { return s.id != id })
		}
	}
	return nil
}

// startedBy returns the messages that an event shows to be with the agent: those
// that it says were taken, and the one whose turn it begins.
func (o *Outbox) startedBy(event agent.Event) []*sending {
	if _, began := event.(agent.TurnBegan); !began {
		return o.acknowledgedBy(event)
	}
	sent := o.onTheWay()
	return sent[:min(1, len(sent))]
}

func (o *Outbox) onTheWay() []*sending {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.sent)
}

// Unshown returns what shows the messages that an event shows to be with the
// agent, where the transcript does not yet.
func (o *Outbox) Unshown(event agent.Event) [][]byte {
	var lines [][]byte
	for _, s := range o.startedBy(event) {
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
func (o *Outbox) Acknowledge(event agent.Event) {
	started, taken := o.startedBy(event), o.acknowledgedBy(event)
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
			o.took(receipt{proof: agent.Proof{ID: s.id}, questions: s.answers, row: s.row})
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

// Answered finds the result of a tool call that asked in what the agent was given, which is
// about to write it down, unless the log is its record.
func (o *Outbox) Answered(by agent.Given) {
	for _, due := range o.answeredBy(by) {
		if w, ok := by.(agent.Witness); ok {
			logged("record that an answer was heard", o.agent.Record(w.Line(due.proof.ID)), "run", o.run.ID)
		}
		o.took(due)
	}
}

func (o *Outbox) answeredBy(given agent.Given) (taken []receipt) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for call, due := range o.acks {
		if given.HasResult(call) {
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
