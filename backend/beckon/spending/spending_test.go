package spending

import "testing"

func TestABudgetIsNearAtFourFifthsAndReachedAtAllOfIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit Limit
		spent Sum
		want  Level
	}{
		{Limit{}, Sum{CostUSD: 9, Tokens: 9}, Fine},
		{Limit{USD: 5}, Sum{CostUSD: 3.99}, Fine},
		{Limit{USD: 5}, Sum{CostUSD: 4}, Near},
		{Limit{USD: 0.3}, Sum{CostUSD: 0.1 + 0.2}, Reached},
		{Limit{USD: 5}, Sum{CostUSD: 5.000001}, Reached},
		{Limit{USD: 0.3}, Sum{CostUSD: 0.29999999}, Reached},
		{Limit{Tokens: 1000}, Sum{Tokens: 799, CostUSD: 100}, Fine},
		{Limit{Tokens: 1000}, Sum{Tokens: 800}, Near},
		{Limit{USD: 5, Tokens: 1000}, Sum{Tokens: 1000, CostUSD: 1}, Reached},
		{Limit{USD: 5}, Sum{Tokens: 1e9, Unpriced: 1e9}, Fine}, // no price is made of tokens
	} {
		b := Budget{Limit: c.limit, Each: c.limit, Spent: c.spent}
		if got := LevelOf(b.Part()); got != c.want {
			t.Errorf("%+v of %+v is %q, want %q", c.spent, c.limit, got, c.want)
		}
	}
}

func TestARaiseIsHalfOfTheLimitAndAboveWhatWasSpent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ b, want Limit }{
		{Limit{USD: 5}, Limit{USD: 7.5}},
		{Limit{USD: 0.01}, Limit{USD: 0.02}},
		{Limit{Tokens: 1000}, Limit{Tokens: 2000}},
		{Limit{Tokens: 2e6}, Limit{Tokens: 3e6}},
	} {
		if got := (Budget{Limit: c.b, Each: c.b}).Raised(); got != c.want {
			t.Errorf("%+v is raised to %+v, want %+v", c.b, got, c.want)
		}
	}
	b := Budget{Limit: Limit{USD: 5, Tokens: 1000}, Each: Limit{USD: 5, Tokens: 1000}, Spent: Sum{CostUSD: 23, Tokens: 1e6}}
	if got := b.Raised(); !got.Above(b.Spent) {
		t.Errorf("a raise to %+v is reached by %+v", got, b.Spent)
	}
	day := Budget{Scope: Day, Limit: Limit{USD: 30}, Each: Limit{USD: 20}, Spent: Sum{CostUSD: 30}}
	if got := day.Raised(); got.USD != 40 {
		t.Errorf("a day that was raised once is raised to %+v", got)
	}
}

func TestAnAmountIsReadAsItIsTyped(t *testing.T) {
	t.Parallel()
	money, tokens := Limit{USD: 5}, Limit{Tokens: 1000}
	for text, want := range map[string]float64{"$8": 8, "8.50": 8.5, "8,50 $": 8.5, " 12 ": 12, "0.001": 0.01} {
		if got, ok := ParseLimit(text, money); !ok || got.USD != want {
			t.Errorf("%q is %+v, %t", text, got, ok)
		}
	}
	for text, want := range map[string]int64{"500k": 500e3, "2M": 2e6, "1.5 M tokens": 15e5, "2000": 2000, "1,500": 1500, "1.500.000": 15e5, "3 Tsd.": 3000} {
		if got, ok := ParseLimit(text, tokens); !ok || got.Tokens != want {
			t.Errorf("%q is %+v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "none", "-3", "0", "1e99", "NaN", "Inf", "8 or 9", "0x10p9999", "1000001"} {
		if got, ok := ParseLimit(text, money); ok {
			t.Errorf("%q is %+v", text, got)
		}
	}
	if en, de := money.In("en"), money.In("de"); en != "$5.00" || de != "5,00 $" {
		t.Errorf("said as %q and %q", en, de)
	}
	if en, de := (Limit{Tokens: 1500000}).In("en"), tokens.In("de"); en != "1.5 M tokens" || de != "1 Tsd. Tokens" {
		t.Errorf("said as %q and %q", en, de)
	}
}
