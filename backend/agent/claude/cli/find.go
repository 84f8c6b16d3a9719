package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// ErrNotFound says that there is no CLI to run. It is a kind of
// beckon.ErrUnavailable.
var ErrNotFound = fmt.Errorf("claude was not found: %w", beckon.ErrUnavailable)

// Find returns the absolute path of the CLI. A given path (or name on PATH)
// must be right; an empty one means: look on PATH, then where installers put
// it, since a program started from a desktop seldom has the shell's PATH.
func Find(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", reason.Of(reason.ClaudeNotAt, "path", path).Err(ErrNotFound)
		}
		return filepath.Abs(found)
	}
	found, err := process.Find("claude", local()...)
	if err != nil {
		return "", reason.Of(reason.ClaudeMissing).Err(ErrNotFound)
	}
	return found, nil
}

// local is where the CLI installs itself.
func local() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	return []string{filepath.Join(home, ".claude", "local", "claude")}
}
