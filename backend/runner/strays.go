package runner

import (
	"os"
	"path/filepath"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/disk"
)

// straysMost is how many files outside its folder are remembered of an agent.
const straysMost = 50

// noteWrite remembers a file that the agent writes into and that is not in its folder. What
// is temporary is no work.
func (l *agentRun) noteWrite(file string) {
	if l.kind() != beckon.TaskRun || l.run.Executor != "" || len(l.strays) == straysMost {
		return
	}
	if filepath.IsAbs(file) && !slices.Contains(l.strays, file) && !disk.Inside(l.dir, file) && !disk.Inside(os.TempDir(), file) {
		l.strays = append(l.strays, file)
	}
}

// strayed returns the folders of those files that are there and as new as the run.
func (l *agentRun) strayed() (dirs []string) {
	for _, file := range l.strays {
		info, err := os.Stat(file)
		if dir := filepath.Dir(file); err == nil && info.ModTime().UnixMilli() >= l.run.Started && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
