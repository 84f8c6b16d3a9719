package channel

import "sync"

// changes are the subjects that changed since they were taken, each once.
type changes struct {
	mu    sync.Mutex
	list  []string
	known map[string]bool
	news  chan struct{} // holds one
}

func newChanges() *changes {
	return &changes{known: map[string]bool{}, news: make(chan struct{}, 1)}
}

func (c *changes) add(subject string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.known[subject] {
		c.known[subject] = true
		c.list = append(c.list, subject)
	}
	select {
	case c.news <- struct{}{}:
	default:
	}
}

func (c *changes) takeAll() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	c.list = nil
	clear(c.known)
	return list
}
