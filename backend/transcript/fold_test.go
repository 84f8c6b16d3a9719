package transcript

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the entries of the golden files")

// at is the time of every line in these tests.
const at = 1_795_000_000_000

// What the parts of an entry may have at most.
const (
	inputMost  = 32 << 10
	resultMost = 32 << 10
	diffMost   = 64 << 10
)

// foldAll folds lines as a reader of the live stream would see them.
func foldAll(lines [][]byte) []beckon.Entry {
	var fold Fold
	p := page{entries: map[string]*beckon.Entry{}}
	for i, line := range lines {
		for _, e := range fold.Add(int64(i), at, line) {
			mergeEntry(p.entries, &e)
		}
	}
	return p.sorted()
}

func linesOf(raw []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
}

func recordings(t testing.TB) map[string][][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/recordings/*.ndjson")
	if err != nil || len(paths) < 200 {
		t.Fatalf("recordings: %d, %v", len(paths), err)
	}
	all := map[string][][]byte{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".ndjson")] = linesOf(raw)
	}
	return all
}

// TestReaderSeesWhatTheAgentDid holds what each of the files' streams looks
// like. Run with -update after a change and read the difference.
func TestReaderSeesWhatTheAgentDid(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := indented(t, foldAll(linesOf(archive.Files[0].Data)))
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "entries.json", Data: got})
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if len(archive.Files) != 2 {
				t.Fatal("no entries.json; run with -update")
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func indented(t *testing.T, entries []beckon.Entry) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(entries); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// deliberately lists the recordings whose lines include some of a kind that
// the fold does not know, and how many.
var deliberately = map[string]int{
	"e1_json":          0,
	"e12_defer_resume": 2, // progress and attachment, seen nowhere else
}

func TestEveryRecordedLineIsUnderstood(t *testing.T) {
	t.Parallel()
	for name, lines := range recordings(t) {
		unknown := 0
		for _, e := range foldAll(lines) {
			if e.Notice == "unknown" {
				unknown++
				t.Logf("%s: line %d: %s", name, e.Pos, runlog.Cut(e.Text, 100))
			}
			checkEntry(t, name, e)
		}
		if unknown != deliberately[name] {
			t.Errorf("%s: %d unknown notices, want %d", name, unknown, deliberately[name])
		}
	}
}

// checkEntry checks what holds for every entry.
func checkEntry(t testing.TB, name string, e beckon.Entry) {
	t.Helper()
	tool := e.Tool
	switch {
	case e.ID == "" || e.Kind == "":
		t.Errorf("%s: an entry without ID or kind: %+v", name, e)
	case !utf8.ValidString(e.Text) || len(e.Text) > TextMost+len("…"):
		t.Errorf("%s: a text that is no UTF-8 or too long: %d bytes", name, len(e.Text))
	case tool != nil && (!utf8.ValidString(tool.Input) || !utf8.ValidString(tool.Result) || !utf8.ValidString(tool.Diff)):
		t.Errorf("%s: a tool call that is no UTF-8: %+v", name, tool)
	case tool != nil && (len(tool.Input) > inputMost || len(tool.Result) > resultMost || len(tool.Diff) > diffMost+1):
		t.Errorf("%s: a tool call that was not cut: %d, %d, %d bytes", name, len(tool.Input), len(tool.Result), len(tool.Diff))
	case tool != nil && strings.ContainsAny(tool.Target, "\n\r"):
		t.Errorf("%s: a target on two lines: %q", name, tool.Target)
	}
	if _, err := json.Marshal(e); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func TestTurnIsPricedAlone(t *testing.T) {
	t.Parallel()
	costs := func(entries []beckon.Entry) (list []string) {
		for _, e := range entries {
			if e.Turn != nil {
				list = append(list, fmt.Sprintf("%d: %.4f", e.Turn.Number, e.Turn.CostUSD))
			}
		}
		return list
	}
	lines := linesOf([]byte(`{"type":"result","subtype":"success","total_cost_usd":0.5,"uuid":"a"}
{"type":"result","subtype":"success","total_cost_usd":0.75,"uuid":"b"}
{"type":"result","subtype":"success","total_cost_usd":0.2,"uuid":"c"}`))
	want := []string{"1: 0.5000", "2: 0.2500", "3: 0.2000"}
	if diff := cmp.Diff(want, costs(foldAll(lines))); diff != "" {
		t.Error(diff)
	}
	var late Fold
	late.Add(7, at, []byte(`{"type":"assistant"}`))
	got := append(late.Add(8, at, lines[0]), late.Add(9, at, lines[1])...)
	if diff := cmp.Diff([]string{"0: 0.0000", "0: 0.2500"}, costs(got)); diff != "" {
		t.Error("a fold that missed lines makes up a number or a price:", diff)
	}
}

func TestHostileLinesBecomeQuietNotices(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"half a line":     `{"type":"assistant","message":{"content":[{"type":"te`,
		"deep nesting":    `{"type":"assistant","message":` + strings.Repeat(`[`, 100_000),
		"deep object":     `{"type":"user","x":` + strings.Repeat(`{"a":`, 100_000) + `1` + strings.Repeat(`}`, 100_000) + `}`,
		"no UTF-8":        "\xff\xfe garbage \xc3\x28",
		"a number":        `7`,
		"null":            `null`,
		"an array":        `[{"type":"assistant"}]`,
		"wrong types":     `{"type":"assistant","message":{"content":7}}`,
		"unknown type":    `{"type":"telepathy","uuid":"u"}`,
		"unknown subtype": `{"type":"system","subtype":"telepathy","uuid":"u"}`,
		"forged own line": `{"type":"beckon","subtype":7}`,
	} {
		var fold Fold
		entries := fold.Add(0, at, []byte(line))
		if len(entries) != 1 || entries[0].Notice != "unknown" || entries[0].Text == "" {
			t.Errorf("%s: %+v", name, entries)
			continue
		}
		checkEntry(t, name, entries[0])
	}
}

func TestInvalidUTF8InAMessageIsReplacedNotLost(t *testing.T) {
	t.Parallel()
	entries := foldAll([][]byte{
		[]byte("{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\xffb\"}," +
			"{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"c\xfed\"}}]},\"uuid\":\"u\"}"),
	})
	if len(entries) != 2 || entries[0].Text != "a\uFFFDb" || entries[1].Tool.Target != "c\uFFFDd" {
		t.Errorf("%+v", entries)
	}
	for _, e := range entries {
		checkEntry(t, "invalid UTF-8", e)
	}
}

func TestBlankLinesShowNothing(t *testing.T) {
	t.Parallel()
	if got := foldAll([][]byte{{}, []byte("  "), []byte("\r")}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// hugeWrite is the call and the result of a Write of n lines of 50 bytes.
func hugeWrite(id string, n int) [][]byte {
	content := strings.Repeat(strings.Repeat("x", 48)+`\n`, n)
	return [][]byte{
		fmt.Appendf(nil, `{"type":"assistant","message":{"content":[{"type":"tool_use","id":%q,"name":"Write","input":{"file_path":"/p/big.txt","content":"%s"}}]},"uuid":"c-%s"}`, id, content, id),
		fmt.Appendf(nil, `{"type":"user","message":{"content":[{"tool_use_id":%q,"type":"tool_result","content":"File created"}]},"uuid":"r-%s","tool_use_result":{"type":"create","filePath":"/p/big.txt","content":"%s","structuredPatch":[],"originalFile":null}}`, id, id, content),
	}
}

func TestHugeWriteIsShownCutButCountedWhole(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{100_000, 1_000_000} { // 5 MB, 50 MB
		entries := foldAll(hugeWrite("toolu_1", lines))
		if len(entries) != 1 {
			t.Fatalf("%d entries", len(entries))
		}
		checkEntry(t, "huge write", entries[0])
		if tool := entries[0].Tool; tool.Added != lines || tool.Removed != 0 || !tool.Done || len(tool.Diff) < diffMost/2 {
			t.Errorf("%d lines: added %d, removed %d, done %t, diff %d bytes", lines, tool.Added, tool.Removed, tool.Done, len(tool.Diff))
		}
	}
}

// The mark of what was left out of a huge text is for this program.
func TestHugeTextEndsWhereItIsCut(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`a \"line\" of words\n`, 50_000)
	for name, line := range map[string]string{
		"said":     `{"type":"assistant","message":{"content":[{"type":"text","text":"` + text + `"}]},"uuid":"u"}`,
		"told":     `{"type":"user","message":{"content":"` + text + `"},"uuid":"u"}`,
		"message":  `{"type":"beckon","subtype":"message","uuid":"u","text":"` + text + `"}`,
		"a notice": `{"type":"beckon","subtype":"notice","uuid":"u","notice":"n","text":"` + text + `"}`,
		"failed":   `{"type":"result","is_error":true,"result":"` + text + `","uuid":"u"}`,
	} {
		log := opened(t)
		if _, err := log.Append(at, [][]byte{[]byte(line)}); err != nil {
			t.Fatal(err)
		}
		live := foldAll([][]byte{[]byte(line)})
		read := pages(t, log, 10)
		if diff := cmp.Diff(live, read); diff != "" {
			t.Errorf("%s: live and read again differ: %s", name, diff)
		}
		e := live[0]
		if e.Turn != nil {
			e.Text = e.Turn.Reason
		}
		if len(e.Text) < resultMost-4 || strings.ContainsRune(e.Text, '\uFDD0') {
			t.Errorf("%s: %d bytes that end in %q", name, len(e.Text), e.Text[max(0, len(e.Text)-40):])
		}
	}
}

func TestLongResultSaysHowMuchIsLeftOut(t *testing.T) {
	t.Parallel()
	entries := foldAll([][]byte{fmt.Appendf(nil,
		`{"type":"user","message":{"content":[{"tool_use_id":"t","type":"tool_result","content":"%s"}]},"uuid":"u"}`,
		strings.Repeat("é", 50_000))})
	tool := entries[0].Tool
	if len(tool.Result) != resultMost || tool.Cut != 100_000-resultMost || !tool.Orphan {
		t.Errorf("result of %d bytes, %d cut, orphan %t", len(tool.Result), tool.Cut, tool.Orphan)
	}
	checkEntry(t, "long result", entries[0])
}
