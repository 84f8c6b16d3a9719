//go:build linux || darwin

package workspace

import (
	"context"
	"os/user"
	"runtime"
	"time"

	"beckon/backend/beckon/executing"
)

// lookIn is how long the programs there may take to say their versions.
const lookIn = 20 * time.Second

// lookAtMachine tells what there is on this machine.
func (w Workspace) lookAtMachine(ctx context.Context) (executing.Found, error) {
	ctx, cancel := context.WithTimeout(ctx, lookIn)
	defer cancel()
	found := executing.Found{System: runtime.GOOS, Arch: runtime.GOARCH, Free: free(w.Dir), Claude: w.Claude(ctx), Login: w.Login()}
	if u, err := user.Current(); err == nil {
		found.User = u.Username
	}
	found.Git, _ = w.Git(ctx) // empty where it is of no use
	return found, nil
}
