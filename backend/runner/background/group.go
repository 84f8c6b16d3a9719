package background

import "sync"

// This file waits for goroutines that may start while it waits.

// Group is the goroutines of a run. Unlike with a WaitGroup alone, one that is
// to start while Wait is under way does not: Wait panics where the counter
// rises again from zero before it has returned.
type Group struct {
	mu   sync.Mutex
	over bool
	wg   sync.WaitGroup
}

// Go runs f in a goroutine, and reports whether it does: not once Wait was
// called.
func (g *Group) Go(f func()) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return false
	}
	g.wg.Go(f)
	return true
}

// Wait starts no further goroutine and waits for those that run.
func (g *Group) Wait() {
	g.mu.Lock()
	g.over = true
	g.mu.Unlock()
	g.wg.Wait()
}
