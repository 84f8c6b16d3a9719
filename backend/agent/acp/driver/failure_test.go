package driver

import (
	"encoding/json"
	"strings"
	"testing"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
)

// ending is how a turn is to be taken.
type ending string

const (
	fine        ending = "fine"
	failed      ending = "failed"
	limitedEnd  ending = "limited"
	interrupted ending = "interrupted"
)

// What agents say in a turn.
const (
	wordsSaid = `"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"I looked around."}`
	thought   = `"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Let me see."}`
	called    = `"sessionUpdate":"tool_call","toolCallId":"c","title":"make","kind":"execute","status":"completed"`
	broken    = `"sessionUpdate":"tool_call_update","toolCallId":"c","status":"failed"`
	threadOut = `"sessionUpdate":"session_info_update","_meta":{"codex":{"threadStatus":{"type":"systemError"}}}`
)

func says(text string) string {
	raw, _ := json.Marshal(text)
	return `"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + string(raw) + `}`
}

func notices(severity, title string) string {
	return `"sessionUpdate":"notice","severity":"` + severity + `","title":"` + title + `","description":""`
}

func codexError(message, retries string) string {
	return `"sessionUpdate":"session_info_update","_meta":{"codex":{"error":{"message":"` + message + `","willRetry":` + retries + `}}}`
}

const (
	endsWell    = `"result":{"stopReason":"end_turn"}`
	endsRefused = "refused: " + endsWell // a person refused a permission in it, before the last update
)

// failures are the shapes in which turns end that did not go well, each of which some agent
// has, and those that only look so.
var failures = []struct {
	name    string
	updates []string
	end     string
	want    ending
}{
	{"nothing at all", nil, endsWell, failed},
	{"only thoughts", []string{thought}, endsWell, failed},
	{"only white space", []string{says(" \n ")}, endsWell, failed},
	{"only an adapter's warning", []string{says("Warning: Model metadata for scripted-1 not found.")}, endsWell, failed},
	{"only an adapter's information", []string{says("Info: Request retried")}, endsWell, failed},
	{"an error as text", []string{says("Error: 503 Service Unavailable")}, endsWell, failed},
	{"an error as text behind words", []string{wordsSaid, called, says("API Error: Connection reset")}, endsWell, failed},
	{"an error as text behind a warning", []string{says("Warning: no metadata\nstream disconnected before completion")}, endsWell, failed},
	{"an error with a status as text", []string{says("unexpected status 500 Internal Server Error")}, endsWell, failed},
	{"a 429 as text", []string{says("exceeded retry limit, last status: 429 Too Many Requests")}, endsWell, limitedEnd},
	{"a limit as text", []string{says("You've hit your usage limit. Try again at 5 PM.")}, endsWell, limitedEnd},
	{"a quota as text", []string{says("Error: insufficient_quota")}, endsWell, limitedEnd},
	{"a state of the thread", []string{wordsSaid, threadOut}, endsWell, failed},
	{"a state of the thread behind a 429", []string{says("last status: 429 Too Many Requests"), threadOut}, endsWell, limitedEnd},
	{"a state of the thread as a word", []string{wordsSaid, `"sessionUpdate":"session_info_update","_meta":{"codex":{"threadStatus":"systemError"}}`}, endsWell, failed},
	{"an error of Codex", []string{codexError("stream disconnected", "false"), wordsSaid}, endsWell, failed},
	{"a 429 of Codex", []string{wordsSaid, codexError("usage_limit_reached", "false")}, endsWell, limitedEnd},
	{"a notice of an error", []string{wordsSaid, notices("error", "Model failed")}, endsWell, failed},
	{"a notice of a 429", []string{notices("error", "429 Too Many Requests"), wordsSaid}, endsWell, limitedEnd},
	{"an error of the request", []string{wordsSaid}, `"error":{"code":-32603,"message":"Internal error"}`, failed},
	{"an error without words", nil, `"error":{"code":-32603}`, failed},
	{"a 429 in an error's words", []string{wordsSaid}, `"error":{"code":-32603,"message":"Internal error","data":{"details":"429 rate_limit_error"}}`, limitedEnd},
	{"a 429 as an error's code", nil, `"error":{"code":429,"message":"Try again later."}`, limitedEnd},
	{"a spent resource", nil, `"error":{"code":500,"message":"RESOURCE_EXHAUSTED"}`, limitedEnd},
	{"no account", nil, `"error":{"code":-32000,"message":"Authentication required"}`, failed},
	{"an error beside a result", []string{wordsSaid}, endsWell + `,"error":{"code":1,"message":"broken"}`, failed},
	{"a refusal", []string{wordsSaid}, `"result":{"stopReason":"refusal"}`, failed},
	{"the most tokens", []string{wordsSaid}, `"result":{"stopReason":"max_tokens"}`, failed},
	{"the most requests", []string{wordsSaid}, `"result":{"stopReason":"max_turn_requests"}`, failed},
	{"an unknown reason", []string{wordsSaid}, `"result":{"stopReason":"_vendor/broken"}`, failed},
	{"no reason", []string{wordsSaid}, `"result":{}`, failed},
	{"no result", []string{wordsSaid}, `"result":null`, failed},
	{"a reason that is no word", []string{wordsSaid}, `"result":{"stopReason":7}`, failed},
	{"a cancelled turn", []string{wordsSaid}, `"result":{"stopReason":"cancelled"}`, interrupted},
	{"a refused permission", []string{broken}, endsRefused, interrupted},
	{"a refused permission, as an adapter says", []string{says("Info: Operation cancelled by user")}, endsRefused, interrupted},
	{"a refused permission, and thoughts", []string{thought}, endsRefused, interrupted},

	{"words", []string{wordsSaid}, endsWell, fine},
	{"a tool alone", []string{called}, endsWell, fine},
	{"a refused permission, and another way", []string{says("Then I do it otherwise.")}, endsRefused, fine},
	{"an error that is tried again", []string{codexError("timeout", "true"), wordsSaid}, endsWell, fine},
	{"a notice of a warning", []string{notices("warning", "Slow"), wordsSaid}, endsWell, fine},
	{"words about errors", []string{says("Error handling is in place; a 429 is tried again.")}, endsWell, fine},
	{"words about a limit", []string{says("The rate limit of the client is 10.")}, endsWell, fine},
	{"a warning before words", []string{says("Warning: no metadata\nAll done.")}, endsWell, fine},
	{"a tool that failed, and words", []string{called, broken, wordsSaid}, endsWell, fine},
}

// TestNoFailureIsTakenForSuccess, and no success for a failure.
func TestNoFailureIsTakenForSuccess(t *testing.T) {
	t.Parallel()
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			if got := endOf(t, f.updates, f.end); got != f.want {
				t.Errorf("the turn is %s, want %s", got, f.want)
			}
		})
	}
}

// endOf reads a turn.
func endOf(t *testing.T, updates []string, end string) ending {
	t.Helper()
	s := &session{open: map[string]refusal{}, turn: &turn{message: "m", over: make(chan struct{})}}
	r := reader{session: s}
	var events []agent.Event
	read := func(line string) {
		for _, o := range r.line([]byte(line)) {
			events = append(events, o.Events...)
		}
	}
	read(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"x","status":"in_progress"}}}`)
	if after, refused := strings.CutPrefix(end, "refused: "); refused {
		s.refuse("", "")
		end = after
	}
	for _, update := range updates {
		read(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{` + update + `}}}`)
	}
	read(`{"jsonrpc":"2.0","id":"` + acp.PromptID("m") + `",` + end + `}`)
	for _, e := range events {
		if over, is := e.(agent.TurnEnded); is {
			return taken(over)
		}
	}
	t.Fatal("the turn has no end")
	return ""
}

func taken(e agent.TurnEnded) ending {
	switch {
	case e.Limited:
		return limitedEnd
	case e.Failed:
		return failed
	case e.Interrupted:
		return interrupted
	}
	return fine
}
