package acp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
	"beckon/backend/beckon"
)

// shown is what a transcript shows of a line, as its kind, its word and its text.
func shown(line string) string {
	var all []string
	for _, e := range (acp.Reader{}).Entries(3, 1, agent.Raw(line)) {
		words := []string{string(e.Kind), e.Notice, e.Text}
		if e.Tool != nil {
			words = append(words, e.Tool.Name, string(e.Tool.Verb), e.Tool.Target, e.Tool.Result)
			if e.Tool.Orphan {
				words = append(words, "orphan")
			}
		}
		if e.Turn != nil && e.Turn.Failed {
			words = append(words, "failed", e.Turn.Reason)
		}
		all = append(all, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	}
	return strings.Join(all, "; ")
}

func update(fields string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{` + fields + `}}}`
}

func TestLinesAreShownAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello"}`):                                                 "text Hello",
		update(`"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Hm"}`):                                                    "thinking Hm",
		update(`"sessionUpdate":"agent_message_chunk","content":{"type":"resource_link","uri":"file:///a"}`):                                     "text [resource_link file:///a]",
		update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":" "}`):                                                     "",
		update(`"sessionUpdate":"plan","entries":[{"content":"Look","status":"completed"},{"content":"Mend","status":"pending"}]`):               "text - [x] Look - [ ] Mend",
		update(`"sessionUpdate":"tool_call","toolCallId":"c","title":"a file of mine","kind":"execute","rawInput":{"command":["rm","-rf","x"]}`): "tool execute executing rm -rf x",
		update(`"sessionUpdate":"tool_call","toolCallId":"c","title":"Reading","kind":"read","locations":[{"path":"/a/b.go"}]`):                  "tool read reading /a/b.go",
		update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"in_progress"`):                                                     "",
		update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","rawOutput":{"formatted_output":"ok"}`):                 "tool tool using ok orphan",
		update(`"sessionUpdate":"notice","severity":"warning","title":"Low","description":"on credit"`):                                          "notice notification Low on credit",
		update(`"sessionUpdate":"usage_update","used":1,"size":2`):                                                                               "",
		update(`"sessionUpdate":"session_info_update","_meta":{"codex":{"error":{"message":"broken"}}}`):                                         "notice api_error broken",
		update(`"sessionUpdate":"compaction_update"`):                                                                                            "notice unknown compaction_update",
		update(`"sessionUpdate":7`): "notice unknown update without a kind",
		`{"jsonrpc":"2.0","id":"prompt/m","result":{"stopReason":"end_turn"}}`:                                               "turn",
		`{"jsonrpc":"2.0","id":"prompt/m","result":{"stopReason":"refusal"}}`:                                                "turn failed refusal",
		`{"jsonrpc":"2.0","id":"prompt/m","error":{"code":-32603,"message":"Internal error","data":{"details":"no model"}}}`: "turn failed Internal error: no model",
		`{"jsonrpc":"2.0","id":"beckon/1","result":{"stopReason":"end_turn"}}`:                                               "",
		`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{}}`:                                         "",
		`{"jsonrpc":"2.0","method":"_vendor/news","params":{}}`:                                                              "notice unknown _vendor/news",
		`{"jsonrpc":"2.0"}`: `notice unknown {"jsonrpc":"2.0"}`,
		`{"jsonrpc":"2.0","method":"session/update","params":"x"}`: "notice unknown update without a kind",
	} {
		if got := shown(line); got != want {
			t.Errorf("%s\nshows %q\n want %q", line, got, want)
		}
	}
}

func TestALineOfFiftyMegabytesIsCut(t *testing.T) {
	t.Parallel()
	words := strings.Repeat("word ", 10<<20)
	entries := acp.Reader{}.Entries(0, 1, agent.Raw(update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","content":[{"type":"content","content":{"type":"text","text":"`+words+`"}}]`)))
	if len(entries) != 1 || len(entries[0].Tool.Result) > 40<<10 || entries[0].Tool.Cut == 0 {
		t.Fatalf("it shows %d entries", len(entries))
	}
}

func TestWhichLinesAreOfTheProtocol(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		`{"jsonrpc":"2.0","method":"x"}`: true, `{"id":1,"jsonrpc":"2.0"}`: true,
		`{"type":"assistant","text":"\"jsonrpc\":"}`: false, `{"type":"beckon","jsonrpc":"2.0"}`: false, `Loading "jsonrpc": x`: false, ``: false,
	} {
		if got := acp.Is([]byte(line)); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
}

func TestWhatWasTakenIsReadFromItsOwnLineAlone(t *testing.T) {
	t.Parallel()
	if got := acp.TookOf(acp.TookLine("m1")); got != "m1" {
		t.Errorf("it reads %q", got)
	}
	if got := acp.TookOf([]byte(update(`"sessionUpdate":"x","text":` + string(must(json.Marshal(string(acp.TookLine("m1")))))))); got != "" {
		t.Errorf("an agent that speaks of it is believed: %q", got)
	}
}

func must(raw []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return raw
}

func TestAPictureIsShown(t *testing.T) {
	t.Parallel()
	line := update(`"sessionUpdate":"agent_message_chunk","content":{"type":"image","mimeType":"image/png","data":"aGVsbG8="}`)
	entries := acp.Reader{}.Entries(0, 1, agent.Raw(line))
	if len(entries) != 1 || len(entries[0].Pictures) != 1 || entries[0].Kind != beckon.TextEntry {
		t.Errorf("it shows %+v", entries)
	}
	if blocks := (acp.Reader{}).Pictures([]byte(line)); len(blocks) != 1 || blocks[0].Data != "aGVsbG8=" {
		t.Errorf("its pictures are %+v", blocks)
	}
}
