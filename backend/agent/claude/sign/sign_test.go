package sign

import (
	"bytes"
	"fmt"
	"testing"
)

func TestSignsAreFoundWithoutDecoding(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]Sign{
		`{"type":"assistant","parent_tool_use_id":"toolu_1"}`:                                                                               OfSubAgent,
		`{"type":"assistant","parent_tool_use_id":null,"error":"rate_limit"}`:                                                               WithError,
		`{"error":"unknown","message":{"content":[{"input":{"run_in_background":true}}]},"parent_tool_use_id":"t"}`:                         OfSubAgent | WithError | InBackground,
		`{"message":{"content":[{"input":{"run_in_background":false,"command":"x"}}]},"error":null,"parent_tool_use_id":null}`:              0,
		`{"text":"\"error\":\"x\" \"run_in_background\":true {\"parent_tool_use_id\":\"t\"} error: an \"error\": 10:30:00","my_error":"x"}`: 0,
		`{"message":{"content":[{"type":"tool_use","name":"Edit","input":{"file_path":"a"}}]},"parent_tool_use_id":null}`:                   OfWriting,
		`{"message":{"content":[{"type":"tool_use","name":"NotebookEdit","input":{}}]}}`:                                                    OfWriting,
		`{"message":{"content":[{"type":"tool_use","name":"EditorOf","input":{"name":"x","text":"\"name\":\"Edit\""}}]}}`:                   0,
		`:`: 0, `":`: 0, `"error":`: 0, ``: 0,
	} {
		var found Found
		for _, s := range []Sign{OfSubAgent, WithError, InBackground, OfWriting} {
			if found.Has([]byte(raw), s) != (want&s != 0) {
				t.Errorf("%s: sign %d found: %t", raw, s, found.Has([]byte(raw), s))
			}
		}
	}
}

func BenchmarkSigns(b *testing.B) {
	raw := fmt.Appendf(nil, `{"type":"assistant","message":{"content":[{"text":"%s","type":"text"}],"id":"msg_1","model":"claude-opus-4-8","role":"assistant","stop_reason":null,"stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":1000,"output_tokens":1,"service_tier":"standard"},"context_management":null},"parent_tool_use_id":null,"session_id":"3d3f3759-c4fe-4b1a-95d2-91ed17d78909","uuid":"a4b2d92d-a323-4fc6-9b44-4f4255e38768","request_id":"req_1"}`,
		bytes.Repeat([]byte("word "), 95))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		var found Found
		if found.Has(raw, WithError) || found.Has(raw, InBackground) {
			b.Fatal("it has none")
		}
	}
}
