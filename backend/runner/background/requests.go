package background

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// Requests are the control requests of one claude that wait for a person.
// The zero value has none; it may be used from any goroutine.
type Requests struct {
	mu      sync.Mutex
	cancels map[string]context.CancelCauseFunc // by request
}

// Open notes a request. ctx ends when it is cancelled, when it is done, or with
// the run's; done must be called.
func (o *Requests) Open(run context.Context, id string) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(run)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cancels == nil {
		o.cancels = map[string]context.CancelCauseFunc{}
	}
	o.cancels[id] = cancel
	return ctx, func() {
		cancel(nil)
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.cancels, id)
	}
}

// Cancel ends the wait of a request, if it still waits.
func (o *Requests) Cancel(id string, why error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if cancel := o.cancels[id]; cancel != nil {
		cancel(why)
	}
}

// IDs returns the requests that wait, in no order.
func (o *Requests) IDs() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Collect(maps.Keys(o.cancels))
}
