package board

import (
	"os"
	"path/filepath"
	"strings"
)

// atHome returns the folder that a person names, who may say ~ for their home
// as in a shell. Nobody else's home is looked for, and nothing else expanded.
func atHome(dir string) string {
	dir = strings.TrimSpace(dir)
	rest, ok := strings.CutPrefix(dir, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return dir
	}
	return filepath.Join(home, rest)
}
