package external

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/toolserver"
)

// maxInput is how long, in bytes, what Claude Code asks may be. What is longer is
// asked in the terminal alone.
const maxInput = 1<<20 - 4<<10

// Hook is `beckon hook`: Claude Code calls it when a session asks its user,
// and shows its own dialog meanwhile. Hook brings what is asked to the Beckon of a
// data folder and prints what is decided there. It prints nothing where there
// is no Beckon, where the terminal was quicker, and whatever else goes wrong: a
// hook's failure would be the session's, and the dialog in the terminal is
// always there.
func Hook(ctx context.Context, dataDir string, stdin io.Reader, stdout *os.File) {
	if _, own := os.LookupEnv(process.Mark); own {
		return // Beckon's own agents ask it without a hook
	}
	input, err := io.ReadAll(io.LimitReader(stdin, maxInput+1))
	if err != nil || len(input) > maxInput || !json.Valid(input) {
		return
	}
	endpoint, err := find(dataDir)
	if err != nil || endpoint.Hook == "" {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopWatching := watchReader(stdout, cancel)
	defer stopWatching()
	slow := time.AfterFunc(greeting, cancel)
	m, err := meet(ctx, endpoint, endpoint.Hook, toolserver.HookCall{
		Pids: toolserver.Ancestors(os.Getpid()), Tmux: os.Getenv("TMUX"), Pane: os.Getenv("TMUX_PANE"), Input: input,
	})
	slow.Stop()
	if err != nil {
		return
	}
	defer m.body.Close()
	var decision json.RawMessage
	if m.lines.Decode(&decision) == nil {
		_, _ = stdout.Write(append(decision, '\n')) // to a session that may be gone
	}
}
