//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// megabyte is what memory is told in.
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
