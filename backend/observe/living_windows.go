package observe

import (
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// startSlack is how long after its process began a CLI may write that it started.
const startSlack = 30 * time.Second

// stillActive is the exit code of a process that has none yet.
const stillActive = 259

// LivingProcess reports whether the process that a presence file names is alive and began when
// the file says.
func LivingProcess(p ProcessClaim) bool {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(p.PID))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(process) }()
	var code uint32
	if windows.GetExitCodeProcess(process, &code) != nil || code != stillActive {
		return false
	}
	var began, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &began, &ended, &kernel, &user) != nil {
		return false
	}
	return time.UnixMilli(p.Started).Sub(time.Unix(0, began.Nanoseconds())).Abs() < startSlack
}

// EnvironmentOf returns nothing: the environment of another process cannot be read.
func EnvironmentOf(int) Environment { return nil }

// ProcessCWD returns the folder that a process works in, links resolved.
func ProcessCWD(p ProcessClaim) string {
	dir, err := filepath.EvalSymlinks(p.CWD)
	if err != nil {
		return ""
	}
	return dir
}

// environs yields nothing: the roots that environments name are given in Settings.
func environs(func(env []byte) bool) {}
