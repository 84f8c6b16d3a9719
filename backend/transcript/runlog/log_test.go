package runlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/timeout"

	"github.com/google/go-cmp/cmp"
)

// at is when lines are appended.
const at = int64(1_760_000_000_000)

// counts is how lines of an agent are counted.
var counts = Count{
	May:   func(head []byte) bool { return bytes.HasPrefix(head, []byte(`{"type":"result"`)) },
	After: costs,
}

func costs(t Totals, line []byte) Totals {
	var result struct {
		Type string  `json:"type"`
		Cost float64 `json:"total_cost_usd"`
	}
	if json.Unmarshal(line, &result) != nil || result.Type != "result" {
		return t
	}
	return Totals{Turns: t.Turns + 1, Cost: result.Cost}
}

func open(t testing.TB, dir string) *Log {
	t.Helper()
	log, err := Open(dir, "run", counts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

func appendAll(t testing.TB, log *Log, at int64, lines ...string) int64 {
	t.Helper()
	raw := make([][]byte, len(lines))
	for i, l := range lines {
		raw[i] = []byte(l)
	}
	first, err := log.Append(at, raw)
	if err != nil {
		t.Fatal(err)
	}
	return first
}

func readAll(t testing.TB, log *Log, from, to int64) []string {
	t.Helper()
	var lines []string
	for line, err := range log.Read(from, to) {
		if err != nil {
			t.Fatal(err)
		}
		if want := max(from, 0) + int64(len(lines)); line.Number != want {
			t.Fatalf("line %d where %d was due", line.Number, want)
		}
		lines = append(lines, string(line.Raw))
	}
	return lines
}

// numbered makes lines of many lengths: most short, some longer than a
// segment.
func numbered(from, to int) []string {
	var lines []string
	for i := from; i < to; i++ {
		lines = append(lines, fmt.Sprintf("%d %s", i, strings.Repeat("x", i*i*7%300+i%97/96*100_000)))
	}
	return lines
}

func TestWhatWasAppendedIsReadBackAfterReopening(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lines := numbered(0, 1000)
	log := open(t, dir)
	for i := 0; i < len(lines); i += 10 {
		if first := appendAll(t, log, at+int64(i), lines[i:i+10]...); first != int64(i) {
			t.Fatalf("line %d was numbered %d", i, first)
		}
	}
	if err := errors.Join(log.Sync(), log.Close()); err != nil {
		t.Fatal(err)
	}
	read, err := OpenRead(dir, "run", counts)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for _, l := range []*Log{read, open(t, dir)} {
		if l.Len() != 1000 {
			t.Fatalf("%d lines", l.Len())
		}
		for _, r := range [][2]int64{{0, -1}, {0, 1}, {999, 1000}, {500, 600}, {63, 65}, {1000, 1000}, {700, 5000}} {
			to := min(int64(len(lines)), r[1])
			if r[1] < 0 {
				to = int64(len(lines))
			}
			want := append([]string(nil), lines[r[0]:to]...)
			if diff := cmp.Diff(want, readAll(t, l, r[0], r[1])); diff != "" {
				t.Errorf("lines %v: %s", r, diff)
			}
		}
	}
	if first := appendAll(t, open(t, dir), at, "next"); first != 1000 {
		t.Errorf("after reopening the next line is number %d", first)
	}
}

// Giant lines are numbered and counted when a log is opened, and those that cannot count
// are not read for it.
func TestGiantLinesAreCountedAfterReopening(t *testing.T) {
	t.Parallel()
	giant := strings.Repeat("giant ", 200_000)
	result := func(cost int) string {
		return fmt.Sprintf(`{"type":"result","text":%q,"total_cost_usd":%d}`, giant, cost)
	}
	for name, lines := range map[string][]string{
		"one":                  {giant},
		"between small ones":   {"a", giant, "b"},
		"a result":             {"a", result(2), "b"},
		"results among others": {giant, result(2), giant, result(3), giant},
	} {
		for _, cut := range []string{"", "not whole", giant} {
			dir := t.TempDir()
			log := open(t, dir)
			appendAll(t, log, at, lines...)
			want := log.next.totals
			log.Close()
			all := slices.Clone(lines)
			if cut != "" {
				file, err := os.OpenFile(filepath.Join(dir, "run.ndjson"), os.O_APPEND|os.O_WRONLY, 0o600)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := file.WriteString(cut); err != nil {
					t.Fatal(err)
				}
				file.Close()
				all = append(all, cut)
			}
			if err := os.Remove(filepath.Join(dir, "run.idx")); err != nil {
				t.Fatal(err)
			}
			read, err := OpenRead(dir, "run", counts)
			if err != nil {
				t.Fatal(err)
			}
			if got := readAll(t, read, 0, -1); !slices.Equal(got, all) || read.Whole() != int64(len(lines)) || read.next.totals != want {
				t.Errorf("%s, then %d bytes of another: %d lines, %d whole, %+v, want %+v", name, len(cut), len(got), read.Whole(), read.next.totals, want)
			}
			read.Close()
		}
	}
}

// Of a large line what is shown is read, which is what is kept of it when it is cut whole,
// and its neighbours are as they were.
func TestLongStringsAreCutWhileTheyAreRead(t *testing.T) {
	dir := t.TempDir() // not parallel: it measures memory
	large := func(text string, size int) string { return `{"text":"` + strings.Repeat(text, size/len(text)) + `"}` }
	lines := slices.Concat(numbered(0, 100), []string{
		large(`words\n`, 20<<20), "between", large("é", Large+1), large("x", Large-20),
		`{"text":"` + strings.Repeat("x", 20<<20), large("[", 2*SegmentBytes), "small", `{"text":"` + strings.Repeat(`\"`, 1<<20),
	})
	log := open(t, dir)
	appendAll(t, log, at, lines...)
	file, err := os.OpenFile(filepath.Join(dir, "run.ndjson"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(log.Size() - 1); err != nil { // the last line is being written
		t.Fatal(err)
	}
	read, err := OpenRead(dir, "run", counts)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for line, err := range read.View().ReadShort(new([]byte), 0, -1) {
		if err != nil || n == len(lines) || !bytes.Equal(line.Raw, ShortenLine([]byte(lines[n]))) {
			t.Fatalf("line %d: %d bytes %.40q, %v", n, len(line.Raw), line.Raw, err)
		}
		n++
	}
	if runtime.ReadMemStats(&after); n != len(lines) {
		t.Errorf("%d of %d lines", n, len(lines))
	}
	made := after.TotalAlloc - before.TotalAlloc
	for _, line := range lines { // for the comparison
		made -= min(made, uint64(len(line)))
	}
	if made > 10<<20 {
		t.Errorf("it took %d MB beside the lines", made>>20)
	}
}

func TestTimesAreWithinASecond(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := open(t, dir)
	for i := range int64(500) {
		appendAll(t, log, at+i*170, "line")
	}
	log.Close()
	for line, err := range open(t, dir).Read(0, -1) {
		if off := at + line.Number*170 - line.At; err != nil || off < 0 || off > segmentSpan {
			t.Fatalf("line %d is %d ms off, %v", line.Number, off, err)
		}
	}
}

func TestNobodyElseMayReadTheLog(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("permissions are the folder's there")
	}
	dir := filepath.Join(t.TempDir(), "transcripts")
	appendAll(t, open(t, dir), at, "secret")
	for name, want := range map[string]fs.FileMode{"": 0o700 | fs.ModeDir, "run.ndjson": 0o600, "run.idx": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestHalfALineNeverMergesWithTheNext(t *testing.T) {
	t.Parallel()
	for _, torn := range []string{`{"type":"assis`, strings.Repeat("x", 200_000)} {
		dir := t.TempDir()
		log := open(t, dir)
		appendAll(t, log, at, numbered(0, 100)...)
		log.Close()
		path := filepath.Join(dir, "run.ndjson")
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(file, torn)
		file.Close()

		read, err := OpenRead(dir, "run", counts)
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, read, 100, -1); !cmp.Equal(got, []string{torn}) {
			t.Errorf("reading: %d lines", len(got))
		}
		read.Close()
		log = open(t, dir)
		appendAll(t, log, at, "whole")
		if got := readAll(t, log, 99, -1); !cmp.Equal(got, append(numbered(99, 100), torn, "whole")) {
			t.Errorf("after appending: %d lines", len(got))
		}
	}
}

func TestIndexIsRebuiltWhereItIsMissingOrWrong(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(index []byte) []byte{
		"missing":    func([]byte) []byte { return nil },
		"behind":     func(i []byte) []byte { return i[:len(i)/2] },
		"torn row":   func(i []byte) []byte { return i[:len(i)-3] },
		"ahead":      func(i []byte) []byte { return row{line: 5000, offset: 1 << 40}.append(i) },
		"other kind": func(i []byte) []byte { return append([]byte("sqlite!!"), i[8:]...) },
		"other log": func([]byte) []byte {
			return row{line: 3, offset: 5}.append(row{}.append([]byte(indexMagic)))
		},
		"noise": func(i []byte) []byte { return bytes.Repeat([]byte{0xAA}, len(i)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			lines := append(numbered(0, 500), `{"type":"result","total_cost_usd":2.5}`)
			log := open(t, dir)
			appendAll(t, log, at, lines...)
			log.Close()
			path := filepath.Join(dir, "run.idx")
			index, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, spoil(index), 0o600); err != nil {
				t.Fatal(err)
			}
			log = open(t, dir)
			if diff := cmp.Diff(lines, readAll(t, log, 0, -1)); diff != "" {
				t.Error(diff)
			}
			if log.next.totals != (Totals{1, 2.5}) {
				t.Errorf("totals %+v", log.next.totals)
			}
			log.Close()
			rebuilt, err := os.ReadFile(path)
			if err != nil || len(rebuilt) != len(index) {
				t.Errorf("an index of %d bytes became one of %d, %v", len(index), len(rebuilt), err)
			}
		})
	}
}

func TestFailedAppendLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := open(t, dir)
	appendAll(t, log, at, numbered(0, 200)...)
	whole := log.file
	var err error
	if log.file, err = os.Open(whole.Name()); err != nil { // refuses to be written
		t.Fatal(err)
	}
	if _, err := log.Append(at, [][]byte{[]byte("lost")}); err == nil {
		t.Fatal("a write to a read-only file succeeded")
	}
	log.file.Close()
	log.file = whole
	if first := appendAll(t, log, at, numbered(200, 300)...); first != 200 {
		t.Errorf("the next line is number %d", first)
	}
	if diff := cmp.Diff(numbered(0, 300), readAll(t, log, 0, -1)); diff != "" {
		t.Error(diff)
	}
}

func TestRunIDsCanNotLeaveTheFolder(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "../x", "a/b", "/etc/passwd", `x/../../y`} {
		if _, err := Open(t.TempDir(), id, counts); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestRemoveLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := open(t, dir)
	appendAll(t, log, at, "x")
	log.Close()
	if err := errors.Join(Remove(dir, "run"), Remove(dir, "run")); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
	if _, err := OpenRead(dir, "run", counts); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open after remove: %v", err)
	}
}

func TestReadersSeeWholeLinesWhileTheAgentWrites(t *testing.T) {
	t.Parallel()
	log := open(t, t.TempDir())
	lines := numbered(0, 3000)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for deadline := time.Now().Add(timeout.For(30 * time.Second)); log.Len() < 3000; {
				if time.Now().After(deadline) {
					t.Error("the writer did not get on")
					return
				}
				end := log.Len()
				for line, err := range log.Read(end-100, end) {
					if err != nil || string(line.Raw) != lines[line.Number] {
						t.Errorf("line %d: %.40q, %v", line.Number, line.Raw, err)
						return
					}
				}
				if v := log.View(); v.Segments() > 0 && v.Segment(v.SegmentOf(v.Len()-1)).End != v.Len() {
					t.Error("a view does not end with its last line")
				}
			}
		})
	}
	for i := 0; i < len(lines); i += 7 {
		appendAll(t, log, at, lines[i:min(i+7, len(lines))]...)
	}
	readers.Wait()
}

func TestGiantLineIsKeptWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	giant := strings.Repeat("0123456789", 5<<20) // 50 MB
	log := open(t, dir)
	appendAll(t, log, at, "before", giant, "after")
	log.Close()
	if got := readAll(t, open(t, dir), 0, -1); len(got) != 3 || got[1] != giant || got[2] != "after" {
		t.Errorf("%d lines", len(got))
	}
}

// TestLinesSurviveKill has a child process append until it is killed. What it
// said it had appended must be there, each line whole.
func TestLinesSurviveKill(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv("TRANSCRIPT_CHILD"); dir != "" {
		appendForEver(t, dir)
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestLinesSurviveKill$", "-test.timeout=30s")
	child.Env = append(os.Environ(), "TRANSCRIPT_CHILD="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(timeout.For(20*time.Second), func() { child.Process.Kill() })
	defer guard.Stop()
	said := 0
	for said < 500 {
		if _, err := fmt.Fscanln(out, &said); err != nil {
			t.Fatal(err)
		}
	}
	child.Process.Kill()
	child.Wait()
	log := open(t, dir)
	if log.Len() < int64(said) {
		t.Fatalf("%d lines of %d are left", log.Len(), said)
	}
	for i, line := range readAll(t, log, 0, int64(said)) {
		if want := childLine(i); line != want {
			t.Fatalf("line %d: %.60q", i, line)
		}
	}
}

func appendForEver(t *testing.T, dir string) {
	log := open(t, dir)
	for i := 0; ; i += 2 {
		appendAll(t, log, at, childLine(i), childLine(i+1))
		fmt.Println(i + 2)
	}
}

func childLine(i int) string { return fmt.Sprintf("%d %s", i, strings.Repeat("y", i%1000)) }
