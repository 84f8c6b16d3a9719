package process

import (
	"bytes"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// self is this executable.
func self() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

// sealInherited marks the descriptors that a window's toolkit may have
// opened close-on-exec. macOS has no close_range; 1024 is more than a
// program has open that serves one person.
func sealInherited() error {
	for fd := 3; fd < 1024; fd++ {
		unix.CloseOnExec(fd)
	}
	return nil
}

func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

func dup2(from, to int) error { return unix.Dup2(from, to) }

// tree remembers the descendants of this process: on macOS an orphan's
// parent becomes launchd, and only who saw it before knows whose it was.
type tree struct {
	mu    sync.Mutex // guards seen
	seen  map[process]bool
	start uint64 // of this process: nothing older can be a descendant
}

// plant remembers from here on.
func plant() *tree {
	t := &tree{seen: map[process]bool{}}
	t.start, _ = startOf(os.Getpid())
	go func() {
		for range time.Tick(200 * time.Millisecond) {
			t.learn()
		}
	}()
	return t
}

// family lists the living descendants of this process: those whose parents
// lead to it, those remembered, and those that carry its mark.
func (t *tree) family() []process {
	table := t.learn()
	t.mu.Lock()
	defer t.mu.Unlock()
	return living(table, func(p process) bool {
		return t.seen[p] || p.start >= t.start && carries(p.pid, os.Getenv(Mark))
	})
}

// learn remembers those whose parents lead to this process or to one that is
// remembered. It returns the table of processes that it read.
func (t *tree) learn() []unix.KinfoProc {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	parents := map[int]bool{os.Getpid(): true}
	for grown := true; grown; {
		grown = false
		for i := range table {
			p, pid := newProcess(&table[i]), int(table[i].Proc.P_pid)
			if !parents[pid] && p.start >= t.start && (t.seen[p] || parents[int(table[i].Eproc.Ppid)]) {
				parents[pid], t.seen[p], grown = true, true, true
			}
		}
	}
	return table
}

// marked lists the living processes whose environment holds mark.
func marked(mark string) []process {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	return living(table, func(p process) bool { return carries(p.pid, mark) })
}

func living(table []unix.KinfoProc, wanted func(process) bool) []process {
	const zombie = 5 // SZOMB
	var found []process
	for i := range table {
		p := newProcess(&table[i])
		if p.pid != os.Getpid() && table[i].Proc.P_stat != zombie && wanted(p) {
			found = append(found, p)
		}
	}
	return found
}

func newProcess(k *unix.KinfoProc) process {
	t := k.Proc.P_starttime
	return process{int(k.Proc.P_pid), uint64(t.Sec)*1e6 + uint64(t.Usec)}
}

// carries reports whether the environment of pid holds mark. The system hides
// the environment of its own executables.
func carries(pid int, mark string) bool {
	args, err := unix.SysctlRaw("kern.procargs2", pid)
	return err == nil && bytes.Contains(args, []byte(Mark+"="+mark))
}

func startOf(pid int) (uint64, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0, false
	}
	return newProcess(k).start, true
}
