package transcript

import (
	"runtime"
	"strings"
	"testing"

	"beckon/backend/beckon"

	"beckon/backend/transcript/runlog"
)

// TestHostileLinesNeitherGrowNorBreakTheFold tells of each line what it may
// allocate, in megabytes: what an agent prints must not become what Beckon holds.
func TestHostileLinesNeitherGrowNorBreakTheFold(t *testing.T) {
	const deep = 100_000 // not parallel: it measures memory
	result := func(text string) string {
		return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"` + text + `"}]}}`
	}
	call := func(input string) string {
		return `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":` + input + `}]}}`
	}
	for name, c := range map[string]struct {
		line string
		most uint64
	}{
		"1 MB line":         {result(strings.Repeat("x", 1<<20)), 4},
		"50 MB line":        {result(strings.Repeat("x", 50<<20)), 4},
		"50 MB of escapes":  {result(strings.Repeat(`\n`, 25<<20)), 4},
		"50 MB of no JSON":  {strings.Repeat("x", 50<<20), 4},
		"deep arrays":       {call(strings.Repeat("[", deep) + strings.Repeat("]", deep)), 40},
		"deep objects":      {call(strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep)), 40},
		"deep and cut":      {call(strings.Repeat(`{"a":`, deep)), 40},
		"terminal sequence": {result(`\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007 \u202egnp.exe \u200b`), 1},
		"invalid UTF-8":     {result("a\xff\xfeb"), 1},
		"half a line":       {result("x")[:40], 1},
		"unknown type":      {`{"type":"tomorrow","message":{}}`, 1},
	} {
		line := []byte(c.line)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var fold Fold
		entries := fold.Add(0, at, line)
		for _, e := range entries {
			_ = Words(e)
			checkEntry(t, name, e)
		}
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > c.most || len(entries) != 1 {
			t.Errorf("%s: %d entries, %d MB", name, len(entries), grown)
		}
	}
	var fold Fold
	e := fold.Add(0, at, []byte(result(`\u001b[31mred\u202e`)))[0]
	if e.Kind != beckon.ToolEntry || e.Tool.Result != "\x1b[31mred\u202e" {
		t.Errorf("what was printed is kept as it was: %q", e.Tool.Result)
	}
}

func TestBrokenHugeLinesAreNoTrap(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"type":"assistant","x":"` + strings.Repeat("x", 2*runlog.Large),
		`{"type":"assistant","x":"` + strings.Repeat(`\`, 2*runlog.Large),
		`{"type":"assistant","x":"` + strings.Repeat(`\u`, runlog.Large) + `"}`,
		strings.Repeat(`"`, 2*runlog.Large),
		strings.Repeat("\xff", 2*runlog.Large),
	} {
		var fold Fold
		entries := fold.Add(0, at, []byte(line))
		if len(entries) != 1 || entries[0].Notice != "unknown" {
			t.Errorf("%.40q: %d entries", line, len(entries))
		}
	}
}
