package driver

import (
	"math"
	"testing"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
)

// TestTheTokensOfTurnsAreAdded, but where the agent has done so.
func TestTheTokensOfTurnsAreAdded(t *testing.T) {
	t.Parallel()
	for since, want := range map[counts]int64{ofTurn: 30 + 30 + 15, ofProcess: 75} {
		var u used
		said := map[counts][]int64{ofTurn: {30, 30, 15}, ofProcess: {30, 60, 75}}[since]
		for _, tokens := range said {
			u.turn(tokens, since)
		}
		if u.tokens != want {
			t.Errorf("%d: %d tokens, want %d", since, u.tokens, want)
		}
	}
	r := ready(t, agent.Launch{}, "")
	for _, want := range []int64{42, 84} {
		r.says("say on")
		if end := await[agent.TurnEnded](r); end.Tokens != want {
			t.Errorf("the run has %d tokens, want %d", end.Tokens, want)
		}
	}
}

// TestASessionsEarlierCostIsNotCountedAgain where its agent says what all of it cost.
func TestASessionsEarlierCostIsNotCountedAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		resumed bool
		said    []acp.Cost
		want    float64
	}{
		{false, []acp.Cost{{Amount: 0.25, Currency: "USD"}, {Amount: 0.5, Currency: "USD"}}, 0.5},
		{true, []acp.Cost{{Amount: 0.25, Currency: "USD"}, {Amount: 0.75, Currency: "USD"}}, 0.5},
		{false, []acp.Cost{{Amount: 3, Currency: "CNY"}}, 0},
	} {
		var u used
		for _, cost := range c.said {
			u.session(acp.Update{Kind: acp.UsageUpdate, Cost: &cost}, c.resumed)
		}
		if math.Abs(u.costUSD-c.want) > 1e-9 {
			t.Errorf("%+v: it cost %v, want %v", c.said, u.costUSD, c.want)
		}
	}
}
