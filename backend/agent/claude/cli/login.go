package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"beckon/backend/agent/claude"
)

// accountIn is how long the CLI may take to say who is signed in: on a busy machine it takes
// ten seconds to begin.
const accountIn = 30 * time.Second

// mostSaid bounds what is read of what it says, in bytes.
const mostSaid = 64 << 10

// LoginOf asks the CLI who is signed in, which it knows without a network. One
// that is not leaves with an error and says so all the same.
func LoginOf(ctx context.Context, o Options) claude.Login {
	ctx, cancel := context.WithTimeout(ctx, accountIn)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.Path, append(slices.Clone(o.Lead), "auth", "status", "--json")...)
	cmd.Env = Environ(os.Environ(), o.Env)
	cmd.WaitDelay = time.Second
	wholeTree(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return claude.Login{}
	}
	text, _ := io.ReadAll(io.LimitReader(out, mostSaid)) // what was cut off is no JSON
	if len(text) == mostSaid {
		cancel() // it goes on talking
	}
	_ = cmd.Wait()
	return claude.ParseLogin(text)
}
