package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/agent/lenient"

	jsonv1 "github.com/go-json-experiment/json/v1"
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
	`{"type":"assistant","message":{"content":[{"id":{}}]},"request_id":"behind it"}`,
	`{"type":"assistant","usage":{"n":01}}`, `{"type":"assistant","usage":[1,]}`, `{"type":"assistant","usage":{"a" 1}}`,
	`{"type":"assistant","usage":tru}`, `{"type":"assistant"`, `{"type":"assistant"}}`, `{"type":"assistant","a":"\x"}`,
	"{\"type\":\"assistant\",\"a\":\"\x01\"}",
	"{\"type\":\"assistant\",\"uuid\":\"\xff\xfe\"}", `{"type":"assistant","uu\u0069d":"escaped"}`,
}

// FuzzSpeech compares [lenient.Unmarshal] with encoding/json: both read the same of a line, and
// what the one refuses, the other refuses too.
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
		var got, want speechLine
		err, wanted := lenient.Unmarshal(raw, &got), json.Unmarshal(raw, &want)
		var misfit *json.UnmarshalTypeError
		var within *jsonv1.UnmarshalTypeError // in a message's content
		if errors.As(wanted, &misfit) && misfit.Field != "" || errors.As(wanted, &within) {
			wanted = nil // the rest of the line is read
		}
		if (err == nil) != (wanted == nil) {
			t.Fatalf("%v; encoding/json says %v", err, wanted)
		}
		if err != nil || within != nil { // within one, encoding/json stops
			return
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(speechLine{})); diff != "" {
			t.Error(diff)
		}
	})
}
