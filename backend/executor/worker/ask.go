package worker

import (
	"context"
	"errors"

	"beckon/backend/beckon/executing"
)

// Asking is a Machine whose links may ask the user something first.
type Asking interface {
	Machine
	// Asks returns what is asked; nil where nothing ever is.
	Asks() Asker
}

// Asker may ask the user something before it lets a worker be reached.
type Asker interface {
	// Reach makes room for a link, and waits as long as the user takes to answer. Else
	// nothing waits for that; it is ErrAsks.
	Reach(ctx context.Context) error
	// Ask returns what is asked and not answered; nil for nothing.
	Ask() *executing.Ask
	// Answer gives the user's answer to the question of that id, or is beckon.ErrConflict.
	Answer(id string, r executing.Reply) error
	// Held reports whether nothing is reached since the user refused to answer. Release
	// has it ask again.
	Held() bool
	Release()
}

// Asks implements Asking.
func (h Host) Asks() Asker {
	asker, _ := h.On.(Asker)
	return asker
}

// ErrAsks is why a machine is not reached that asks the user something. Who waits by Reach
// and tries again gets there.
var ErrAsks = errors.New("it asks the user something")
