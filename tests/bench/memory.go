//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"time"
)

// start takes how long programs without a window take, and what the back end weighs with
// nothing to do.
func start(b *bench) {
	var took, weight, version []float64
	for range 9 {
		began := time.Now()
		s := b.launch(b.TempDir())
		took = append(took, 1000*time.Since(began).Seconds())
		time.Sleep(2 * time.Second)
		weight = append(weight, pss(b, s.Cmd.Process.Pid))
		if n := libraries(b, s.Cmd.Process.Pid); n > 0 {
			b.Errorf("serve has %.1f MB of libraries", n)
		}
		s.Close()
		version = append(version, 1000*seconds(func() { b.must(exec.CommandContext(b.ctx, b.beckon, "version").Run()) }))
	}
	b.print("version: start to end", median(version), "ms", atMost(20))
	b.print("serve: start until it listens, new data folder", median(took), "ms", atMost(100))
	b.print("serve: idle memory (PSS)", median(weight), "MB", atMost(30))
}

// memory takes what the back end weighs after an agent of which a client saw as much as
// a flood lets through.
func memory(b *bench) {
	const lines = 100_000
	s := b.serve(framed(fmt.Sprintf("flood %d 620", lines)), b.TempDir())
	s.work()
	weight := pss(b, s.Cmd.Process.Pid)
	s.Close()
	s.stored(lines)
	b.print("back end: memory after 100,000 lines that a client follows (PSS)", weight, "MB", atMost(40))
}

// huge takes lines of 5 MB.
func huge(b *bench) {
	const lines, size = 200, 5 << 20
	s := b.serve(framed(fmt.Sprintf("flood %d %d", lines, size)), b.TempDir())
	took, _ := s.work()
	_, peak := resident(b, s.Cmd.Process.Pid)
	s.Close()
	s.stored(lines)
	b.print("ingest, lines of 5 MB", lines*size/megabyte/took.Seconds(), "MB/s", atLeast(200))
	b.print("ingest, lines of 5 MB: peak of memory above idle", (peak-s.idle)/(size/megabyte), "lines", atMost(4))
}
