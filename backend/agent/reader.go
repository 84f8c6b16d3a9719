package agent

import "beckon/backend/beckon"

// Reader reads the lines of one kind of agent as what a transcript shows of them. It is
// pure: what it returns depends on the line alone, and package transcript joins it.
type Reader interface {
	// Entries returns what line number pos, of time at, shows. A result is an orphan that
	// has its call's ID, a message has MessageEntry's, so that its echo is known, and of a
	// turn CostUSD is what the agent's process cost by its end. A line that cannot be
	// understood is a quiet notice, "unknown".
	Entries(pos, at int64, line Line) []beckon.Entry
	// Piece reads a partial line, and reports whether it changes the main agent's text.
	Piece(line Line) (Piece, bool)
	// MayEndTurn reports whether a line that begins so may end a turn, and EndsTurn whether
	// one does, with what the agent's process cost by then.
	MayEndTurn(head []byte) bool
	EndsTurn(line []byte) (costUSD float64, ends bool)
	// MayHaveResults reports whether a line may have results of calls.
	MayHaveResults(line []byte) bool
	// Files returns what a line says of tool calls that may change files.
	Files(line []byte) FileLine
	// Pictures returns the pictures of a line, in the order in which Entries counts them.
	Pictures(line []byte) []Block
}

// Piece is a part of a text that is being written. Ends is whether that is over, or
// another text begins.
type Piece struct {
	Text     string
	Thinking bool
	Ends     bool
}

// MessageEntry is the ID of the entry of a message.
func MessageEntry(messageID string) string { return "user/" + messageID }

// PictureTypes are what is shown as a picture: images that browsers draw without running
// anything.
var PictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}
