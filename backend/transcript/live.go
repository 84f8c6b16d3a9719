package transcript

import (
	"bytes"
	"path/filepath"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// Live follows the text or thinking that the main agent is writing, from the
// parts in which it is streamed. The zero Live is ready to use.
type Live struct {
	thinking bool
	text     strings.Builder
}

// liveMost is the most that is kept of a text that is not complete, in bytes.
const liveMost = TextMost

// Add folds a line and returns what is being written if that has changed. Its
// text is empty once the complete line came, which is before the stream says
// that the block ended.
func (l *Live) Add(text agent.Line) (beckon.Live, bool) {
	line := lineOf(text)
	if line.Kind != claude.StreamEvent {
		return l.clearAt(line)
	}
	if !streamsText(line.Raw) {
		return beckon.Live{}, false
	}
	m, err := decodeLine(line)
	if err != nil || m.Event == nil || m.ParentToolUseID != "" {
		return beckon.Live{}, false
	}
	switch m.Event.Type {
	case "content_block_delta":
		return l.write(m.Event)
	case "message_start", "content_block_start", "message_stop":
		return l.clear()
	default:
		return beckon.Live{}, false
	}
}

// streamsText spares the parts of tool inputs, which are most, their decoding.
func streamsText(line []byte) bool {
	return !bytes.Contains(line, []byte(`"input_json_delta"`))
}

func (l *Live) write(e *claude.Event) (beckon.Live, bool) {
	text, thinking := e.Delta.Text, false
	if e.Delta.Type == "thinking_delta" {
		text, thinking = e.Delta.Thinking, true
	}
	if text == "" || l.text.Len()+len(text) > liveMost {
		return beckon.Live{}, false
	}
	if l.thinking != thinking {
		l.text.Reset()
		l.thinking = thinking
	}
	l.text.WriteString(text)
	return beckon.Live{Thinking: thinking, Text: l.text.String()}, true
}

// clearAt clears at the lines that carry the text themselves, or end the turn
// without: the main agent's own, and results.
func (l *Live) clearAt(line *claude.Line) (beckon.Live, bool) {
	if l.text.Len() == 0 {
		return beckon.Live{}, false
	}
	switch line.Kind {
	case claude.ResultLine:
		return l.clear()
	case claude.AssistantLine:
		if m, err := decodeLine(line); err != nil || m.ParentToolUseID == "" {
			return l.clear()
		}
	default:
	}
	return beckon.Live{}, false
}

func (l *Live) clear() (beckon.Live, bool) {
	changed := l.text.Len() > 0
	l.text.Reset()
	return beckon.Live{}, changed
}

// Activity tells what the main agent does, by a complete line of its or by the
// first part of one that is being streamed. Since is left to the caller.
func Activity(line *claude.Line) (beckon.Activity, bool) {
	switch line.Kind {
	case claude.StreamEvent:
		if !bytes.Contains(line.Raw, []byte(`"content_block_start"`)) {
			return beckon.Activity{}, false
		}
	case claude.AssistantLine:
	default:
		return beckon.Activity{}, false
	}
	m, err := decodeLine(line)
	if err != nil || m.ParentToolUseID != "" {
		return beckon.Activity{}, false
	}
	if m.Event != nil && m.Event.Block != nil {
		return activity(*m.Event.Block)
	}
	if m.Speech != nil && len(m.Speech.Content) > 0 {
		return activity(m.Speech.Content[len(m.Speech.Content)-1])
	}
	return beckon.Activity{}, false
}

func activity(b claude.Block) (beckon.Activity, bool) {
	switch {
	case b.Name != "":
		return beckon.Activity{Verb: verbOf(b.Name), Target: decodeInput(b.Input).brief()}, true
	case b.Type == claude.ThinkingBlock:
		return beckon.Activity{Verb: beckon.Thinking}, true
	case b.Type == claude.TextBlock:
		return beckon.Activity{Verb: beckon.Writing}, true
	default:
		return beckon.Activity{}, false
	}
}

// brief is the target as a card has room for it: a file without its folder.
func (in toolInput) brief() string {
	target := in.target()
	if target == in.FilePath || target == in.NotebookPath {
		return target[strings.LastIndexByte(filepath.ToSlash(target), '/')+1:]
	}
	return target
}
