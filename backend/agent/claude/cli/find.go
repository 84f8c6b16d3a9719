package cli

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

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
	home, err := os.UserHomeDir()
	if err != nil {
		home = string(filepath.Separator)
	}
	for _, candidate := range append([]string{"claude"}, usualPlaces(home)...) {
		if found, err := exec.LookPath(candidate); err == nil {
			return filepath.Abs(found)
		}
	}
	return "", reason.Of(reason.ClaudeMissing).Err(ErrNotFound)
}

func usualPlaces(home string) []string {
	if runtime.GOOS == "windows" {
		return []string{
			filepath.Join(home, ".local", "bin", "claude.exe"),
			filepath.Join(home, "AppData", "Roaming", "npm", "claude.cmd"),
		}
	}
	places := []string{
		filepath.Join(home, ".local/bin/claude"),
		filepath.Join(home, ".claude/local/claude"),
		"/usr/local/bin/claude",
		"/opt/homebrew/bin/claude",
		filepath.Join(home, ".npm-global/bin/claude"),
		filepath.Join(home, ".bun/bin/claude"),
		filepath.Join(home, ".volta/bin/claude"),
	}
	byNode, _ := fs.Glob(os.DirFS(home), ".nvm/versions/node/*/bin/claude") // the pattern is valid
	for _, name := range slices.Backward(byNode) {
		places = append(places, filepath.Join(home, name))
	}
	return places
}
