package scripted

import (
	"encoding/json"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// piece is how many runes of a text are streamed at once.
const piece = 24

// beginMessage begins an API message, unless one is being said.
func (t *turn) beginMessage() {
	if t.speaking != "" {
		return
	}
	t.requests++
	t.speaking, t.block = "msg_"+strings.ReplaceAll(beckon.NewUUID(), "-", "")[:24], 0
	if !t.partial {
		return
	}
	model, _ := t.manners()
	t.out.system("status", "status", "requesting")
	t.out.event("message", object{
		"content",
		[]any{},
		"id", t.speaking, "model", model, "role", "assistant", "stop_reason", nil,
		"stop_sequence", nil, "type", "message", "usage", usage(1),
	}, "type", "message_start")
}

// endMessage ends the API message that is being said.
func (t *turn) endMessage(reason string) {
	if t.speaking == "" {
		return
	}
	t.speaking = ""
	if t.partial {
		t.out.event("delta", object{"stop_reason", reason, "stop_sequence", nil}, "type", "message_delta", "usage", usage(tokensOut))
		t.out.event("type", "message_stop")
	}
}

// say streams a text or thinking block in pieces. What was said before an
// interrupt is kept.
func (t *turn) say(kind, text string) error {
	t.beginMessage()
	t.startBlock(object{kind, "", "type", kind})
	said, err := "", t.ctx.Err()
	for rest := []rune(text); len(rest) > 0 && err == nil; {
		n := min(piece, len(rest))
		next := string(rest[:n])
		rest = rest[n:]
		said += next
		t.delta(object{kind, next, "type", kind + "_delta"})
		err = t.sleep(t.script.pace)
	}
	block := object{kind, said, "type", kind}
	if kind == claude.ThinkingBlock {
		block = object{"signature", "c2NyaXB0ZWQ=", kind, said, "type", kind}
	} else {
		t.last = said
	}
	t.endBlock(block)
	return err
}

func (t *turn) startBlock(block object) {
	if t.partial {
		t.out.event("content_block", block, "index", t.block, "type", "content_block_start")
	}
}

func (t *turn) delta(delta object) {
	if t.partial {
		t.out.event("delta", delta, "index", t.block, "type", "content_block_delta")
	}
}

// endBlock records and says the whole block; its stop comes after that.
func (t *turn) endBlock(block any) {
	t.echo()
	model, _ := t.manners()
	line := t.out.assistant(t.speaking, block, model)
	t.out.record(line)
	t.out.raw(line)
	if t.partial {
		t.out.event("index", t.block, "type", "content_block_stop")
	}
	t.block++
}

// toolUse says a tool_use block.
func (t *turn) toolUse(id, name string, input json.RawMessage) {
	t.beginMessage()
	t.startBlock(object{"id", id, "input", object{}, "name", name, "type", "tool_use"})
	for rest := []rune(string(input)); len(rest) > 0 && t.partial; {
		n := min(piece, len(rest))
		t.delta(object{"partial_json", string(rest[:n]), "type", "input_json_delta"})
		rest = rest[n:]
	}
	t.endBlock(object{"id", id, "input", input, "name", name, "type", "tool_use"})
}
