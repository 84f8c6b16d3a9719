package claude

import (
	"encoding/json"

	"beckon/backend/claude/scan"
)

// speechLine is a line of an assistant or a user.
type speechLine struct {
	head
	Message struct {
		ID         string  `json:"id"`
		Role       string  `json:"role"`
		Model      string  `json:"model"`
		Content    Content `json:"content"`
		StopReason string  `json:"stop_reason"`
	} `json:"message"`
	Error         string          `json:"error"`
	IsReplay      bool            `json:"isReplay"`
	IsSynthetic   bool            `json:"isSynthetic"`
	ToolUseResult json.RawMessage `json:"tool_use_result"`
}

// The keys that are read, by what has them.
var (
	speechKeys  = []string{"type", "message", "parent_tool_use_id", "session_id", "uuid", "timestamp", "subtype", "request_id", "error", "isReplay", "isSynthetic", "tool_use_result"}
	messageKeys = []string{"id", "role", "model", "content", "stop_reason"}
	blockKeys   = []string{"type", "text", "thinking", "id", "name", "input", "tool_use_id", "content", "is_error", "source"}
	sourceKeys  = []string{"type", "media_type", "data", "url"}
)

// decodeSpeech decodes a line of the kinds that nearly all of a transcript is.
func decodeSpeech(raw []byte, kind LineKind) (Message, error) {
	line, ok := scanSpeech(raw)
	if !ok {
		line = speechLine{}
		if err := Unmarshal(raw, &line); err != nil {
			return Message{}, err
		}
	}
	m := line.message(kind)
	m.Speech = &Speech{
		ID: line.Message.ID, Role: line.Message.Role, Model: line.Message.Model,
		Content: line.Message.Content, StopReason: line.Message.StopReason,
		Error: line.Error, Replay: line.IsReplay, Synthetic: line.IsSynthetic,
		ToolUseResult: line.ToolUseResult,
	}
	return m, nil
}

// scanSpeech reads what json.Unmarshal does, and reports whether it is in no doubt.
func scanSpeech(raw []byte) (line speechLine, ok bool) {
	s := scan.New(raw)
	s.Object(speechKeys, func(key string) {
		switch key {
		case "type":
			line.Type = s.String()
		case "message":
			scanMessage(s, &line)
		case "parent_tool_use_id":
			line.ParentToolUseID = s.String()
		case "session_id":
			line.SessionID = s.String()
		case "uuid":
			line.UUID = s.String()
		case "timestamp":
			line.Timestamp = s.String()
		case "subtype":
			line.Subtype = s.String()
		case "request_id":
			line.RequestID = s.String()
		case "error":
			line.Error = s.String()
		case "isReplay":
			line.IsReplay = s.Bool()
		case "isSynthetic":
			line.IsSynthetic = s.Bool()
		case "tool_use_result":
			line.ToolUseResult = s.Raw()
		}
	})
	return line, s.Done()
}

func scanMessage(s *scan.Scanner, line *speechLine) {
	m := &line.Message
	s.Object(messageKeys, func(key string) {
		switch key {
		case "id":
			m.ID = s.String()
		case "role":
			m.Role = s.String()
		case "model":
			m.Model = s.String()
		case "content":
			m.Content = scanContent(s)
		case "stop_reason":
			m.StopReason = s.String()
		}
	})
}

// scanContent reads what Content.UnmarshalJSON does.
func scanContent(s *scan.Scanner) Content {
	switch s.Next() {
	case '"':
		return Content{{Type: TextBlock, Text: s.String()}}
	case '[':
		content := Content{}
		s.Array(func() { content = append(content, scanBlock(s)) })
		return content
	default:
		s.Skip()
		return nil
	}
}

func scanBlock(s *scan.Scanner) (b Block) {
	s.Object(blockKeys, func(key string) {
		switch key {
		case "type":
			b.Type = s.String()
		case "text":
			b.Text = s.String()
		case "thinking":
			b.Thinking = s.String()
		case "id":
			b.ID = s.String()
		case "name":
			b.Name = s.String()
		case "input":
			b.Input = s.Raw()
		case "tool_use_id":
			b.ToolUseID = s.String()
		case "content":
			b.Content = scanContent(s)
		case "is_error":
			b.IsError = s.Bool()
		case "source":
			b.Source = scanSource(s)
		}
	})
	return b
}

func scanSource(s *scan.Scanner) *Source {
	if s.Next() == 'n' {
		s.Skip()
		return nil
	}
	source := &Source{}
	s.Object(sourceKeys, func(key string) {
		switch key {
		case "type":
			source.Type = s.String()
		case "media_type":
			source.MediaType = s.String()
		case "data":
			source.Data = s.String()
		case "url":
			source.URL = s.String()
		}
	})
	return source
}
