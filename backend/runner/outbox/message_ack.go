package runner

import (
	"bytes"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

// takenBy returns the messages that a line says claude has taken: one by its
// echo, which comes with the first words of its turn, and a command, which has
// none, by the turn that it begins. Most lines are long results of tools, so
// they are searched only while a message is on its way.
func (l *live) takenBy(line *claude.Line) []*sending {
	sent := l.onTheirWay()
	switch {
	case len(sent) == 0:
		return nil
	case isInit(line) && sent[0].command:
		return sent[:1]
	case line.Kind == claude.UserLine && bytes.Contains(line.Raw, []byte(`"isReplay":true`)):
		m, err := line.Message()
		return slices.DeleteFunc(sent, func(s *sending) bool { return err != nil || s.id != m.UUID })
	}
	return nil
}

// begunBy returns the messages that a line shows to be with the agent: those
// that it says were taken, and the one whose turn it begins.
func (l *live) begunBy(line *claude.Line) []*sending {
	if sent := l.onTheirWay(); len(sent) > 0 && isInit(line) {
		return sent[:1]
	}
	return l.takenBy(line)
}

func (l *live) onTheirWay() []*sending {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.sent)
}

func isInit(line *claude.Line) bool {
	return line.Kind == claude.SystemLine && bytes.Contains(line.Raw, []byte(`"subtype":"init"`))
}

// unshown returns what shows the messages that a line shows to be with the
// agent, where the transcript does not yet.
func (l *live) unshown(line *claude.Line) [][]byte {
	var lines [][]byte
	for _, s := range l.begunBy(line) {
		l.mu.Lock()
		if !s.shown {
			s.shown = true
			lines = append(lines, s.line)
		}
		l.mu.Unlock()
	}
	return lines
}

// hearTaken notes which of the messages claude has, and shows them no more in
// the queue; the transcript has them by then. Commands, of which claude keeps
// no record, are rows no more.
func (l *live) hearTaken(line *claude.Line) {
	begun, taken := l.begunBy(line), l.takenBy(line)
	if len(begun) == 0 {
		return
	}
	var ids, rows []string
	for _, s := range taken {
		ids = append(ids, s.id)
		switch {
		case s.row && s.command:
			rows = append(rows, s.id)
		case s.row || len(s.answers) > 0:
			l.took(receipt{proof: claude.Proof{ID: s.id}, questions: s.answers, row: s.row})
		}
	}
	l.forget(ids...)
	if !slices.ContainsFunc(begun, func(s *sending) bool { return s.row }) {
		return
	}
	l.asks.Go(func() {
		ctx, cancel := l.shutdown()
		defer cancel()
		logged("drop messages that were taken", l.r.dropMessages(ctx, l.task.ID, rows), "run", l.run.ID)
	})
}

// hasTaken reports whether claude printed that it took a message whose row is
// there still.
func (l *live) hasTaken(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.due, func(d receipt) bool { return d.proof.ID == id })
}

// hideShown leaves out of a task's queue what the transcript shows already,
// and counts what waits for the turn's end.
func (l *live) hideShown(list []beckon.Message) []beckon.Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queued = 0
	return slices.DeleteFunc(list, func(m beckon.Message) bool {
		if m.Sent == 0 {
			l.queued++
		}
		return slices.ContainsFunc(l.sent, func(s *sending) bool { return s.id == m.ID && s.shown }) ||
			slices.ContainsFunc(l.due, func(d receipt) bool { return d.proof.ID == m.ID })
	})
}
