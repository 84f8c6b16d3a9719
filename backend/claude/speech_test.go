package claude

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oddSpeech are lines that are hard to read right.
var oddSpeech = []string{
	`{"type":"user","message":{"role":"user","content":"plain"},"uuid":"u"} `,
	`{"type":"user","message":{"content":"\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00\ud83d\u0041\udead"}}`,
	`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"text","text":"a"},null]}]},"tool_use_result":{"a":[1,-2.5e3,true,null,"\u0041"]}}`,
	`{"type":"user","message":{"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}},{"source":null,"input":null}]}}`,
	`{"type":"assistant","message":null,"error":null,"isReplay":null,"tool_use_result":null}`,
	`{"type":"assistant","message":{"content":{"not":"known"}},"isSynthetic":true}`,
	`{"type":"assistant","message":{"content":[]},"Uuid":"folded","uuid":"exact"}`,
	`{"type":"assistant","uuid":"first","uuid":"second"}`,
	`{"type":"assistant","message":{"id":1,"content":"of another type"}}`,
	`{"type":"assistant","message":{"content":["a text"]}}`,
	`{"type":"assistant","usage":{"n":01}}`, `{"type":"assistant","usage":[1,]}`, `{"type":"assistant","usage":{"a" 1}}`,
	`{"type":"assistant","usage":tru}`, `{"type":"assistant"`, `{"type":"assistant"}}`, `{"type":"assistant","a":"\x"}`, "{\"type\":\"assistant\",\"a\":\"\x01\"}",
	"{\"type\":\"assistant\",\"uuid\":\"\xff\xfe\"}", `{"type":"assistant","uu\u0069d":"escaped"}`,
}

// FuzzSpeech compares the quick way to read a line with encoding/json: what the one
// is sure of, the other says too.
func FuzzSpeech(f *testing.F) {
	for _, line := range oddSpeech {
		f.Add([]byte(line))
	}
	names, _ := filepath.Glob(filepath.Join("testdata", "*.ndjson"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, ok := scanSpeech(raw)
		if !ok {
			return
		}
		var want speechLine
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatalf("encoding/json refuses it: %v", err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(speechLine{})); diff != "" {
			t.Error(diff)
		}
	})
}

// TestTheQuickWayReadsWhatTheCLIWrites: in doubt it is no faster than the other one.
func TestTheQuickWayReadsWhatTheCLIWrites(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("testdata", "*.ndjson"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d recordings, %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			if kind := KindOf(line); kind != AssistantLine && kind != UserLine {
				continue
			}
			if _, ok := scanSpeech(line); !ok {
				t.Errorf("%s: in doubt about %.200s", name, line)
			}
		}
	}
}
