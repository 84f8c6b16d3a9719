package view

import (
	"bytes"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// unwrittenMost is how much of a transcript is kept in memory until there is
// room for it: what an agent says between a failed write and its end.
const unwrittenMost = 4 << 20

// Keep keeps lines that the log did not take, for the next Append or Flush.
func (v *View) Keep(lines []agent.Line) {
	v.mu.Lock()
	defer v.mu.Unlock()
	size := 0
	for _, line := range v.unwritten {
		size += len(line.Bytes())
	}
	for _, line := range lines {
		if size += len(line.Bytes()); size > unwrittenMost {
			return
		}
		v.unwritten = append(v.unwritten, agent.Raw(bytes.Clone(line.Bytes())))
	}
}

// Flush writes the lines that the log did not take.
func (v *View) Flush() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.unwritten) == 0 {
		return nil
	}
	if _, err := v.log.Append(beckon.Now(), rawOf(v.unwritten)); err != nil {
		return err
	}
	v.unwritten = nil
	return nil
}
