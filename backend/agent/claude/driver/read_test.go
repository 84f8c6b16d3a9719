package driver

import (
	"slices"
	"strings"
	"testing"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"

	"github.com/google/go-cmp/cmp"
)

// read returns the events of lines, all but those that come with every line of their kind.
func read(lines ...string) []agent.Event {
	r := newReader("beckon", "/home/own")
	return r.all(lines...)
}

func (r *reader) all(lines ...string) (events []agent.Event) {
	for _, line := range lines {
		for _, e := range r.events(claude.NewLine([]byte(line))) {
			switch e.(type) {
			case agent.Heard, agent.Spoke, agent.Part:
			default:
				events = append(events, e)
			}
		}
	}
	return events
}

// expect compares the events of lines.
func expect(t *testing.T, what string, got []agent.Event, want ...agent.Event) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}

const (
	asks = `{"type":"assistant","message":{"role":"assistant","id":"m","content":[` +
		`{"type":"text","text":"I ask."},{"type":"tool_use","id":"toolu_2","name":"mcp__beckon__ask_user","input":{}}]},"parent_tool_use_id":"toolu_1"}`
	subAgent = `{"type":"system","subtype":"task_started","task_id":"a1","task_type":"local_agent","description":"look for the cause","tool_use_id":"toolu_1"}`
)

// TestASubAgentThatAsksIsKnownByItsCall once there is one: every line would be searched else.
func TestASubAgentThatAsksIsKnownByItsCall(t *testing.T) {
	t.Parallel()
	expect(t, "before there is a sub-agent", read(asks))
	command := `{"type":"system","subtype":"task_started","task_id":"job","description":"a command"}`
	expect(t, "a command is none", read(command, asks), agent.JobBegan{ID: "job", Name: "a command"})
	expect(t, "a sub-agent", read(subAgent, asks),
		agent.SubAgentBegan{ID: "a1", CallID: "toolu_1", Name: "look for the cause"},
		agent.JobBegan{ID: "a1", Name: "look for the cause"},
		agent.SubAgentCalled{CallID: "toolu_2", By: "toolu_1"})
	r := newReader("other", "/home/own")
	if calls := r.all(subAgent, asks); len(calls) != 2 {
		t.Errorf("a call of other tools is one of Beckon's: %+v", calls)
	}
}

// TestTheContextIsTheMainAgentsAlone: a sub-agent's says nothing of how much is left in it.
func TestTheContextIsTheMainAgentsAlone(t *testing.T) {
	t.Parallel()
	const begins = `{"type":"stream_event","event":{"type":"message_start","message":{"usage":{"input_tokens":100,"cache_read_input_tokens":20}}}`
	expect(t, "a sub-agent's", read(begins+`,"parent_tool_use_id":"toolu_1"}`))
	expect(t, "the main one's", read(begins+`,"parent_tool_use_id":null}`), agent.ContextIs{Tokens: 120})
	expect(t, "what a reply took", read(`{"type":"stream_event","event":{"type":"message_delta","usage":{"input_tokens":5,"output_tokens":7}},"parent_tool_use_id":null}`), agent.Spent{Tokens: 12})
	expect(t, "a text about messages", read(`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"text":"\"message_start\""}}}`))
	expect(t, "after compacting", read(`{"type":"system","subtype":"compact_boundary","compact_metadata":{"post_tokens":7}}`), agent.ContextIs{Tokens: 7})
}

// TestAJobIsNamedByItsCommand that goes on without its call; housekeeping of the CLI's own
// is no job.
func TestAJobIsNamedByItsCommand(t *testing.T) {
	t.Parallel()
	r := newReader("beckon", "/home/own")
	expect(t, "its beginning", r.all(
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"call","name":"Bash","input":{"command":"sleep 12; make","run_in_background":true}}]}}`,
		`{"type":"system","subtype":"task_started","task_id":"job","description":"build","tool_use_id":"call"}`,
		`{"type":"system","subtype":"task_started","task_id":"own","description":"tidy","skip_transcript":true}`),
		agent.JobBegan{ID: "job", Name: "sleep 12; make", Left: true})
	expect(t, "as when it goes to the background", r.all(`{"type":"system","subtype":"task_updated","task_id":"job","patch":{"status":""}}`))
	expect(t, "its end", r.all(
		`{"type":"system","subtype":"task_updated","task_id":"job","patch":{"status":"completed"}}`,
		`{"type":"system","subtype":"task_notification","task_id":"job"}`),
		agent.JobEnded{ID: "job"}, agent.JobAnnounced{ID: "job"})
	told := `{"type":"user","message":{"content":"<task-notification>\n<task-id>within</task-id>\n<task-id>runs</task-id>"}}`
	expect(t, "ends that a turn tells", r.all(told), agent.JobTold{ID: "within"}, agent.JobTold{ID: "runs"})
	expect(t, "a text about them, without a job", read(told))
}

func TestWhatTheAgentHasIsKnownByItsIDs(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"type":"user","message":{"role":"user","content":"x"},"uuid":"m1","isReplay":true}`:                     "m1",
		`{"type":"user","message":{"role":"user","content":"x"},"uuid":"m1"}`:                                     "",
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"Blue"}]}}`: "",
	} {
		r := newReader("beckon", "/home/own")
		heard := r.events(claude.NewLine([]byte(line)))[0].(agent.Heard)
		if got := heard.Message(); got != want {
			t.Errorf("%s: it has the message %q, want %q", line, got, want)
		}
		if heard.HasResult("toolu_1") != strings.Contains(line, "tool_result") || heard.HasResult("toolu_2") {
			t.Errorf("%s: the result is that of another call", line)
		}
	}
}

// TestATurnsEndSaysWhatEarlierLinesSaidOfIt and the next one nothing of that.
func TestATurnsEndSaysWhatEarlierLinesSaidOfIt(t *testing.T) {
	t.Parallel()
	const failed = `{"type":"result","is_error":true,"result":"You've hit your limit","api_error_status":429,"num_turns":1}`
	limit := `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":5}}`
	none := map[string]int64{}
	expect(t, "a limit that resets", read(limit, failed, `{"type":"result","result":"done","num_turns":2,"modelUsage":{"m":{"inputTokens":3,"contextWindow":9}},"total_cost_usd":0.5}`),
		agent.QuotaIs{Percent: -1, Resets: 5000, Refused: true},
		agent.TurnEnded{Failed: true, Limited: true, Said: "You've hit your limit", Setback: beckon.PlanLimit, Resets: 5000, Rounds: 1, Windows: none},
		agent.TurnEnded{Said: "done", Rounds: 2, Tokens: 3, CostUSD: 0.5, Windows: map[string]int64{"m": 9}})
	expect(t, "signed out", read(`{"type":"assistant","error":"authentication_failed","message":{"content":[]}}`, `{"type":"result","is_error":true,"errors":["a","b"]}`),
		agent.TurnEnded{Failed: true, Said: "a\nb", SignIn: true, Windows: none})
	expect(t, "a hook", read(`{"type":"system","subtype":"informational","content":"Not today.","prevent_continuation":true}`, `{"type":"result","result":"Not today."}`),
		agent.TurnEnded{Said: "Not today.", Hook: "Not today.", Windows: none})
	expect(t, "cut short", read(`{"type":"result","is_error":true,"terminal_reason":"aborted_tools"}`), agent.TurnEnded{Failed: true, Interrupted: true, Windows: none})
	expect(t, "of its own", read(`{"type":"result","origin":{"kind":"task-notification"}}`), agent.TurnEnded{Unasked: true, Windows: none})
}

func TestWhatAskedIsAnsweredOrRefused(t *testing.T) {
	t.Parallel()
	r := newReader("beckon", "/home/own")
	events := r.all(
		`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"make"},"tool_use_id":"toolu_1","agent_id":"a1"}}`,
		`{"type":"control_request","request_id":"2","request":{"subtype":"mcp_message","server_name":"beckon","message":{"id":1}}}`,
		`{"type":"control_request","request_id":"3","request":{"subtype":"hook_callback"}}`,
		`{"type":"control_request","request_id":"4","request":{"subtype":"mcp_message","server_name":"other"}}`,
		`{"type":"control_cancel_request","request_id":"1"}`)
	if len(events) != 3 {
		t.Fatalf("events %+v", events)
	}
	asks := events[0].(agent.Asks).Request
	if asks.ID != "1" || asks.AgentID != "a1" || asks.Question.Kind != beckon.Permission || asks.Question.Permission.Command != "make" || asks.Question.ToolUseID != "toolu_1" {
		t.Errorf("asked %+v", asks)
	}
	expect(t, "what Beckon's tools hear, and what is taken back", events[1:],
		agent.ToolMessage{RequestID: "2", Message: []byte(`{"id":1}`)}, agent.TookBack{RequestID: "1"})
	if got := r.takeUnknown(); !slices.Equal(got, []unknownRequest{{"3", "hook_callback"}, {"4", "mcp_message"}}) || len(r.takeUnknown()) != 0 {
		t.Errorf("refused %+v", got)
	}
}

func TestASessionSaysHowItStands(t *testing.T) {
	t.Parallel()
	expect(t, "a turn with Beckon's tools", read(`{"type":"system","subtype":"init","session_id":"s","model":"big","permissionMode":"plan","mcp_servers":[{"name":"beckon","status":"connected"}]}`),
		agent.TurnBegan{Session: "s", Model: "big", Mode: beckon.ModePlan, Tools: true})
	expect(t, "a turn without", read(`{"type":"system","subtype":"init","session_id":"s","mcp_servers":[{"name":"beckon","status":"failed"}]}`), agent.TurnBegan{Session: "s"})
	expect(t, "states", read(
		`{"type":"system","subtype":"session_state_changed","state":"running"}`,
		`{"type":"system","subtype":"session_state_changed","state":"requires_action"}`,
		`{"type":"system","subtype":"session_state_changed","state":"idle"}`,
		`{"type":"system","subtype":"status","permissionMode":"default"}`,
		`{"type":"system","subtype":"status","status":"requesting"}`,
		`{"type":"system","subtype":"api_retry","error":"overloaded"}`,
		`{"type":"system","subtype":"commands_changed","commands":[{"name":"compact"}]}`),
		agent.Busy{}, agent.Idle{}, agent.ModeIs{Mode: beckon.ModeDefault}, agent.Retrying{Error: "overloaded"},
		agent.CommandsAre{Commands: []beckon.Command{{Name: "compact"}}})
}

// TestAChunkSaysWhatTheAgentIsAtByItsEnd once, before that line's other events.
func TestAChunkSaysWhatTheAgentIsAtByItsEnd(t *testing.T) {
	t.Parallel()
	r := newReader("beckon", "/home/own")
	var lines []claude.Line
	for _, raw := range []string{
		`{"type":"assistant","message":{"content":[{"type":"text","text":"I look."}]}}`,
		`{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"make"}}]}}`,
		`{"type":"user","message":{"content":[]}}`,
	} {
		lines = append(lines, *claude.NewLine([]byte(raw)))
	}
	var at []int
	for i, events := range r.chunk(lines) {
		if a, ok := events[0].(agent.ActivityIs); ok {
			at = append(at, i)
			if a.Activity.Target != "make" {
				t.Errorf("it is at %+v", a.Activity)
			}
		}
	}
	if !slices.Equal(at, []int{1}) {
		t.Errorf("said by the lines %v", at)
	}
}

// TestASubAgentsLineEndsNoTextOfTheMainOnes, while a broken line does.
func TestASubAgentsLineEndsNoTextOfTheMainOnes(t *testing.T) {
	t.Parallel()
	for line, sub := range map[string]bool{
		`{"type":"assistant","message":{"content":[]},"parent_tool_use_id":"t"}`:                                                        true,
		`{"type":"assistant","message":{"content":[]},"parent_tool_use_id":null}`:                                                       false,
		`{"type":"assistant","message":{"content":[{"type":"tool_use","input":{"parent_tool_use_id":"t"}}]},"parent_tool_use_id":null}`: false,
		`{"type":"assistant","message":`: false,
	} {
		r := newReader("beckon", "/home/own")
		if events := r.events(claude.NewLine([]byte(line))); events[0] != (agent.Spoke{SubAgent: sub}) {
			t.Errorf("%s: %+v", line, events)
		}
	}
}

// TestAFileThatIsWrittenIsNamed, and none that is read, or is the CLI's own.
func TestAFileThatIsWrittenIsNamed(t *testing.T) {
	t.Parallel()
	call := func(tool, input string) string {
		return `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"` + tool + `","input":` + input + `}]}}`
	}
	expect(t, "files", read(
		call("Write", `{"file_path":"/a/b","content":"x"}`), call("Edit", `{"file_path":"/a/c","old_string":"x","new_string":"y"}`),
		call("NotebookEdit", `{"notebook_path":"/a/n.ipynb","new_source":"x"}`), call("Read", `{"file_path":"/a/d"}`), call("Write", `{"file_path":7}`),
		call("Write", `{"file_path":"C:\\work\\\"e\"","content":"x"}`), call("Edit", `{"old_string":"\"file_path\":\"/no\"","new_string":"y"}`),
		call("Write", `{"file_path":"/home/own/plans/p.md","content":"x"}`)),
		agent.Writes{Path: "/a/b"}, agent.Writes{Path: "/a/c"}, agent.Writes{Path: "/a/n.ipynb"}, agent.Writes{Path: `C:\work\"e"`})
}
