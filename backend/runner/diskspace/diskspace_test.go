package diskspace

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"beckon/backend/beckon"
)

// step fails so many times with err, then succeeds.
func step(times int, err error) (do func(context.Context) error, tried *int) {
	tried = new(int)
	return func(context.Context) error {
		if *tried++; *tried <= times {
			return err
		}
		return nil
	}, tried
}

func TestWhatMustBeWrittenIsTriedUntilItIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := New(Config{Quit: make(chan struct{})})
		do, tried := step(20, errors.New("input/output error"))
		d.Insist("record the end", "run", do)
		if *tried != 21 {
			t.Errorf("%d tries, want 21", *tried)
		}
	})
}

func TestWhatCanNeverBeWrittenHoldsNothingUp(t *testing.T) {
	t.Parallel()
	d := New(Config{Quit: make(chan struct{})})
	do, tried := step(5, fmt.Errorf("the task is gone: %w", beckon.ErrNotFound))
	d.Insist("record the end", "run", do)
	if *tried != 1 {
		t.Errorf("%d tries of what cannot succeed", *tried)
	}
}

func TestClosingTriesOnceMoreAndThenEnds(t *testing.T) {
	t.Parallel()
	quit := make(chan struct{})
	close(quit)
	d := New(Config{Quit: quit})
	do, tried := step(100, errors.New("input/output error"))
	d.Insist("record the end", "run", do)
	if *tried != 2 {
		t.Errorf("%d tries while Beckon closes, want 2", *tried)
	}
}

func TestAFullDiskIsWaitedForAndNotPolled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var events []beckon.Event
		d := New(Config{Publish: func(e beckon.Event) { events = append(events, e) }, Dir: "data", Quit: make(chan struct{})})
		d.publish(true)
		do, tried := step(1, fmt.Errorf("no room: %w", beckon.ErrDiskFull))
		done := make(chan struct{})
		go func() {
			d.Insist("record the end", "run", do)
			close(done)
		}()
		synctest.Wait()
		if *tried != 1 {
			t.Errorf("%d tries while the disk is full", *tried)
		}
		d.publish(false)
		<-done
		if *tried != 2 || len(events) != 2 || !events[0].Disk.Full || events[1].Disk.Full {
			t.Errorf("%d tries, events %+v", *tried, events)
		}
	})
}
