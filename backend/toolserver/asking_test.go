package toolserver

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// TestWhoComesBackIsNotClosedByTheOneWhoLeft: a call that joins a question at
// the very end of its grace period either keeps it open or asks again.
func TestWhoComesBackIsNotClosedByTheOneWhoLeft(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := askingKey{toolUse: "toolu_1"}
	for range 5000 {
		c := &caller{ctx: t.Context(), asked: map[askingKey][]*asking{}}
		a, _ := c.join(key)
		a.waiting = 0 // its connection broke
		close(a.settled)
		var both sync.WaitGroup
		both.Go(func() { h.giveUp(c, a) })
		var back *asking
		both.Go(func() { back, _ = c.join(key) })
		both.Wait()
		if err := context.Cause(back.ctx); errors.Is(err, errStopped) {
			t.Fatalf("a call that came back got: %v", err)
		}
		a.close(nil)
		back.close(nil)
	}
}
