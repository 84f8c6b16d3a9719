package observe

import (
	"bytes"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"beckon/backend/claude/sessionfile"
)

// startSlack is how long after its process began a CLI may write that it started.
const startSlack = 30 * time.Second

// living reports whether the process of a presence file is alive, this user's, and
// began when the file says. How the file writes the process's own start on this
// system is not known.
func living(p sessionfile.Presence) bool {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", p.PID)
	if err != nil || int(info.Proc.P_pid) != p.PID || int(info.Eproc.Ucred.Uid) != os.Getuid() {
		return false
	}
	began := time.Unix(info.Proc.P_starttime.Sec, int64(info.Proc.P_starttime.Usec)*1000)
	return time.UnixMilli(p.StartedAt).Sub(began).Abs() < startSlack
}

// environOf returns the arguments and the environment of a process, each ended by
// a NUL.
func environOf(pid int) []byte {
	args, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return nil
	}
	return bytes.Clone(args)
}

// cwdOf returns the folder that a process works in, links resolved.
func cwdOf(p sessionfile.Presence) string {
	dir, err := filepath.EvalSymlinks(p.CWD)
	if err != nil {
		return ""
	}
	return dir
}

// environs yields nothing: the roots that environments name are given in Settings.
func environs(func(env []byte) bool) {}

// silent reports whether a folder's file system may report no changes.
func silent(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && st.Flags&unix.MNT_LOCAL == 0
}
