package toolserver

import (
	"bytes"
	"os"
	"strconv"
)

// mostAncestors bounds the walk up to the first process.
const mostAncestors = 32

// Ancestors returns a process, its parent and so on, as far as the system
// shows them.
func Ancestors(pid int) (pids []int) {
	for len(pids) < mostAncestors && pid > 1 {
		pids = append(pids, pid)
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			break
		}
		// The name, in parentheses, may hold anything; then come state and parent.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			break
		}
		if pid, err = strconv.Atoi(string(fields[1])); err != nil {
			break
		}
	}
	return pids
}
