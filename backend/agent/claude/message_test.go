package claude_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/agent/claude"

	"github.com/google/go-cmp/cmp"
)

// recorded decodes a recording of the real CLI.
func recorded(t *testing.T, name string) []claude.Message {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	var messages []claude.Message
	for line := range bytes.Lines(data) {
		m, err := claude.DecodeMessage(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, line)
		}
		if m.Type == "" {
			t.Fatalf("%s: no type in %s", name, line)
		}
		messages = append(messages, m)
	}
	return messages
}

func find(t *testing.T, messages []claude.Message, fits func(claude.Message) bool) claude.Message {
	t.Helper()
	i := slices.IndexFunc(messages, fits)
	if i < 0 {
		t.Fatal("no such message in the recording")
	}
	return messages[i]
}

func TestEveryRecordedLineDecodes(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("testdata", "*.ndjson"))
	if err != nil || len(names) < 8 {
		t.Fatalf("%d recordings, %v", len(names), err)
	}
	for _, name := range names {
		recorded(t, strings.TrimSuffix(filepath.Base(name), ".ndjson"))
	}
}

func TestRecordedTurnIsUnderstood(t *testing.T) {
	t.Parallel()
	all := recorded(t, "e1_partial")
	begin := find(t, all, func(m claude.Message) bool { return m.Subtype == claude.Init })
	if s := begin.System; s.Model != "claude-opus-4-8[1m]" || s.Mode == "" || s.Dir != "/home/dev/project" ||
		!slices.Contains(s.Tools, "Bash") {
		t.Errorf("init %+v", s)
	}
	var streamed strings.Builder
	for _, m := range all {
		if m.Event != nil && m.Event.Delta.Type == "text_delta" {
			streamed.WriteString(m.Event.Delta.Text)
		}
	}
	if want := "I will look around and then make the change."; !strings.HasPrefix(streamed.String(), want) {
		t.Errorf("streamed %q", streamed.String())
	}
	edit := find(t, all, func(m claude.Message) bool {
		return m.Kind == claude.UserLine && bytes.Contains(m.Speech.ToolUseResult, []byte("oldString"))
	})
	var file claude.FileResult
	if err := json.Unmarshal(edit.Speech.ToolUseResult, &file); err != nil {
		t.Fatal(err)
	}
	want := []claude.Hunk{{OldStart: 1, OldLines: 3, NewStart: 1, NewLines: 3, Lines: []string{
		" package main", " ", "-func main() {}", `+func main() { println("hi") }`,
	}}}
	if d := cmp.Diff(want, file.Patch); d != "" {
		t.Error(d)
	}
	failed := find(t, all, func(m claude.Message) bool {
		return m.Kind == claude.UserLine && len(m.Speech.Content) > 0 && m.Speech.Content[0].IsError
	})
	if text := failed.Speech.Content[0].Content.Text(); text != "Exit code 3" {
		t.Errorf("failed tool said %q", text)
	}
	end := find(t, all, func(m claude.Message) bool { return m.Result != nil }).Result
	if end.TotalCostUSD != 0.0361 || end.NumTurns != 7 || end.Usage.OutputTokens != 292 ||
		end.TerminalReason != "completed" ||
		end.ModelUsage["claude-opus-4-8[1m]"].ContextWindow != 1000000 {
		t.Errorf("result %+v", end)
	}
}

func TestRecordedRequestsAreUnderstood(t *testing.T) {
	t.Parallel()
	isRequest := func(m claude.Message) bool { return m.Request != nil }
	permit := find(t, recorded(t, "e5_allow_always"), isRequest).Request
	if permit.Subtype != claude.CanUseTool || permit.ToolName != "Bash" || permit.ID == "" || permit.ToolUseID == "" ||
		permit.Description == "" {
		t.Errorf("request %+v", permit)
	}
	p, err := claude.DecodePermission(permit.Suggestions[0])
	if err != nil || p.Type != "addRules" || p.Rules[0].Tool != "Bash" || p.Behavior != "allow" ||
		p.Destination != "localSettings" {
		t.Errorf("suggestion %+v, %v", p, err)
	}
	var plan claude.PlanInput
	request := find(t, recorded(t, "e6_exitplan_allow"), isRequest).Request
	if err := json.Unmarshal(request.Input, &plan); err != nil || request.ToolName != claude.PlanTool ||
		!strings.Contains(plan.Plan, "do it") {
		t.Errorf("plan %+v of %+v, %v", plan, request, err)
	}
	form := find(t, recorded(t, "e7_elicit_plain"), isRequest).Request
	if form.Subtype != claude.Elicitation || form.Server != "x" || form.Mode != "form" ||
		!bytes.Contains(form.Schema, []byte("Postgres")) {
		t.Errorf("elicitation %+v", form)
	}
}

func TestRecordedTroubleIsUnderstood(t *testing.T) {
	t.Parallel()
	limited := recorded(t, "e12_ratelimit_rejected")
	limit := find(t, limited, func(m claude.Message) bool { return m.Limit != nil }).Limit
	if limit.Status != "rejected" || limit.Type != "five_hour" || limit.ResetsAt == 0 {
		t.Errorf("limit %+v", limit)
	}
	if r := find(t, limited, func(m claude.Message) bool { return m.Result != nil }).Result; !r.IsError ||
		r.APIErrorStatus != 429 {
		t.Errorf("result %+v", r)
	}
	overloaded := recorded(t, "e10_529_maxretries2")
	retry := find(t, overloaded, func(m claude.Message) bool { return m.Subtype == claude.APIRetry }).System
	if retry.Attempt != 1 || retry.ErrorStatus != 529 || retry.Retry.Error == "" || retry.DelayMs == 0 {
		t.Errorf("retry %+v", retry.Retry)
	}
	spoken := find(t, overloaded, func(m claude.Message) bool { return m.Kind == claude.AssistantLine }).Speech
	if spoken.Model != "<synthetic>" || spoken.Error == "" {
		t.Errorf("speech %+v", spoken)
	}
	inner := find(t, recorded(t, "e13_subagent"), func(m claude.Message) bool { return m.ParentToolUseID != "" })
	if inner.Speech == nil || len(inner.Speech.Content) == 0 {
		t.Errorf("sub-agent's message %+v", inner)
	}
}

func TestUnexpectedShapesLoseNoLine(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]claude.LineKind{
		`{"type":"assistant","message":{"content":"bare"}}`:                                claude.AssistantLine,
		`{"type":"assistant","message":{"content":[{"type":"x","text":5},"odd"]}}`:         claude.AssistantLine,
		`{"type":"user","message":"a string","uuid":7}`:                                    claude.UserLine,
		`{"type":"system","subtype":"later","error":{"a":1},"message":[],"status":{}}`:     claude.SystemLine,
		`{"type":"result","subtype":"x","usage":"none","errors":null,"modelUsage":[]}`:     claude.ResultLine,
		`{ "uuid": "u", "type": "assistant" }`:                                             claude.AssistantLine,
		`{"type":"assistant_of_the_future","x":1}`:                                         claude.UnknownLine,
		`{"type":"assistant","message":{"content":[{"type":"text","text":"` + "\xff\"}]}}": claude.AssistantLine,
	} {
		m, err := claude.DecodeMessage([]byte(raw))
		if err != nil || m.Kind != want {
			t.Errorf("%s: kind %s, %v", raw, m.Kind, err)
		}
	}
	for _, raw := range []string{"", "no json", "[1]", `"x"`, "5", `{"type":"assist`} {
		if m, err := claude.DecodeMessage([]byte(raw)); err == nil {
			t.Errorf("%q decoded to %+v", raw, m)
		}
	}
}
