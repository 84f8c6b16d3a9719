package program

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/process"
	"beckon/backend/desktop"
	"beckon/backend/external/hooks"
)

// HookCommand is what Claude Code is to call as a hook of the Beckon of a data folder.
func HookCommand(data string) (string, error) {
	if data == DataHome() {
		data = ""
	}
	return hooks.OwnCommand(data)
}

// claudeFinder finds the CLI each time, since the user may install it while
// Beckon runs.
func claudeFinder(path string) func() (cli.Options, error) {
	return func() (cli.Options, error) {
		found, err := cli.Find(path)
		if err != nil {
			return cli.Options{}, err // it says what to do
		}
		return cli.Options{Path: found, Supervisor: desktop.Core()}, nil
	}
}

// agentsEndIn is how long the agents of a Beckon that died may take to be gone; their
// supervisors give up after ten seconds.
const agentsEndIn = 12 * time.Second

// takeTether waits until nothing is left of the agents of a Beckon that died: what they
// still write down of their sessions must not come after it was looked for.
func takeTether(ctx context.Context, data string) (*process.Tether, error) {
	t, err := process.NewTether(filepath.Join(data, "agents.lock"))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, agentsEndIn)
	defer cancel()
	if err := t.Acquire(ctx); err != nil {
		slog.Error("wait for the end of earlier agents", "err", err)
	}
	return t, nil
}

// tethered has the supervisor of each CLI that is found hold t.
func tethered(find func() (cli.Options, error), t *process.Tether) func() (cli.Options, error) {
	return func() (cli.Options, error) {
		o, err := find()
		o.Tether = t
		return o, err
	}
}
