package spare

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// InUse returns the name and number of a process that works in dir, or nothing.
func InUse(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	processes, err := os.ReadDir("/proc")
	if err != nil {
		return ""
	}
	for _, p := range processes {
		pid, err := strconv.Atoi(p.Name())
		if err != nil {
			continue
		}
		cwd, err := os.Readlink(filepath.Join("/proc", p.Name(), "cwd"))
		if rel, outside := filepath.Rel(dir, cwd); err != nil || outside != nil || !filepath.IsLocal(rel) {
			continue // it has ended, or is another user's
		}
		name, err := os.ReadFile(filepath.Join("/proc", p.Name(), "comm"))
		if err != nil {
			continue
		}
		return fmt.Sprintf("%s, %d", strings.ToValidUTF8(strings.TrimSpace(string(name)), "\uFFFD"), pid)
	}
	return ""
}
