package desktop

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// ShowFolder shows a folder in the system's file manager. It is never a file,
// which the system would open with whatever program claims it.
func ShowFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return problem.New(problem.NoFolder, fmt.Errorf("there is no folder %s: %w", dir, beckon.ErrNotFound), "dir", dir)
	}
	program, args := fileManager(runtime.GOOS, dir)
	// It outlives the call, and Beckon too.
	cmd := exec.CommandContext(context.Background(), program, args...)
	if err := cmd.Start(); err != nil {
		return problem.New(problem.NoFileManager, fmt.Errorf("no file manager opens %s: %w", dir, beckon.ErrUnavailable), "dir", dir)
	}
	go func() {
		if err := cmd.Wait(); err != nil {
			slog.Warn("the file manager", "err", err)
		}
	}()
	return nil
}

// fileManager is the command that shows a folder. On macOS it is shown in its
// parent: a folder with the name of an application would be started.
func fileManager(system, dir string) (program string, args []string) {
	switch system {
	case "darwin":
		return "open", []string{"-R", dir}
	case "windows":
		return "explorer.exe", []string{dir}
	default:
		return "xdg-open", []string{dir}
	}
}
