package timeline

import (
	"fmt"
	"testing"

	"beckon/backend/beckon"
)

func call(id string, pos, at int64, verb beckon.Verb) beckon.Entry {
	return beckon.Entry{ID: id, Pos: pos, At: at, Kind: beckon.ToolEntry, Tool: &beckon.ToolCall{UseID: id, Verb: verb}}
}

// TestTimeOfARun: turns go from a message to their result, also those that nobody's message began;
// calls fail when their results come; a sub-agent is at work from its call to its last word.
func TestTimeOfARun(t *testing.T) {
	t.Parallel()
	r := NewReader(1000)
	failed := call("b", 3, 1600, beckon.Executing)
	failed.Tool = &beckon.ToolCall{UseID: "b", Failed: true, Done: true, Orphan: true}
	for _, e := range []beckon.Entry{
		{ID: "u", Pos: 0, At: 1100, Kind: beckon.UserEntry, Text: "Begin\nit"},
		call("a", 1, 1200, beckon.Delegates),
		{ID: "x", Pos: 2, At: 1300, Kind: beckon.TextEntry, Parent: "a", Text: "inner"},
		{ID: "y", Pos: 2, At: 1500, Kind: beckon.UserEntry, Parent: "a", Text: "no turn"},
		call("b", 3, 1550, beckon.Executing),
		{ID: "u2", Pos: 4, At: 1570, Kind: beckon.UserEntry, Text: "said within the turn"},
		failed,
		{ID: "t1", Pos: 5, At: 2000, Kind: beckon.TurnEntry, Turn: &beckon.TurnEnd{Number: 1, Tokens: 10, CostUSD: 0.5}},
		{ID: "t2", Pos: 9, At: 4000, Kind: beckon.TurnEntry, Turn: &beckon.TurnEnd{Number: 2, DurationMs: 500, Failed: true}},
		{ID: "u3", Pos: 10, At: 0, Kind: beckon.UserEntry, Text: "Go on"},
	} {
		r.Add(e)
	}
	run := r.Run()
	want := []Turn{
		{Place{0, 0}, 1, 1000, 2000, false, 10, 0.5, "Begin"},
		{Place{9, 0}, 2, 3500, 4000, true, 0, 0, ""},
		{Place{10, 0}, 0, 4000, 0, false, 0, 0, "Go on"},
	}
	if got := fmt.Sprint(run.Turns); got != fmt.Sprint(want) {
		t.Errorf("turns %s, want %v", got, want)
	}
	if got := fmt.Sprint(run.Calls); got != fmt.Sprint([]Call{{Place{1, 0}, 1200, beckon.Delegates, false}, {Place{3, 0}, 1550, beckon.Executing, true}}) {
		t.Errorf("calls %s", got)
	}
	if got := fmt.Sprint(run.Beside); got != fmt.Sprint([]Spell{{Place{1, 0}, 1200, 1500}}) {
		t.Errorf("beside %s", got)
	}
}

// TestTimeOfALongRunHasBounds: what is left out is counted, and failed calls stay as long as there
// is room.
func TestTimeOfALongRunHasBounds(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		r := NewReader(0)
		for i := range int64(50_000) {
			e := call(fmt.Sprint(i), i, i*100, beckon.Reading)
			e.Tool.Done, e.Tool.Failed = true, fails || i%5000 == 7
			r.Add(e)
			r.Add(beckon.Entry{ID: fmt.Sprint("u", i), Pos: i, Part: 1, At: i * 100, Kind: beckon.UserEntry})
			r.Add(beckon.Entry{ID: fmt.Sprint("t", i), Pos: i, Part: 2, At: i * 100, Kind: beckon.TurnEntry, Turn: &beckon.TurnEnd{}})
		}
		run := r.Run()
		failed := 0
		for _, c := range run.Calls {
			if c.Failed {
				failed++
			}
		}
		if len(run.Calls) > mostCalls || len(run.Calls)+run.More != 50_000 || len(run.Turns) != mostParts || !fails && failed != 10 {
			t.Errorf("%d calls, %d failed, %d more, %d turns", len(run.Calls), failed, run.More, len(run.Turns))
		}
	}
}
