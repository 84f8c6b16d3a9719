package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// defaultUsage is what a turn costs whose script does not say.
var defaultUsage = Usage{InputTokens: 1000, OutputTokens: 50}

// signature stands for what the API signs thinking with.
const signature = "bW9jaw=="

// answer sends the turn, as SSE when the client asked for a stream.
func (s *server) answer(w http.ResponseWriter, req *http.Request, r *messagesRequest, t Turn) error {
	blocks := s.numbered(r, t.blocks())
	usage := cmp.Or(t.Usage, s.script.Usage, &defaultUsage)
	stop := cmp.Or(t.StopReason, stopReason(blocks))
	msg := map[string]any{
		"id": fmt.Sprintf("msg_mock_%06d", s.ids.Add(1)), "type": "message", "role": "assistant", "model": r.Model,
		"content": contentOf(blocks), "stop_reason": stop, "stop_sequence": nil, "usage": usageMap(usage, usage.OutputTokens),
	}
	if !r.Stream {
		writeJSON(w, 200, msg)
		return nil
	}
	st := s.stream(w, req, t)
	start := maps.Clone(msg)
	start["content"], start["stop_reason"], start["usage"] = []any{}, nil, usageMap(usage, 1)
	err := st.emit("message_start", map[string]any{"message": start})
	for i := 0; err == nil && i < len(blocks); i++ {
		err = st.block(i, blocks[i])
	}
	if err == nil {
		err = st.emit("message_delta", map[string]any{
			"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil},
			"usage": usageMap(usage, usage.OutputTokens),
		})
	}
	if err == nil {
		err = st.emit("message_stop", map[string]any{})
	}
	if errors.Is(err, errCut) {
		st.cut()
		return nil
	}
	return err
}

// numbered gives tool calls the ids and inputs that the script leaves out.
func (s *server) numbered(r *messagesRequest, blocks []Block) []Block {
	blocks = slices.Clone(blocks)
	for i := range blocks {
		b := &blocks[i]
		if b.Tool == "" {
			continue
		}
		if b.ID == "" {
			b.ID = fmt.Sprintf("toolu_mock_%06d", s.ids.Add(1))
		}
		if b.Input == nil {
			b.Input = map[string]any{}
		}
		b.Input = r.filled(b.Input)
	}
	return blocks
}

func stopReason(blocks []Block) string {
	if slices.ContainsFunc(blocks, func(b Block) bool { return b.Tool != "" }) {
		return "tool_use"
	}
	return "end_turn"
}

// contentOf returns the blocks as a whole message has them.
func contentOf(blocks []Block) []map[string]any {
	content := []map[string]any{}
	for _, b := range blocks {
		switch {
		case b.Tool != "":
			content = append(content, map[string]any{"type": "tool_use", "id": b.ID, "name": b.Tool, "input": b.Input})
		case b.Thinking != "":
			content = append(content, map[string]any{"type": "thinking", "thinking": b.Thinking, "signature": signature})
		default:
			content = append(content, map[string]any{"type": "text", "text": b.Text})
		}
	}
	return content
}

// errCut says that the script has the connection close here.
var errCut = errors.New("cut by script")

// stream is an answer that is being sent as SSE.
type stream struct {
	w        http.ResponseWriter
	req      *http.Request
	delay    time.Duration // between deltas
	size     int           // runes in a delta
	cutAfter int           // deltas; 0: never
	deltas   int
}

// stream begins an answer as SSE.
func (s *server) stream(w http.ResponseWriter, req *http.Request, t Turn) *stream {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(200)
	delay := s.script.DelayMS
	if t.DelayMS != nil {
		delay = *t.DelayMS
	}
	return &stream{
		w: w, req: req, delay: time.Duration(delay) * time.Millisecond,
		size: cmp.Or(max(t.Chunk, 0), s.script.Chunk), cutAfter: t.CutAfter,
	}
}

func (st *stream) emit(event string, data map[string]any) error {
	data["type"] = event
	b, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(st.w, "event: %s\ndata: %s\n\n", event, b); err != nil {
		return err
	}
	if f, ok := st.w.(http.Flusher); ok {
		f.Flush()
	}
	return nil
}

func (st *stream) delta(i int, d map[string]any) error {
	if st.delay > 0 && !sleep(st.req, st.delay) {
		return errors.New("client closed the connection")
	}
	if err := st.emit("content_block_delta", map[string]any{"index": i, "delta": d}); err != nil {
		return err
	}
	if st.deltas++; st.cutAfter > 0 && st.deltas >= st.cutAfter {
		return errCut
	}
	return nil
}

// block sends one block, in deltas.
func (st *stream) block(i int, b Block) error {
	open, kind, field, payload := opening(b)
	err := st.emit("content_block_start", map[string]any{"index": i, "content_block": open})
	for _, part := range chunks(payload, st.size) {
		if err == nil {
			err = st.delta(i, map[string]any{"type": kind, field: part})
		}
	}
	if err == nil && b.Thinking != "" && b.Tool == "" {
		err = st.delta(i, map[string]any{"type": "signature_delta", "signature": signature})
	}
	if err == nil {
		err = st.emit("content_block_stop", map[string]any{"index": i})
	}
	return err
}

// opening returns how a block begins, and what its deltas are called and carry.
func opening(b Block) (open map[string]any, kind, field, payload string) {
	switch {
	case b.Tool != "":
		input, _ := json.Marshal(b.Input)
		return map[string]any{"type": "tool_use", "id": b.ID, "name": b.Tool, "input": map[string]any{}}, "input_json_delta", "partial_json", string(input)
	case b.Thinking != "":
		return map[string]any{"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking", b.Thinking
	default:
		return map[string]any{"type": "text", "text": ""}, "text_delta", "text", b.Text
	}
}

// cut closes the connection under the client.
func (st *stream) cut() {
	if h, ok := st.w.(http.Hijacker); ok {
		if c, _, err := h.Hijack(); err == nil {
			_ = c.Close()
		}
	}
}

func usageMap(u *Usage, out int) map[string]any {
	return map[string]any{
		"input_tokens":                u.InputTokens,
		"cache_creation_input_tokens": u.CacheCreationInputTokens,
		"cache_read_input_tokens":     u.CacheReadInputTokens,
		"output_tokens":               out,
		"service_tier":                "standard",
	}
}

func chunks(s string, n int) []string {
	r := []rune(s)
	var out []string
	for len(r) > n {
		out, r = append(out, string(r[:n])), r[n:]
	}
	return append(out, string(r))
}
