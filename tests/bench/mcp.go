//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// mcp takes what an answer through the tool server costs beyond HTTP, and what
// a call costs while it waits. The tool server's own benchmarks do it: only
// inside can an answer be given at once, and the server's share be separated from
// the caller's.
func mcp(b *bench) {
	figures := b.goBench("./backend/toolserver", "BenchmarkRoundTrip|BenchmarkBlocked", "mcp-p50-µs", "http-p50-µs", "ratio", "lost", "KB/call")
	name := fmt.Sprintf("MCP round trip, p50: %.0f µs of plain HTTP's %.0f", figures["mcp-p50-µs"], figures["http-p50-µs"])
	b.print(name, figures["ratio"], "x", atMost(1.5))
	b.print("10,000 MCP calls blocked at once: lost", figures["lost"], "calls", atMost(0))
	b.print("10,000 MCP calls blocked at once: memory each", figures["KB/call"], "KB", atMost(80))
}

// goBench runs a package's benchmarks and returns what they report, by unit. One of the
// units that is missing was not measured.
func (b *bench) goBench(pkg, pattern string, units ...string) map[string]float64 {
	cmd := exec.CommandContext(b.ctx, "go", "test", "-run", "^$", "-bench", pattern, "-benchtime", "2s", pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	figures := map[string]float64{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for i := 2; i+1 < len(words) && strings.HasPrefix(words[0], "Benchmark"); i += 2 {
			if value, err := strconv.ParseFloat(words[i], 64); err == nil {
				figures[words[i+1]] = value
			}
		}
	}
	for _, unit := range units {
		if _, measured := figures[unit]; !measured {
			b.Fatalf("%s measured no %s:\n%s", strings.Join(cmd.Args, " "), unit, out)
		}
	}
	return figures
}
