package claude

import (
	"bytes"
	"fmt"
	"testing"
)

func TestSignsAreFoundWithoutDecoding(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]sign{
		`{"type":"assistant","parent_tool_use_id":"toolu_1"}`:                                                                               ofSubAgent,
		`{"type":"assistant","parent_tool_use_id":null,"error":"rate_limit"}`:                                                               withError,
		`{"error":"unknown","message":{"content":[{"input":{"run_in_background":true}}]},"parent_tool_use_id":"t"}`:                         ofSubAgent | withError | inBackground,
		`{"message":{"content":[{"input":{"run_in_background":false,"command":"x"}}]},"error":null,"parent_tool_use_id":null}`:              0,
		`{"text":"\"error\":\"x\" \"run_in_background\":true {\"parent_tool_use_id\":\"t\"} error: an \"error\": 10:30:00","my_error":"x"}`: 0,
		`{"message":{"content":[{"type":"tool_use","name":"Edit","input":{"file_path":"a"}}]},"parent_tool_use_id":null}`:                   ofWriting,
		`{"message":{"content":[{"type":"tool_use","name":"NotebookEdit","input":{}}]}}`:                                                    ofWriting,
		`{"message":{"content":[{"type":"tool_use","name":"EditorOf","input":{"name":"x","text":"\"name\":\"Edit\""}}]}}`:                   0,
		`:`: 0, `":`: 0, `"error":`: 0, ``: 0,
	} {
		var found signs
		for _, s := range []sign{ofSubAgent, withError, inBackground, ofWriting} {
			if found.has([]byte(raw), s) != (want&s != 0) {
				t.Errorf("%s: sign %d found: %t", raw, s, found.has([]byte(raw), s))
			}
		}
	}
}

func BenchmarkSigns(b *testing.B) {
	raw := fmt.Appendf(nil, `{"type":"assistant","message":{"content":[{"text":"%s","type":"text"}],"id":"msg_1","model":"claude-opus-4-8","role":"assistant","stop_reason":null,"stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":1000,"output_tokens":1,"service_tier":"standard"},"context_management":null},"parent_tool_use_id":null,"session_id":"3d3f3759-c4fe-4b1a-95d2-91ed17d78909","uuid":"a4b2d92d-a323-4fc6-9b44-4f4255e38768","request_id":"req_1"}`,
		bytes.Repeat([]byte("word "), 95))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		var found signs
		if found.has(raw, withError) || found.has(raw, inBackground) {
			b.Fatal("it has none")
		}
	}
}
