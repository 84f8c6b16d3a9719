//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// megabyte is the unit of memory here.
const megabyte = 1e6

// pss returns the proportional share of memory of a process, in MB.
func pss(b *bench, pid int) float64 {
	return kilobytes(b, fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss:") * 1024 / megabyte
}

// libraries returns how much of that is of shared libraries, which the
// window's parts bring along.
func libraries(b *bench, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
	b.must(err)
	sum, library := 0.0, false
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if !strings.HasSuffix(words[0], ":") { // a mapping, with its file at the end
			library = strings.Contains(words[len(words)-1], ".so")
		}
		if library && words[0] == "Pss:" {
			n, err := strconv.ParseFloat(words[1], 64)
			b.must(err)
			sum += n
		}
	}
	return sum * 1024 / megabyte
}

// resident returns the memory of a process that is resident, and its peak
// since resetPeak, in MB.
func resident(b *bench, pid int) (now, peak float64) {
	file := fmt.Sprintf("/proc/%d/status", pid)
	return kilobytes(b, file, "VmRSS:") * 1024 / megabyte, kilobytes(b, file, "VmHWM:") * 1024 / megabyte
}

func resetPeak(b *bench, pid int) {
	b.must(os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0))
}

// kilobytes reads a line such as "Pss:  123 kB" of a file of /proc.
func kilobytes(b *bench, file, field string) float64 {
	text, err := os.ReadFile(file)
	b.must(err)
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == field {
			n, err := strconv.ParseFloat(words[1], 64)
			b.must(err)
			return n
		}
	}
	b.Fatalf("%s has no %s", file, field)
	return 0
}

// family returns the processes that have the entry in their environment: one
// that was started with it, and all that it started.
func family(entry string) []int {
	var pids []int
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00"+entry+"\x00")) {
			continue // gone, or not ours
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// group returns the processes of a process group, and children those that a process
// started.
func group(pgid int) []int   { return having(2, pgid) }
func children(pid int) []int { return having(1, pid) }

// having returns the processes of which the field of stat is n.
func having(field, n int) []int {
	var pids []int
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		if fields := stat(pid); len(fields) > field && fields[field] == strconv.Itoa(n) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// worked returns the processor time that a process has had, all its threads.
func worked(b *bench, pid int) time.Duration {
	fields := stat(pid)
	if len(fields) < 13 {
		b.Fatalf("process %d is gone", pid)
	}
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	b.must(errors.Join(err1, err2))
	return time.Duration(user+system) * time.Second / ticks
}

// ticks is USER_HZ, which is 100 on every Linux that Go runs on.
const ticks = 100

// stat returns what /proc says of a process, from its state on: the name
// before it may hold anything.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}
