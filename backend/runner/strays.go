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
func (run *agentRun) noteWrite(file string) {
	if run.kind() != beckon.TaskRun || run.row.Executor != "" || len(run.strays) == straysMost {
		return
	}
	if filepath.IsAbs(file) && !slices.Contains(run.strays, file) && !disk.Inside(run.dir, file) && !disk.Inside(os.TempDir(), file) {
		run.strays = append(run.strays, file)
	}
}

// strayed returns the folders of those files that are there and as new as the run.
func (run *agentRun) strayed() (dirs []string) {
	for _, file := range run.strays {
		info, err := os.Stat(file)
		if dir := filepath.Dir(file); err == nil && info.ModTime().UnixMilli() >= run.row.Started && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
