package runner

import (
	"bytes"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/store"
)

// unwrittenMost is how much of a transcript is kept in memory until there is
// room for it: what an agent says between a failed write and its end.
const unwrittenMost = 4 << 20

// keepUnwritten keeps lines that the transcript did not take, until writeRest.
func (l *live) keepUnwritten(lines [][]byte) {
	l.showing.Lock()
	defer l.showing.Unlock()
	size := 0
	for _, line := range l.unwritten {
		size += len(line)
	}
	for _, line := range lines {
		if size += len(line); size > unwrittenMost {
			return
		}
		l.unwritten = append(l.unwritten, bytes.Clone(line))
	}
}

// writeRest writes the lines that the transcript did not take.
func (l *live) writeRest() error {
	l.showing.Lock()
	defer l.showing.Unlock()
	if len(l.unwritten) == 0 {
		return nil
	}
	if _, err := l.log.Append(beckon.Now(), l.unwritten); err != nil {
		return err
	}
	l.unwritten = nil
	return nil
}

// endUnrecorded ends a run whose transcript cannot be written: nobody could see
// what it does. One whose last turn is over leaves by itself, and succeeded.
func (l *live) endUnrecorded(err error) {
	l.mu.Lock()
	over := l.run.Kind == beckon.TaskRun && l.turn.ended && !l.turn.interrupted && l.rested
	l.mu.Unlock()
	switch {
	case over:
	case store.IsFull(err):
		l.end(beckon.Failed, "The disk is full, so the transcript could not be written and the agent was stopped. Its work and session are kept: make room on the disk, then resume it.")
	default:
		l.end(beckon.Failed, fmt.Sprintf("The transcript could not be written, so the agent was stopped: %v. Its work and session are kept.", err))
	}
}
