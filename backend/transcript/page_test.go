package transcript

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/timeout"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// longRun is all recordings one after the other, with ids that do not repeat, and a message of Beckon's before each echo.
func longRun(t testing.TB) [][]byte {
	t.Helper()
	all := recordings(t)
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	var run [][]byte
	for i, name := range names {
		for _, line := range all[name] {
			line = bytes.ReplaceAll(line, []byte("toolu_mock_"), fmt.Appendf(nil, "toolu_%d_", i))
			line = bytes.ReplaceAll(line, []byte(`"uuid":"`), fmt.Appendf(nil, `"uuid":"%d-`, i))
			if _, uuid, _ := bytes.Cut(line, []byte(`"uuid":"`)); bytes.HasSuffix(line, []byte(`"isReplay":true}`)) {
				id, _, _ := bytes.Cut(uuid, []byte{'"'})
				run = append(run, MessageLine(string(id), "as sent"))
			}
			run = append(run, line)
		}
	}
	return run
}

// opened returns an empty log.
func opened(t testing.TB) *Log { return open(t, t.TempDir()) }

// open opens the log in dir until the test ends.
func open(t testing.TB, dir string) *Log {
	t.Helper()
	log, err := Open(dir, "run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

func logOf(t testing.TB, chunk int, lines [][]byte) *Log {
	t.Helper()
	log := opened(t)
	for i := 0; i < len(lines); i += chunk {
		if _, err := log.Append(at, lines[i:min(i+chunk, len(lines))]); err != nil {
			t.Fatal(err)
		}
	}
	return log
}

// pages reads a whole log by pages from its end, joined as the window joins
// them.
func pages(t testing.TB, log *Log, limit int) []beckon.Entry {
	t.Helper()
	p := page{entries: map[string]*beckon.Entry{}}
	for before := int64(-1); ; {
		span := around(t, log, before, limit, 0)
		for _, e := range span.Entries {
			mergeEntry(p.entries, &e)
		}
		if span.Before < 0 {
			return p.sorted()
		}
		if before >= 0 && span.Before >= before {
			t.Fatalf("the page before line %d goes on at %d", before, span.Before)
		}
		before = span.Before
	}
}

// pagesFrom reads a log outwards from a line, in both directions by turns.
func pagesFrom(t testing.TB, log *Log, line int64, limit int) []beckon.Entry {
	t.Helper()
	p := page{entries: map[string]*beckon.Entry{}}
	whole := around(t, log, line, limit/2, limit-limit/2)
	for span := whole; ; {
		for _, e := range span.Entries {
			mergeEntry(p.entries, &e)
		}
		switch {
		case whole.After >= 0:
			span = around(t, log, whole.After, 0, limit)
			if span.After >= 0 && span.After <= whole.After {
				t.Fatalf("the page from line %d goes on at %d", whole.After, span.After)
			}
			whole.After = span.After
		case whole.Before >= 0:
			span = around(t, log, whole.Before, limit, 0)
			whole.Before = span.Before
		default:
			return p.sorted()
		}
	}
}

func around(t testing.TB, log *Log, line int64, older, newer int) Span {
	t.Helper()
	span, err := Around(log, line, older, newer)
	if err != nil {
		t.Fatal(err)
	}
	return span
}

// nearly takes costs that were subtracted from other sums for equal.
var nearly = cmpopts.EquateApprox(0, 1e-9)

func TestPagesTogetherAreTheWholeTranscript(t *testing.T) {
	t.Parallel()
	lines := longRun(t)
	whole := foldAll(lines)
	if len(whole) < 1000 {
		t.Fatalf("%d entries of %d lines", len(whole), len(lines))
	}
	for _, chunk := range []int{1, 7, 1000} {
		log := logOf(t, chunk, lines)
		for _, limit := range []int{1, 13, 100, 5000} {
			if diff := cmp.Diff(whole, pages(t, log, limit), nearly); diff != "" {
				t.Fatalf("pages of %d, chunks of %d: %s", limit, chunk, diff)
			}
			from := int64(len(lines)) * int64(limit%7) / 7
			if diff := cmp.Diff(whole, pagesFrom(t, log, from, limit), nearly); diff != "" {
				t.Fatalf("pages of %d from line %d, chunks of %d: %s", limit, from, chunk, diff)
			}
		}
	}
}

func TestPageBeginsAtAnyLine(t *testing.T) {
	t.Parallel()
	lines := longRun(t)[:700]
	log := logOf(t, 10, lines)
	for before := int64(1); before <= 700; before += 37 {
		for _, e := range around(t, log, before, 20, 0).Entries {
			if e.Pos >= before {
				t.Errorf("the page before line %d has an entry of line %d", before, e.Pos)
			}
		}
	}
}

func TestCallAtThePagesEndHasItsResult(t *testing.T) {
	t.Parallel()
	quiet := []byte(`{"type":"system","subtype":"status","status":"requesting"}`)
	call := []byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]},"uuid":"c"}`)
	result := []byte(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]},"uuid":"r"}`)
	for _, between := range []int{0, 63, aheadLines - 1, aheadLines} {
		lines := append([][]byte{call}, slices.Repeat([][]byte{quiet}, between)...)
		log := logOf(t, 10, append(lines, result))
		span := around(t, log, 1, 10, 0)
		if len(span.Entries) != 1 || span.Before != -1 {
			t.Fatalf("%+v", span)
		}
		if done := span.Entries[0].Tool.Done; done != (between < aheadLines) {
			t.Errorf("%d lines between: done %t", between, done)
		}
	}
}

func TestEntryIsInTheMiddleOfThePageAroundIt(t *testing.T) {
	t.Parallel()
	log := logOf(t, 10, longRun(t))
	for _, e := range pages(t, log, 500)[300:400] {
		span := around(t, log, e.Pos, 50, 50)
		at := slices.IndexFunc(span.Entries, func(o beckon.Entry) bool { return o.ID == e.ID })
		if at < 40 || at > len(span.Entries)-40 || span.Before < 0 || span.After < 0 {
			t.Errorf("entry %s of line %d is number %d of %d", e.ID, e.Pos, at, len(span.Entries))
		}
	}
}

func TestNewerPageGoesOnWhereALiveLogGrew(t *testing.T) {
	t.Parallel()
	lines := longRun(t)
	log := logOf(t, 10, lines[:500])
	end := log.Len()
	if span := around(t, log, end, 0, 10); len(span.Entries) != 0 || span.After != -1 {
		t.Fatalf("behind the end: %+v", span)
	}
	if _, err := log.Append(at, lines[500:1000]); err != nil {
		t.Fatal(err)
	}
	got := around(t, log, end, 0, 1000).Entries
	if len(got) == 0 || got[0].Pos < end {
		t.Errorf("%d entries, the first of line %d", len(got), got[0].Pos)
	}
}

func TestPagesAreReadWhileTheAgentWrites(t *testing.T) {
	t.Parallel()
	log, lines := opened(t), longRun(t)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for deadline := time.Now().Add(timeout.For(30 * time.Second)); log.Len() < int64(len(lines)); {
				if _, err := Around(log, -1, 5, 0); err != nil || time.Now().After(deadline) {
					t.Error("the page cannot be read, or the writer did not get on:", err)
					return
				}
			}
		})
	}
	for i := 0; i < len(lines); i += 7 {
		if _, err := log.Append(at, lines[i:min(i+7, len(lines))]); err != nil {
			t.Fatal(err)
		}
	}
	readers.Wait()
}

func TestTurnsOfAPageAreNumberedWithinTheRun(t *testing.T) {
	t.Parallel()
	var lines [][]byte
	for i := range 500 {
		lines = append(lines, fmt.Appendf(nil, `{"type":"result","total_cost_usd":%f,"uuid":"%d"}`, float64(i+1)/4, i))
	}
	log := logOf(t, 3, lines)
	entries := around(t, log, 301, 1, 0).Entries
	if turn := entries[len(entries)-1].Turn; turn.Number != 301 || math.Abs(turn.CostUSD-0.25) > 1e-9 {
		t.Errorf("%+v", turn)
	}
	fold, err := FoldAt(log, 333)
	if err != nil {
		t.Fatal(err)
	}
	if turn := fold.Add(333, at, lines[333])[0].Turn; turn.Number != 334 || math.Abs(turn.CostUSD-0.25) > 1e-9 {
		t.Errorf("a fold that goes on at line 333: %+v", turn)
	}
}

func TestEmptyLogHasAnEmptyPage(t *testing.T) {
	t.Parallel()
	log := opened(t)
	for _, before := range []int64{-1, 0, 7} {
		span, err := Around(log, before, 10, 10)
		if len(span.Entries) != 0 || span.Before != -1 || span.After != -1 || err != nil {
			t.Errorf("%+v, %v", span, err)
		}
	}
	if _, err := FoldAt(log, 0); err != nil {
		t.Error(err)
	}
}

func TestPageOfGiantLinesIsShort(t *testing.T) {
	dir := t.TempDir() // not parallel: it measures memory
	log := open(t, dir)
	for i := range 8 {
		if _, err := log.Append(at, hugeWrite(fmt.Sprintf("t%d", i), 100_000)); err != nil { // 10 MB
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "run.ndjson")); err != nil || info.Size() < 80_000_000 {
		t.Fatal(info.Size(), err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	span, err := Around(log, -1, 100, 0)
	runtime.ReadMemStats(&after)
	if err != nil || len(span.Entries) == 0 || span.Before < 10 {
		t.Fatalf("%d entries, next %d, %v", len(span.Entries), span.Before, err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 20<<20 {
		t.Errorf("the page took %d MB", grown>>20)
	}
	if got := len(pages(t, log, 100)); got != 8 {
		t.Errorf("%d calls in all pages", got)
	}
}
