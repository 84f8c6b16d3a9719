package database

import (
	"context"
	"slices"
	"sync"
)

// WriterLock lets the writers of a database in, one at a time: first those that
// somebody waits for, then the others, each in the order in which they came. A
// pool of one connection would let them in by chance. The zero value is unlocked.
type WriterLock struct {
	mu     sync.Mutex
	held   bool
	first  []chan struct{} // closed when the lock is theirs
	others []chan struct{}
}

// Lock waits for the lock, or returns ctx's error.
func (l *WriterLock) Lock(ctx context.Context) error { return l.lock(ctx, &l.others) }

// LockFirst is Lock for a writer that goes before all that came by Lock.
func (l *WriterLock) LockFirst(ctx context.Context) error { return l.lock(ctx, &l.first) }

func (l *WriterLock) lock(ctx context.Context, queue *[]chan struct{}) error {
	mine := l.join(queue)
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	waited := slices.Contains(*queue, mine)
	*queue = slices.DeleteFunc(*queue, func(c chan struct{}) bool { return c == mine })
	l.mu.Unlock()
	if !waited { // it was handed over in that very moment
		l.Unlock()
	}
	return ctx.Err()
}

// join queues up, or takes the lock where nobody holds it.
func (l *WriterLock) join(queue *[]chan struct{}) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := make(chan struct{})
	if l.held {
		*queue = append(*queue, mine)
		return mine
	}
	l.held = true
	close(mine)
	return mine
}

// Unlock hands the lock to the next writer.
func (l *WriterLock) Unlock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, queue := range []*[]chan struct{}{&l.first, &l.others} {
		if len(*queue) > 0 {
			close((*queue)[0])
			*queue = (*queue)[1:]
			return
		}
	}
	l.held = false
}
