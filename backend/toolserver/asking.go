package toolserver

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"

	"beckon/backend/beckon"

	"github.com/mark3labs/mcp-go/mcp"
)

// asking is one question and the calls that wait on it: one, and a second
// where the client's connection broke and it called again. The question
// outlives the connections by a grace period, so that a client that comes back
// finds it.
type asking struct {
	key   askingKey
	ctx   context.Context // of the question
	close context.CancelCauseFunc

	settled  chan struct{}   // closed when the two below are final
	question beckon.Question // as it was settled, unless err is set
	err      error

	// The caller's mu guards these.
	waiting int         // calls whose connection stands
	grace   *time.Timer // began when there was none left
}

// askingKey tells calls apart. A client that numbers the tool calls of its
// conversation means the same call by the same number; of one that does not,
// a call is taken for a repetition when nobody waits on the earlier one.
type askingKey struct {
	toolUse string
	items   [sha256.Size]byte
}

func keyOf(meta *mcp.Meta, items []beckon.QuestionItem) askingKey {
	text, err := json.Marshal(items)
	if err != nil {
		panic(err) // strings and booleans
	}
	return askingKey{toolUse(meta), sha256.Sum256(text)}
}

// join returns what the same call asked before, if that has not reached the
// agent, or else a new asking, for whom first is true and who settles it.
func (c *caller) join(key askingKey) (a *asking, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.asked[key] {
		if key.toolUse == "" && a.waiting > 0 {
			continue
		}
		if a.grace != nil {
			a.grace.Stop()
		}
		a.waiting++
		return a, false
	}
	a = &asking{key: key, settled: make(chan struct{}), waiting: 1}
	a.ctx, a.close = context.WithCancelCause(c.ctx)
	c.asked[key] = append(c.asked[key], a)
	return a, true
}

// settle asks, and wakes the calls that joined.
func (c *caller) settle(a *asking, ask func(context.Context) (beckon.Question, error)) {
	defer a.close(nil)
	defer close(a.settled)
	if a.question, a.err = ask(a.ctx); a.err != nil {
		c.forget(a)
	}
}

// leave ends the wait of a call that the answer did not reach. If it was the
// last, those who come back have the grace period.
func (s *Server) leave(c *caller, a *asking) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.waiting--; a.waiting == 0 {
		a.grace = time.AfterFunc(s.grace, func() { s.giveUp(c, a) })
	}
}

// giveUp closes a question that nobody came back for. One that was answered
// meanwhile goes another way: the run lives, and its agent is owed the answer.
// Of a run that ended the next one hears it.
func (s *Server) giveUp(c *caller, a *asking) {
	if !c.abandon(a) {
		return
	}
	a.close(errStopped)
	<-a.settled
	if a.question.Settlement == beckon.Answered && c.ctx.Err() == nil {
		s.desk.OnUndelivered(a.question)
	}
}

// abandon forgets a if no call waits on it, so that none can join it any more.
// It reports whether a was still known.
func (c *caller) abandon(a *asking) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return a.waiting == 0 && c.drop(a)
}

// forget makes a call like a's ask again. It reports whether a was still known.
func (c *caller) forget(a *asking) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.drop(a)
}

// drop takes a off the list and reports whether it was there. The caller holds
// mu.
func (c *caller) drop(a *asking) bool {
	known := len(c.asked[a.key])
	left := slices.DeleteFunc(c.asked[a.key], func(other *asking) bool { return other == a })
	if len(left) == 0 {
		delete(c.asked, a.key)
	} else {
		c.asked[a.key] = left
	}
	return len(left) < known
}
