package background

import (
	"testing"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

func read(m *Meter) beckon.Run {
	var run beckon.Run
	m.Fill(&run)
	return run
}

// TestTheGaugeKeepsItsLimitUntilATurnTellsAnother.
func TestTheGaugeKeepsItsLimitUntilATurnTellsAnother(t *testing.T) {
	t.Parallel()
	m := NewMeter(beckon.Run{Model: "big", Context: beckon.Gauge{Tokens: 900, Limit: 1000}})
	if m.SetContext(120); read(m).Context != (beckon.Gauge{Tokens: 120, Limit: 1000}) {
		t.Errorf("the context is %+v", read(m).Context)
	}
	m.TurnEnded(agent.TurnEnded{Windows: map[string]int64{"big": 2000, "small": 50}})
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
	m.Spend(12)
	if read(m).Spent.Tokens != 12 {
		t.Fatalf("%d tokens are estimated", read(m).Spent.Tokens)
	}
	m.TurnEnded(agent.TurnEnded{CostUSD: 0.5, Tokens: 3})
	if spent := read(m).Spent; spent != (beckon.Spent{Tokens: 12, CostUSD: 0.5}) {
		t.Errorf("after the result %+v", spent)
	}
}
