package background

import (
	"maps"
	"strings"
	"sync"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// This file measures what a run takes: the tokens and the money of its
// account, and how full its model's context is.
//
// The result of a turn says it exactly; until then it is estimated from what
// each API message tells while it streams. Only the main agent's context
// counts: those of sub-agents are their own.

// Meter measures one run. It may be used from any goroutine.
type Meter struct {
	mu      sync.Mutex
	model   string
	context beckon.Gauge
	tokens  int64
	cost    float64
	// limits has the size of each model's context, as the results of turns tell.
	limits map[string]int64
}

// NewMeter returns the meter of a run that begins: its context may have been filled
// by an earlier one.
func NewMeter(run beckon.Run) *Meter {
	return &Meter{
		model: run.Model, context: run.Context, tokens: run.Spent.Tokens, cost: run.Spent.CostUSD,
		limits: map[string]int64{},
	}
}

// Fill writes what was measured into the run.
func (m *Meter) Fill(run *beckon.Run) {
	m.mu.Lock()
	defer m.mu.Unlock()
	run.Context, run.Spent.Tokens, run.Spent.CostUSD = m.context, m.tokens, m.cost
}

// Spend adds what a reply of the model took and gave.
func (m *Meter) Spend(tokens int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tokens += tokens
}

// SetContext notes how full the context is.
func (m *Meter) SetContext(tokens int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.context.Tokens = tokens
	m.measure()
}

// SetModel notes which model goes on with the context; how large that is may
// not be known yet.
func (m *Meter) SetModel(model string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.model != model {
		m.model, m.context.Limit = model, m.limit(model)
	}
}

// TurnEnded takes what a turn's end tells of the whole run so far.
func (m *Meter) TurnEnded(e agent.TurnEnded) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost, m.tokens = e.CostUSD, max(m.tokens, e.Tokens)
	maps.Copy(m.limits, e.Windows)
	m.measure()
}

// measure sets the context's limit where it is known.
func (m *Meter) measure() {
	if limit := m.limit(m.model); limit != 0 {
		m.context.Limit = limit
	}
}

// limit returns the size of a model's context, 0 where it is not known yet.
func (m *Meter) limit(model string) int64 {
	if known := m.limits[model]; known != 0 || !strings.HasSuffix(model, "[1m]") {
		return known
	}
	return 1_000_000
}
