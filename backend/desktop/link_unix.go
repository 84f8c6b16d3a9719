//go:build unix

package desktop

import (
	"os"
	"os/signal"
	"syscall"
)

// OnLinkRequest has the signal that asks `beckon serve` for a new link sent to
// requests: SIGUSR1.
func OnLinkRequest(requests chan<- os.Signal) { signal.Notify(requests, syscall.SIGUSR1) }
