package process

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// self is this executable, even if its file has been replaced meanwhile.
func self() string { return "/proc/self/exe" }

// sealInherited marks every descriptor from 3 on close-on-exec. GTK, WebKit
// and Wails' asset pipes are opened without O_CLOEXEC: a child that inherits
// one keeps it open for hours, and the asset response behind it never ends.
func sealInherited() error {
	return unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// tree is the family below this process. On Linux the kernel keeps it.
type tree struct{}

// plant makes this process the one to which the orphans below it fall.
func plant() *tree {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	return &tree{}
}

func dup2(from, to int) error { return unix.Dup3(from, to, 0) }

// stat is what /proc/PID/stat tells of a process.
type stat struct {
	process
	ppid   int
	zombie bool
}

func readStat(pid int) (stat, bool) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, false
	}
	// The command's name, in parentheses, may hold anything, ")" included.
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 20 {
		return stat{}, false
	}
	ppid, _ := strconv.Atoi(string(fields[1]))
	start, _ := strconv.ParseUint(string(fields[19]), 10, 64)
	return stat{process{pid, start}, ppid, fields[0][0] == 'Z' || fields[0][0] == 'X'}, true
}

func startOf(pid int) (uint64, bool) {
	s, ok := readStat(pid)
	return s.start, ok
}

// pids lists every process.
func pids() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var list []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

// family lists the living descendants of this process. It reads the whole
// table: /proc/PID/task/TID/children is missing from many kernels.
func (*tree) family() []process {
	children := map[int][]stat{}
	for _, pid := range pids() {
		if s, ok := readStat(pid); ok {
			children[s.ppid] = append(children[s.ppid], s)
		}
	}
	var found []process
	for next := []int{os.Getpid()}; len(next) > 0; next = next[1:] {
		for _, s := range children[next[0]] {
			next = append(next, s.pid)
			if !s.zombie {
				found = append(found, s.process)
			}
		}
	}
	return found
}

// marked lists the living processes whose environment holds mark.
func marked(mark string) []process {
	want := []byte(Mark + "=" + mark)
	var found []process
	for _, pid := range pids() {
		s, ok := readStat(pid)
		if !ok || s.zombie || pid == os.Getpid() {
			continue
		}
		if env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil && bytes.Contains(env, want) {
			found = append(found, s.process)
		}
	}
	return found
}
