//go:build linux

package main

import (
	"fmt"
	"time"
)

// start takes how long the back end takes to listen, and what it weighs with
// nothing to do.
func start(b *bench) {
	var took, weight, foreign []float64
	for range 5 {
		began := time.Now()
		s := b.launch(b.TempDir())
		took = append(took, time.Since(began).Seconds())
		time.Sleep(2 * time.Second)
		weight = append(weight, pss(b, s.Cmd.Process.Pid))
		foreign = append(foreign, libraries(b, s.Cmd.Process.Pid))
		s.Close()
	}
	b.print("back end: start until it listens", median(took), "s", atMost(0.15))
	b.print(fmt.Sprintf("back end: idle memory (PSS; %.0f MB of the system's libraries)", median(foreign)), median(weight), "MB", atMost(50))
}

// memory takes what the back end weighs after an agent of which a client saw
// every word.
func memory(b *bench) {
	s := b.serve(framed("flood 100000 620"), b.TempDir())
	s.work()
	name := fmt.Sprintf("back end: memory after 100,000 live events (PSS; %.0f MB of the system's libraries)", libraries(b, s.Cmd.Process.Pid))
	b.print(name, pss(b, s.Cmd.Process.Pid), "MB", atMost(60))
}

// huge takes lines of 5 MB.
func huge(b *bench) {
	const lines, size = 200, 5 << 20
	s := b.serve(framed(fmt.Sprintf("flood %d %d", lines, size)), b.TempDir())
	took, _ := s.work()
	_, peak := resident(b, s.Cmd.Process.Pid)
	b.print("ingest, lines of 5 MB", lines*size/megabyte/took.Seconds(), "MB/s", atLeast(200))
	b.print("ingest, lines of 5 MB: peak of memory above idle", (peak-s.idle)/(size/megabyte), "lines", atMost(4))
}
