// Package shim keeps an agent's stdin and stdout where the agent is, so that the
// link to it may break and come back: `beckon shim` at the other end of an argv
// prefix such as ssh's.
//
// Lines are numbered in both directions, and each arrives once and in order,
// whatever the link does. What is printed while nobody is there is spooled up to a
// bound, and then the agent waits; nothing is dropped. Everything below the agent
// ends with it, with the shim, and when nobody came back within the lease. It
// opens no port, and knows nothing of what the lines say.
package shim

import (
	"context"
	"encoding/json"
)

// Folder is all that Beckon has on another machine, below the home folder there, for that
// user alone. A Beckon that the user runs there has another.
const Folder = ".local/share/beckon-executor"

// Life is what becomes of an agent besides what it says.
type Life struct {
	Over   func()            // called when it is gone, or given up
	OnLink func(linked bool) // called each time that a link to it stands or breaks
	// Why returns why no more comes of it, in words for the user.
	Why func(error) error
	// Quit is closed when nobody comes back for what it said once its link breaks, Left when
	// it is not waited for any more; nil: never.
	Quit, Left <-chan struct{}
}

// Here is what a shim needs of the program that it is in.
type Here struct {
	// Environ makes an agent's environment of what its job adds to it.
	Environ func(extra []string) []string
	// Find returns the agent's program, of a job that names none.
	Find func() (path string, err error)
	// Begin has a run's shim started; nil: below this process. See Spawn.
	Begin func(run string, job Job) error
	// Serve answers a call; see Call.
	Serve func(ctx context.Context, name string, params json.RawMessage) (any, error)
}
