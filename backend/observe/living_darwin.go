package observe

import (
	"bytes"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// startSlack is how long after its process began a CLI may write that it started.
const startSlack = 30 * time.Second

// LivingProcess reports whether the process that a presence file names is alive, this user's, and
// began when the file says. How the file writes the process's own start on this
// system is not known.
func LivingProcess(p ProcessClaim) bool {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", p.PID)
	if err != nil || int(info.Proc.P_pid) != p.PID || int(info.Eproc.Ucred.Uid) != os.Geteuid() {
		return false
	}
	began := time.Unix(info.Proc.P_starttime.Sec, int64(info.Proc.P_starttime.Usec)*1000)
	return time.UnixMilli(p.Started).Sub(began).Abs() < startSlack
}

// EnvironmentOf returns the arguments and the environment of a process, each ended by
// a NUL.
func EnvironmentOf(pid int) Environment {
	args, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return nil
	}
	return bytes.Clone(args)
}

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
