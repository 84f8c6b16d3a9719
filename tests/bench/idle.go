//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// idleSpan is how long a window that nobody touches is watched.
const idleSpan = 10 * time.Minute

// binarySize takes what has to be downloaded and kept.
func binarySize(b *bench) {
	sum := 0.0
	for _, program := range []string{b.beckon, b.beckon + "-window"} {
		info, err := os.Stat(program)
		b.must(err)
		sum += float64(info.Size()) / megabyte
	}
	b.print("size of the two programs", sum, "MB", atMost(60))
}

// idle takes what a window costs that shows a board and has nothing to do.
func idle(b *bench) {
	d := b.desktop()
	mark := fmt.Sprintf("BECKON_IDLE=%d", os.Getpid())
	end := d.open(b, b.board(few), mark)
	defer end()
	time.Sleep(idleIn)
	tree := family(mark)
	began, cpu, wakeups := time.Now(), time.Duration(0), 0
	for _, pid := range tree {
		cpu -= worked(b, pid)
		wakeups -= woken(b, pid)
	}
	time.Sleep(idleSpan)
	for _, pid := range tree {
		cpu += worked(b, pid)
		wakeups += woken(b, pid)
	}
	span := time.Since(began)
	label := fmt.Sprintf("window: %d processes left alone for %s", len(tree), idleSpan)
	b.print(label+": processor time", 100*cpu.Seconds()/span.Seconds(), "% of a core", atMost(0.5))
	b.print(label+": wake-ups a minute", float64(wakeups)/span.Minutes(), "", atMost(600))
}

// woken returns how often the threads of a process gave up their processor to
// wait for something, and so were woken again.
func woken(b *bench, pid int) int {
	sum := 0
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid)) // the pattern is valid
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
		line, _, _ := strings.Cut(rest, "\n")
		n, err := strconv.Atoi(strings.TrimSpace(line))
		b.must(err)
		sum += n
	}
	return sum
}
