package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/fold"
	"beckon/backend/beckon"

	"github.com/google/go-cmp/cmp"
)

// feed gives a line to live as a run does: a part of a text, or what ends it.
func feed(live *Live, raw []byte) (beckon.Live, bool) {
	line := claude.NewLine(raw)
	if line.Kind == claude.ResultLine || line.Kind == claude.AssistantLine && !bytes.Contains(raw, []byte(`"parent_tool_use_id":"`)) {
		return live.End()
	}
	return live.Add(line)
}

// streamed replays lines and returns what a watcher saw being written, a text
// that grew as its last value.
func streamed(lines [][]byte) []string {
	var live Live
	var seen []string
	for _, line := range lines {
		now, changed := feed(&live, line)
		if !changed {
			continue
		}
		text := now.Text
		if now.Thinking {
			text = "thinking: " + text
		}
		if n := len(seen); n > 0 && seen[n-1] != "" && strings.HasPrefix(text, seen[n-1]) {
			seen[n-1] = text
			continue
		}
		seen = append(seen, text)
	}
	return seen
}

func TestWatcherSeesTextGrowUntilItsLineIsComplete(t *testing.T) {
	t.Parallel()
	want := []string{
		"thinking: Let me look at the project first.", "",
		"I will look around and then make the change.", "",
		"Done. I wrote hello.go.", "",
	}
	if diff := cmp.Diff(want, streamed(recordings(t)["e1_partial"])); diff != "" {
		t.Error(diff)
	}
}

func delta(kind, text string) []byte {
	return fmt.Appendf(nil, `{"type":"stream_event","event":{"delta":{%q:%q,"type":"%s_delta"},"index":0,"type":"content_block_delta"},"parent_tool_use_id":null}`, kind, text, kind)
}

func TestCutOffTextDoesNotStay(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"the next message": `{"type":"stream_event","event":{"type":"message_start","message":{}}}`,
		"the turn's end":   `{"type":"result","is_error":true}`,
		"a broken line":    `{"type":"assistant","message":`,
	} {
		var live Live
		feed(&live, delta("text", "half a"))
		if now, changed := feed(&live, []byte(line)); !changed || now.Text != "" {
			t.Errorf("%s: %+v, %t", name, now, changed)
		}
	}
}

func TestSubAgentsDoNotWriteInTheMainAgentsPlace(t *testing.T) {
	t.Parallel()
	var live Live
	feed(&live, delta("text", "mine"))
	sub := strings.Replace(string(delta("text", "theirs")), `"parent_tool_use_id":null`, `"parent_tool_use_id":"t"`, 1)
	for _, line := range []string{sub, `{"type":"assistant","message":{"content":[]},"parent_tool_use_id":"t"}`, `{"type":"system"}`} {
		if now, changed := feed(&live, []byte(line)); changed {
			t.Errorf("%+v after %s", now, line)
		}
	}
	if now, _ := feed(&live, delta("text", "!")); now.Text != "mine!" {
		t.Errorf("%+v", now)
	}
}

func TestEndlessTextStopsGrowing(t *testing.T) {
	t.Parallel()
	var live Live
	var last beckon.Live
	for range 400 {
		if now, changed := feed(&live, delta("text", strings.Repeat("x", 1000))); changed {
			last = now
		}
	}
	if len(last.Text) > liveMost || len(last.Text) < liveMost-1000 {
		t.Errorf("%d bytes", len(last.Text))
	}
}

func TestCardSaysWhatTheAgentDoes(t *testing.T) {
	t.Parallel()
	block := func(block string) string {
		return `{"type":"assistant","message":{"content":[` + block + `]}}`
	}
	for line, want := range map[string]string{
		block(`{"type":"text","text":"x"}`):                                                                                            "writing ",
		block(`{"type":"thinking","thinking":"x"}`):                                                                                    "thinking ",
		block(`{"type":"tool_use","name":"Edit","input":{"file_path":"/a/b/parser.go"}}`):                                              "editing parser.go",
		block(`{"type":"tool_use","name":"Bash","input":{"command":"\n go test ./... \nls","description":"d"}}`):                       "executing go test ./...",
		block(`{"type":"tool_use","name":"Grep","input":{"pattern":"TODO","path":"/a"}}`):                                              "searching TODO",
		block(`{"type":"tool_use","name":"Agent","input":{"description":"explore","prompt":"p"}}`):                                     "delegating explore",
		block(`{"type":"tool_use","name":"AskUserQuestion","input":{"questions":[{"question":"Which?"}]}}`):                            "asking Which?",
		block(`{"type":"tool_use","name":"mcp__beckon__ask_user","input":{"question":"Why?"}}`):                                        "asking Why?",
		block(`{"type":"tool_use","name":"WebFetch","input":{"url":"https://x.test","prompt":"p"}}`):                                   "fetching https://x.test",
		block(`{"type":"tool_use","name":"Bash","input":{"command":7}}`):                                                               "executing ",
		`{"type":"stream_event","event":{"type":"content_block_start","content_block":{"type":"tool_use","name":"Write","input":{}}}}`: "editing ",
		`{"type":"assistant","parent_tool_use_id":"t","message":{"content":[{"type":"text","text":"x"}]}}`:                             "nothing",
		`{"type":"user","message":{"content":"x"}}`:                                                                                    "nothing",
		`{"type":"stream_event","event":{"type":"content_block_start"}}`:                                                               "nothing",
		`{"type":"assistant","message":`:                                                                                               "nothing",
	} {
		got := "nothing"
		if a, ok := fold.Activity(claude.NewLine([]byte(line))); ok {
			got = string(a.Verb) + " " + a.Target
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestALineIsDecodedOnceForAllThatShowIt takes its bytes away once the first
// has read it: whatever decodes it again finds nothing.
func TestALineIsDecodedOnceForAllThatShowIt(t *testing.T) {
	t.Parallel()
	own := claude.NewLine([]byte(`{"type":"assistant","uuid":"u","message":{"content":[{"type":"text","text":"said"}]}}`))
	sub := claude.NewLine([]byte(`{"type":"assistant","parent_tool_use_id":"t","message":{"content":[{"type":"text","text":"x"}]}}`))
	var f Fold
	for i, line := range []*claude.Line{own, sub} {
		if entries := f.AddLine(int64(i), at, line); len(entries) != 1 {
			t.Fatalf("folded into %+v", entries)
		}
		clear(line.Raw)
	}
	if a, ok := fold.Activity(own); !ok || a.Verb != beckon.Writing {
		t.Errorf("the activity is %+v, %t", a, ok)
	}
	var live Live
	feed(&live, []byte(`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"mine"}}}`))
	if now, changed := live.Add(sub); changed {
		t.Errorf("a sub-agent's line made the text %+v", now)
	}
}

// TestACallHasTheInputThatComesBehindIt, in the order of the stream and of a page that
// begins between the two.
func TestACallHasTheInputThatComesBehindIt(t *testing.T) {
	t.Parallel()
	lines := [][]byte{
		[]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Bash","kind":"execute","status":"pending"}}}`),
		[]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"c","title":"Bash","kind":"execute","status":"in_progress","rawInput":{"command":"echo x"}}}}`),
		[]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","content":[{"type":"content","content":{"type":"text","text":"x"}}]}}}`),
	}
	entries := foldAll(lines)
	if len(entries) != 1 || entries[0].Pos != 0 || entries[0].Tool.Target != "echo x" || entries[0].Tool.Result != "x" || entries[0].Tool.Orphan {
		t.Errorf("it shows %+v", entries)
	}
	var first, rest Fold
	call, later := first.Add(0, at, lines[0])[0], rest.Add(1, at, lines[1])[0]
	for _, got := range []beckon.Entry{Merge(call, later), Merge(later, call)} {
		if got.Pos != 0 || got.Tool.Target != "echo x" {
			t.Errorf("joined it is %+v", got)
		}
	}
}
