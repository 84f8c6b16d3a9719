package access

import (
	"sync"
	"time"
)

// This file counts what was refused to people away from the desk.

// Refusals counts since Beckon began. The zero value is ready, and its methods may be
// called from any goroutine.
type Refusals struct {
	mu   sync.Mutex
	n    int
	last time.Time
}

// Add counts one more.
func (c *Refusals) Add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n, c.last = c.n+1, time.Now()
}

// Refused returns how much was refused, and when that was last, in Unix
// milliseconds; 0 for never.
func (c *Refusals) Refused() (n int, last int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		return 0, 0
	}
	return c.n, c.last.UnixMilli()
}
