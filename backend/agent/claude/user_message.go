package claude

import (
	"fmt"

	"beckon/backend/beckon"
)

// UserMessage is what the user, or Beckon for them, says to the agent.
type UserMessage struct {
	UUID   string  // identifies it in replays; made up where empty
	Text   string  // used where Blocks is empty
	Blocks []Block // text, image and document blocks
	// Priority is "" or "next" to be heard at the next tool boundary, "later"
	// to be heard after the turn. "now" is refused: while a tool runs it makes
	// the CLI deaf to interrupts (section 3).
	Priority string
}

// Wire returns what is written as a line. A priority that the CLI must not get
// is beckon.ErrInvalid.
func (m UserMessage) Wire() (any, error) {
	if m.Priority != "" && m.Priority != "next" && m.Priority != "later" {
		return nil, fmt.Errorf("priority %q: %w", m.Priority, beckon.ErrInvalid)
	}
	if m.UUID == "" {
		m.UUID = beckon.NewUUID()
	}
	var content any = m.Text
	if len(m.Blocks) > 0 {
		content = m.Blocks
	}
	type message struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	}
	return struct {
		Type     string  `json:"type"`
		Message  message `json:"message"`
		UUID     string  `json:"uuid"`
		Priority string  `json:"priority,omitempty"`
	}{"user", message{"user", content}, m.UUID, m.Priority}, nil
}
