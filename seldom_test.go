package main

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestWhatIsAskedForOftenIsDoneSeldom, and once more after the last time that it
// was asked for.
func TestWhatIsAskedForOftenIsDoneSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s seldom
		var ran atomic.Int32
		began := time.Now()
		var last time.Duration
		for range 1000 { // for ten seconds
			s.ask(2*time.Second, func() {
				ran.Add(1)
				last = time.Since(began)
			})
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if n := ran.Load(); n != 6 || last != 10*time.Second {
			t.Errorf("it ran %d times, for the last time after %s", n, last)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := ran.Load(); n != 6 {
			t.Errorf("it ran %d times, though nobody asked any more", n)
		}
	})
}
