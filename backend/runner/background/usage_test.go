package background

import (
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

func read(m *Meter) beckon.Run {
	var run beckon.Run
	m.Fill(&run)
	return run
}

// TestTheGaugeFollowsTheMainAgentAlone: a sub-agent's context says nothing of
// how much is left in the main one's.
func TestTheGaugeFollowsTheMainAgentAlone(t *testing.T) {
	t.Parallel()
	m := NewMeter(beckon.Run{Model: "big", Context: beckon.Gauge{Tokens: 900, Limit: 1000}})
	const begins = `{"type":"stream_event","event":{"type":"message_start","message":{"usage":{"input_tokens":100,"cache_read_input_tokens":20}}}`
	if m.Part(claude.NewLine([]byte(begins + `,"parent_tool_use_id":"toolu_1"}`))); read(m).Context.Tokens != 900 {
		t.Errorf("a sub-agent fills the context with %d", read(m).Context.Tokens)
	}
	if !m.Part(claude.NewLine([]byte(begins+`,"parent_tool_use_id":null}`))) || read(m).Context != (beckon.Gauge{Tokens: 120, Limit: 1000}) {
		t.Errorf("the context is %+v", read(m).Context)
	}
	m.Result(claude.Result{ModelUsage: map[string]claude.ModelUsage{"big": {ContextWindow: 2000}, "small": {ContextWindow: 50}}})
	if read(m).Context.Limit != 2000 {
		t.Errorf("the limit is %d, which the result told otherwise", read(m).Context.Limit)
	}
}

func TestTheLimitIsThatOfTheModelThatGoesOn(t *testing.T) {
	t.Parallel()
	m := NewMeter(beckon.Run{Model: "big", Context: beckon.Gauge{Tokens: 900, Limit: 1000}})
	for _, c := range []struct {
		model string
		limit int64
	}{{"big", 1000}, {"other", 0}, {"other[1m]", 1_000_000}} {
		if m.SetModel(c.model); read(m).Context != (beckon.Gauge{Tokens: 900, Limit: c.limit}) {
			t.Errorf("of %s the context is %+v, want a limit of %d", c.model, read(m).Context, c.limit)
		}
	}
}

// TestTheEstimateNeverFallsBackAtTheTurnsEnd: a number that shrinks looks like
// work that is lost.
func TestTheEstimateNeverFallsBackAtTheTurnsEnd(t *testing.T) {
	t.Parallel()
	m := NewMeter(beckon.Run{})
	m.Part(claude.NewLine([]byte(`{"type":"stream_event","event":{"type":"message_delta","usage":{"input_tokens":5,"output_tokens":7}},"parent_tool_use_id":null}`)))
	if read(m).Spent.Tokens != 12 {
		t.Fatalf("%d tokens are estimated", read(m).Spent.Tokens)
	}
	m.Result(claude.Result{TotalCostUSD: 0.5, ModelUsage: map[string]claude.ModelUsage{"m": {InputTokens: 3}}})
	if spent := read(m).Spent; spent != (beckon.Spent{Tokens: 12, CostUSD: 0.5}) {
		t.Errorf("after the result %+v", spent)
	}
	if m.Part(claude.NewLine([]byte(`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"text":"\"message_start\""}}}`))) {
		t.Error("a text about messages counts as one")
	}
}
