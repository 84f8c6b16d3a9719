package channel

import (
	"context"
	"time"
)

// This file sends what is due, one message of each target at a time and in
// order, and rests while nothing is. What is due, and how it is sent, its user says.

// Item is a message that is to be sent.
type Item struct {
	ID  string
	Due int64 // not before, Unix milliseconds
}

// Outbox sends until its context ends. Its fields are set once.
type Outbox struct {
	// Next returns the first item of each target.
	Next func(ctx context.Context) ([]Item, error)
	// Deliver sends an item, or has it wait. What it was given is not next any more,
	// unless it is due later.
	Deliver func(ctx context.Context, id string) error
	// Failed takes an error of these and reports whether to go on, after a rest.
	Failed func(error) bool
	// Now is the clock.
	Now func() time.Time

	wake chan struct{} // holds one
}

// NewOutbox returns an outbox that runs by the system's clock.
func NewOutbox(o Outbox) *Outbox {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.wake = make(chan struct{}, 1)
	return &o
}

// rest is how long it waits after an error.
const rest = time.Minute

// Wake has it look at what is due.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Run sends what is due until ctx ends, which is no error, or Failed says so.
// Nothing to send means nothing ticks.
func (o *Outbox) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		next, err := o.round(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !o.Failed(err):
			return err
		case err != nil:
			next = o.Now().Add(rest)
		}
		o.wait(ctx, next)
	}
	return nil
}

// wait waits until there is news, or for a time where one is given.
func (o *Outbox) wait(ctx context.Context, until time.Time) {
	var due <-chan time.Time
	if !until.IsZero() {
		timer := time.NewTimer(until.Sub(o.Now()))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
	case <-o.wake:
	case <-due:
	}
}

// round sends all that is due, and returns when something is next; zero: nothing is.
func (o *Outbox) round(ctx context.Context) (next time.Time, err error) {
	for ctx.Err() == nil {
		items, err := o.Next(ctx)
		if err != nil {
			return time.Time{}, err
		}
		next, sent := time.Time{}, 0
		for _, i := range items {
			if at := time.UnixMilli(i.Due); o.Now().Before(at) {
				if next.IsZero() || at.Before(next) {
					next = at
				}
				continue
			}
			sent++
			if err := o.Deliver(ctx, i.ID); err != nil {
				return time.Time{}, err
			}
		}
		if sent == 0 {
			return next, nil
		}
	}
	return time.Time{}, nil
}
