package fold

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// Piece implements agent.Reader.
func (Reader) Piece(line agent.Line) (agent.Piece, bool) {
	read := lineOf(line)
	if read.Kind != claude.StreamEvent || !streamsText(read.Raw) {
		return agent.Piece{}, false
	}
	m, err := decodeLine(read)
	if err != nil || m.Event == nil || m.ParentToolUseID != "" {
		return agent.Piece{}, false
	}
	switch e := m.Event; e.Type {
	case "content_block_delta":
		if e.Delta.Type == "thinking_delta" {
			return agent.Piece{Text: e.Delta.Thinking, Thinking: true}, true
		}
		return agent.Piece{Text: e.Delta.Text}, true
	case "message_start", "content_block_start", "message_stop":
		return agent.Piece{Ends: true}, true
	default:
		return agent.Piece{}, false
	}
}

// streamsText spares the parts of tool inputs, which are most, their decoding.
func streamsText(line []byte) bool {
	return !bytes.Contains(line, []byte(`"input_json_delta"`))
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

// pathField ends the name of the field in which tools have the file that they write:
// file_path, notebook_path.
var pathField = []byte(`_path":"`)

// Written returns the file that an assistant's line writes into by a tool, "" for none. A
// line has one call (docs/PROTOCOL.md section 2), whose file stands before what is written;
// only a name with an escape in it is worth decoding the line.
func Written(line *claude.Line) string {
	if !line.OfWriting() {
		return ""
	}
	_, rest, _ := bytes.Cut(line.Raw, pathField)
	file, _, _ := bytes.Cut(rest, []byte{'"'})
	if !bytes.ContainsRune(file, '\\') {
		return string(file)
	}
	m, err := decodeLine(line)
	if err != nil || m.Speech == nil || len(m.Speech.Content) == 0 {
		return ""
	}
	in := decodeInput(m.Speech.Content[0].Input)
	return cmp.Or(in.FilePath, in.NotebookPath)
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
