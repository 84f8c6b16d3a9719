package background

import (
	"sync"
	"testing"
)

// TestARunThatEndsMayBeSpokenTo: what starts a goroutine in the moment in which
// the last one of an ending run returns must not end the program.
func TestARunThatEndsMayBeSpokenTo(t *testing.T) {
	t.Parallel()
	for range 2000 {
		var g Group
		var callers sync.WaitGroup
		for range 4 {
			callers.Go(func() {
				for g.Go(func() {}) {
				}
			})
		}
		for range 3 {
			callers.Go(g.Wait)
		}
		callers.Wait()
		if g.Go(func() { t.Error("it began after the end") }) {
			t.Fatal("a goroutine began after the end")
		}
	}
}
