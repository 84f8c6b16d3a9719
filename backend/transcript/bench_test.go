package transcript

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/fold"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// kilobyte is an assistant's line of 1 KB.
var kilobyte = fmt.Appendf(nil, `{"type":"assistant","message":{"content":[{"text":"%s","type":"text"}],"id":"msg_1","model":"claude-opus-4-8","role":"assistant","stop_reason":null,"stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":1000,"output_tokens":1,"service_tier":"standard"},"context_management":null},"parent_tool_use_id":null,"session_id":"3d3f3759-c4fe-4b1a-95d2-91ed17d78909","uuid":"a4b2d92d-a323-4fc6-9b44-4f4255e38768","request_id":"req_1"}`,
	bytes.Repeat([]byte("word "), 95))

func BenchmarkFold(b *testing.B) {
	edit, err := os.ReadFile("testdata/recordings/e1_oneshot.ndjson")
	if err != nil {
		b.Fatal(err)
	}
	big := hugeWrite("t", 100_000)
	for name, lines := range map[string][][]byte{
		"text 1 KB": {kilobyte}, "one-shot": linesOf(edit), "write 5 MB": big,
	} {
		b.Run(name, func(b *testing.B) {
			var fold Fold
			size := 0
			for _, l := range lines {
				size += len(l)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			pos := int64(0)
			for b.Loop() {
				for _, l := range lines {
					fold.Add(pos, at, l)
					pos++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(pos), "µs/line")
		})
	}
}

// BenchmarkReaders reads a line as a run does whose transcript is watched: its
// entry, its activity, the end of the text that was streamed, and what it says
// of the run.
func BenchmarkReaders(b *testing.B) {
	for name, next := range map[string]func(*claude.Line) *claude.Line{
		"handed on decoded": func(line *claude.Line) *claude.Line { return line },
		"decoded by each":   func(line *claude.Line) *claude.Line { return claude.NewLine(line.Raw) },
	} {
		b.Run(name, func(b *testing.B) {
			var f Fold
			pos := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				var live Live
				live.text.WriteString("streamed")
				line := claude.NewLine(kilobyte)
				fold.Activity(line)
				f.AddLine(pos, at, next(line))
				live.End()
				if _, err := next(line).Message(); err != nil {
					b.Fatal(err)
				}
				pos++
			}
		})
	}
}

func BenchmarkLive(b *testing.B) {
	delta := []byte(`{"type":"stream_event","event":{"delta":{"text":"A few words of ","type":"text_delta"},"index":0,"type":"content_block_delta"},"session_id":"afcee0d3-ce39-43c1-9e98-ba343c60000c","parent_tool_use_id":null,"uuid":"6386d0ac-c8a5-4e8c-affe-ebc14097e2fc"}`)
	var live Live
	b.ReportAllocs()
	for b.Loop() {
		if _, changed := live.Add(claude.NewLine(delta)); !changed {
			live = Live{}
		}
	}
}

// BenchmarkPage opens a transcript of 100,000 lines and 261 MB, and reads its
// last page and one in the middle.
func BenchmarkPage(b *testing.B) {
	dir := b.TempDir()
	log, err := Open(dir, "run")
	if err != nil {
		b.Fatal(err)
	}
	line := bytes.Replace(kilobyte, []byte("word "), bytes.Repeat([]byte("word "), 320), 1)
	for i := range int64(100_000) {
		unique := bytes.Replace(line, []byte("a4b2d92d"), fmt.Appendf(nil, "%08d", i), 1)
		if _, err := log.Append(at+i*100, [][]byte{unique}); err != nil {
			b.Fatal(err)
		}
	}
	log.Close()
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			log, err := OpenRead(dir, "run")
			if err != nil {
				b.Fatal(err)
			}
			log.Close()
		}
	})
	log, err = OpenRead(dir, "run")
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	for name, before := range map[string]int64{"last": -1, "middle": 50_000} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Around(log, before, 50, 50); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAllPages reads a whole transcript of mixed lines page by page, backwards
// as a reader scrolls, and encodes each page as it is sent.
func BenchmarkAllPages(b *testing.B) {
	const lines = 10_000
	mixed := mixture()
	log, err := Open(b.TempDir(), "run")
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	for i := range int64(lines) {
		if _, err := log.Append(at+i*100, [][]byte{mixed[i%int64(len(mixed))](i)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for before := int64(-1); ; {
			span, err := Around(log, before, 200, 0)
			if err != nil {
				b.Fatal(err)
			}
			if err := jsonv2.MarshalWrite(io.Discard, span.Entries, jsonv1.DefaultOptionsV1()); err != nil {
				b.Fatal(err)
			}
			if before = span.Before; before < 0 {
				break
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*lines), "µs/line")
}

// mixture is what an agent says: thoughts, texts, and calls with their results.
func mixture() []func(i int64) []byte {
	speech := func(kind, block string) func(int64) []byte {
		return func(i int64) []byte {
			return fmt.Appendf(nil, `{"type":%q,"message":{"content":[%s],"id":"msg_1","model":"claude-opus-4-8","role":%q},"parent_tool_use_id":null,"session_id":"3d3f3759-c4fe-4b1a-95d2-91ed17d78909","uuid":"%08d-a323-4fc6-9b44-4f4255e38768"}`,
				kind, strings.ReplaceAll(block, "ID", fmt.Sprintf("toolu_%d", i-i%2)), kind, i)
		}
	}
	words := func(n int) string {
		return strings.Repeat("a line of some words, as \"code\" or prose has\n", n/45+1)[:n]
	}
	var all []func(int64) []byte
	say := func(kind, block string) { all = append(all, speech(kind, block)) }
	call := func(name, input string, result int) {
		say("assistant", fmt.Sprintf(`{"type":"tool_use","id":"ID","name":%q,"input":{%s}}`, name, input))
		say("user", fmt.Sprintf(`{"type":"tool_result","tool_use_id":"ID","content":%q}`, words(result)))
	}
	say("assistant", fmt.Sprintf(`{"type":"thinking","thinking":%q,"signature":"c2ln"}`, words(1500)))
	say("assistant", fmt.Sprintf(`{"type":"text","text":%q}`, words(400)))
	call("Read", `"file_path":"/home/dev/project/parser.go"`, 9000)
	call("Bash", `"command":"go test ./...","description":"Run the tests"`, 2500)
	call("Edit", fmt.Sprintf(`"file_path":"/home/dev/project/parser.go","old_string":%q,"new_string":%q`, words(900), words(1100)), 1200)
	call("Grep", `"pattern":"func Parse","path":"/home/dev/project"`, 7000)
	return all
}
