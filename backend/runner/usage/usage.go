package runner

import (
	"bytes"
	"strings"

	"beckon/backend/claude"
)

// windows has the size of each model's context, as the results of turns tell.
type windows map[string]int64

// of returns the size of a model's context, 0 where it is not known yet.
func (w windows) of(model string) int64 {
	if known := w[model]; known != 0 || !strings.HasSuffix(model, "[1m]") {
		return known
	}
	return 1_000_000
}

// hearContext follows how full the context is: by what the main agent's newest
// message to the API took in. Those of sub-agents have contexts of their own.
func (l *live) hearContext(raw []byte) {
	if !bytes.Contains(raw, []byte(`"message_start"`)) {
		return
	}
	m, err := claude.DecodeMessage(raw)
	if err != nil || m.Event == nil || m.ParentToolUseID != "" {
		return
	}
	if u := m.Event.Message.Usage; u.Input() > 0 {
		l.noteContext(u.Input())
	}
}

func (l *live) noteContext(tokens int64) {
	l.note(func() {
		l.run.Context.Tokens = tokens
		l.measure()
	})
}

// learnWindows notes how large the contexts of the models are that were used.
// The caller holds mu.
func (l *live) learnWindows(used map[string]claude.ModelUsage) {
	for model, u := range used {
		l.windows[model] = u.ContextWindow
	}
	l.measure()
}

// measure sets the gauge's limit where it is known. The caller holds mu.
func (l *live) measure() {
	if limit := l.windows.of(l.run.Model); limit != 0 {
		l.run.Context.Limit = limit
	}
}
