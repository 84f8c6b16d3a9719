//go:build unix

package process_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"beckon/backend/agent/process"
)

// TestAProgramThatWasJustWrittenCanBeExecuted, however many others are started at that
// moment.
func TestAProgramThatWasJustWrittenCanBeExecuted(t *testing.T) {
	t.Parallel()
	dir, stop := t.TempDir(), make(chan struct{})
	var others sync.WaitGroup
	defer others.Wait()
	defer close(stop)
	for range 8 {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_ = exec.CommandContext(t.Context(), "true").Run()
				}
			}
		})
	}
	for n := range 100 {
		name := filepath.Join(dir, fmt.Sprint(n))
		if err := process.WriteProgram(name, "#!/bin/sh\n"); err != nil {
			t.Fatal(err)
		}
		if err := exec.CommandContext(t.Context(), name).Run(); err != nil {
			t.Fatalf("program %d: %v", n, err)
		}
	}
}
