//go:build linux

package main

import (
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// observed takes what sessions cost that Beckon did not start. The benchmarks of
// package observe measure it, with sessions that only exist as files.
func observed(b *bench) {
	out, err := exec.CommandContext(b.ctx, "go", "test", "-run", "^$", "-bench", ".", "-benchtime", "1x", "./backend/observe").CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	figures := map[string]float64{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line) // name, times, value and unit of each figure
		if len(fields) < 6 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name, _, _ := strings.Cut(fields[0], "-")
		value, err := strconv.ParseFloat(fields[len(fields)-2], 64)
		b.must(err)
		figures[name] = value
	}
	for _, f := range []struct {
		name, benchmark, unit string
		most                  float64
	}{
		{"20 quiet sessions elsewhere: processor time", "BenchmarkTwentyQuietSessions", "% of a core", 0.1},
		{"10 sessions elsewhere, 100 lines a second each: processor time", "BenchmarkTenBusySessions", "% of a core", 5},
		{"a question elsewhere: from its line to Beckon, slowest of 20", "BenchmarkAQuestionIsSeen", "ms", 500},
	} {
		value, ok := figures[f.benchmark]
		if !ok {
			b.Fatalf("no figure of %s in %s", f.benchmark, out)
		}
		b.print(f.name, value, f.unit, atMost(f.most))
	}
}

// hookStarts is how often the hook is called.
const hookStarts = 20

// hook measures what the hook costs a session while no Beckon runs: it starts, finds
// nobody, and leaves the dialog to the terminal.
func hook(b *bench) {
	took, nobody := []float64{}, b.TempDir()
	for range hookStarts {
		h := exec.CommandContext(b.ctx, b.beckon, "hook", "-data", nobody)
		h.Stdin = strings.NewReader(`{"session_id":"s","cwd":"/","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`)
		began := time.Now()
		said, err := h.CombinedOutput()
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		if b.must(err); len(said) > 0 {
			b.Fatalf("the hook says %s", said)
		}
	}
	slices.Sort(took)
	b.print("hook that finds no Beckon: from its start to its end, median of 20", took[len(took)/2], "ms", atMost(50))
}
