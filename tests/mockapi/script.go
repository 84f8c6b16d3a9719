package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
)

// Script is the top level of a script file.
type Script struct {
	// Turns answers main-loop requests, one turn per request, in order.
	Turns []Turn `json:"turns"`
	// Cursor is "global" (default: one cursor for the whole server) or
	// "session" (each CLI session walks through Turns on its own).
	Cursor string `json:"cursor,omitempty"`
	// Exhausted says what happens once Turns is used up: "text" (default,
	// answer OnExhausted), "loop" (start again) or "last" (repeat the last).
	Exhausted   string `json:"exhausted,omitempty"`
	OnExhausted string `json:"on_exhausted,omitempty"`
	// Rules are tried before Turns; the first whose When matches the newest
	// user text (and which is not used up) supplies the turn.
	Rules []Rule `json:"rules,omitempty"`
	// Aux answers requests that are not part of the main loop; the first rule
	// whose When matches the system prompt or the newest user text wins.
	Aux []Rule `json:"aux,omitempty"`
	// Defaults for every turn.
	DelayMS int    `json:"delay_ms,omitempty"` // pause between two deltas
	Chunk   int    `json:"chunk,omitempty"`    // runes in one delta (default 24)
	Usage   *Usage `json:"usage,omitempty"`
}

// Rule is a turn chosen by content rather than by position.
type Rule struct {
	When  string `json:"when"`            // regular expression
	Turn  Turn   `json:"turn"`            //
	Times int    `json:"times,omitempty"` // 0: no limit

	re   *regexp.Regexp
	used int
}

// Turn is one answer of the model: either the shorthand fields (Text, Tool)
// or Blocks, or an HTTP error, or a stream that misbehaves.
type Turn struct {
	Thinking string  `json:"thinking,omitempty"`
	Text     string  `json:"text,omitempty"`
	Tool     string  `json:"tool,omitempty"`
	Input    any     `json:"input,omitempty"`
	Blocks   []Block `json:"blocks,omitempty"`

	StopReason string `json:"stop_reason,omitempty"` // default end_turn / tool_use
	Usage      *Usage `json:"usage,omitempty"`
	DelayMS    *int   `json:"delay_ms,omitempty"` // between deltas, overrides Script.DelayMS
	WaitMS     int    `json:"wait_ms,omitempty"`  // before the first byte of the answer
	Chunk      int    `json:"chunk,omitempty"`

	Headers map[string]string `json:"headers,omitempty"` // extra response headers
	Error   *APIError         `json:"error,omitempty"`   // answer with an HTTP error
	// CutAfter closes the connection after that many deltas (1-based); 0: never.
	CutAfter int `json:"cut_after,omitempty"`
	// Times repeats this turn for that many requests (default 1).
	Times int `json:"times,omitempty"`
}

// Block is one content block of an answer.
type Block struct {
	Thinking string `json:"thinking,omitempty"`
	Text     string `json:"text,omitempty"`
	Tool     string `json:"tool,omitempty"`
	ID       string `json:"id,omitempty"` // tool_use id; default generated
	Input    any    `json:"input,omitempty"`
}

// APIError is an HTTP error answer in the Messages API's format.
type APIError struct {
	Status  int               `json:"status"`
	Type    string            `json:"type,omitempty"`
	Message string            `json:"message,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	RawBody string            `json:"raw_body,omitempty"`
}

// Usage is reported with a turn.
type Usage struct {
	InputTokens              int `json:"input_tokens"`
	CacheCreationInputTokens int `json:"cache_creation_input_tokens"`
	CacheReadInputTokens     int `json:"cache_read_input_tokens"`
	OutputTokens             int `json:"output_tokens"`
}

func loadScript(path string) (*Script, error) {
	s := &Script{}
	if path != "" {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		dec := json.NewDecoder(bytes.NewReader(b))
		dec.DisallowUnknownFields()
		if err := dec.Decode(s); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if s.Chunk <= 0 {
		s.Chunk = 24
	}
	if s.OnExhausted == "" {
		s.OnExhausted = "(end of script)"
	}
	for _, list := range [][]Rule{s.Rules, s.Aux} {
		for i := range list {
			re, err := regexp.Compile(list[i].When)
			if err != nil {
				return nil, fmt.Errorf("rule %q: %w", list[i].When, err)
			}
			list[i].re = re
		}
	}
	var flat []Turn
	for _, t := range s.Turns {
		for n := max(t.Times, 1); n > 0; n-- {
			flat = append(flat, t)
		}
	}
	s.Turns = flat
	return s, nil
}

func (t Turn) blocks() []Block {
	if len(t.Blocks) > 0 {
		return t.Blocks
	}
	var out []Block
	if t.Thinking != "" {
		out = append(out, Block{Thinking: t.Thinking})
	}
	if t.Text != "" {
		out = append(out, Block{Text: t.Text})
	}
	if t.Tool != "" {
		out = append(out, Block{Tool: t.Tool, Input: t.Input})
	}
	return out
}
