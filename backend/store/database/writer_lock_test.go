package database

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
)

// TestWhatIsWaitedForIsWrittenFirst: a question does not stand in line behind
// writes that nobody waits for.
func TestWhatIsWaitedForIsWrittenFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var lock WriterLock
		if err := lock.Lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		var order []string
		write := func(name string, take func(context.Context) error) {
			go func() {
				if err := take(t.Context()); err != nil {
					t.Error(err)
				}
				order = append(order, name)
				lock.Unlock()
			}()
			synctest.Wait()
		}
		write("card 1", lock.Lock)
		write("card 2", lock.Lock)
		write("question 1", lock.LockFirst)
		write("question 2", lock.LockFirst)
		lock.Unlock()
		synctest.Wait()
		if !slices.Equal(order, []string{"question 1", "question 2", "card 1", "card 2"}) {
			t.Errorf("written in the order %q", order)
		}
	})
}

// TestAWriterThatGivesUpHoldsNobodyUp although its turn may come as it does.
func TestAWriterThatGivesUpHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for range 100 {
			var lock WriterLock
			if err := lock.Lock(t.Context()); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			given := make(chan error)
			go func() { given <- lock.LockFirst(ctx) }()
			synctest.Wait()
			go cancel()
			go lock.Unlock()
			switch err := <-given; {
			case err == nil:
				lock.Unlock()
			case !errors.Is(err, context.Canceled):
				t.Fatal(err)
			}
			synctest.Wait()
			if err := lock.Lock(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}
