package observe

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"beckon/backend/disk"
)

// startSlack is how far the clocks of a presence file and of the kernel may differ
// where the file does not name the process's start as the kernel does.
const startSlack = 30 * time.Second

// LivingProcess reports whether the process that a presence file names is alive, and is that
// process and this user's, and no other one that has its pid since.
func LivingProcess(p ProcessClaim) bool {
	dir := fmt.Sprintf("/proc/%d", p.PID)
	if info, err := os.Stat(dir); err != nil || !disk.Owned(info) {
		return false
	}
	line, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return false
	}
	// The command's name, in parentheses, may hold anything, ")" included.
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return false
	}
	if p.ProcStart != "" {
		return string(fields[19]) == p.ProcStart
	}
	return startedAround(string(fields[19]), p.Started)
}

// startedAround reports whether a start in ticks since the boot is about the time
// that an older CLI wrote down.
func startedAround(ticks string, at int64) bool {
	n, err := strconv.ParseInt(ticks, 10, 64)
	if err != nil {
		return false
	}
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return false
	}
	up := time.Duration(now.Nano()) - time.Duration(n)*10*time.Millisecond // USER_HZ is 100
	return time.UnixMilli(at).Sub(time.Now().Add(-up)).Abs() < startSlack
}

// EnvironmentOf returns the environment of a process, each variable ended by a NUL.
func EnvironmentOf(pid int) Environment {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return nil
	}
	return env
}

// ProcessCWD returns the folder that a process works in, links resolved: the folder is
// not touched, which may be anywhere.
func ProcessCWD(p ProcessClaim) string {
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", p.PID))
	if err != nil {
		return ""
	}
	return dir
}

// environs yields the environments of this user's processes.
func environs(yield func(env []byte) bool) {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	for _, name := range names {
		pid, err := strconv.Atoi(name.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		if info, err := name.Info(); err != nil || !disk.Owned(info) {
			continue
		}
		if env := EnvironmentOf(pid); env != nil && !yield(env) {
			return
		}
	}
}
