// Package acp has the words of the Agent Client Protocol, version 1, in which Beckon speaks
// with agents other than Claude Code, and reads its lines as entries of a transcript.
// docs/AGENTS.md says which part of it is used. Its types are written by hand: what a
// generated client does not know it drops, and here it must be shown.
package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/lenient"
	"beckon/backend/transcript/runlog"
)

// Version is the version of the protocol.
const Version = 1

// The methods that Beckon calls.
const (
	Initialize    = "initialize"
	NewSession    = "session/new"
	LoadSession   = "session/load"
	ResumeSession = "session/resume"
	Prompt        = "session/prompt"
	Cancel        = "session/cancel" // a notification
	SetMode       = "session/set_mode"
	SetModel      = "session/set_model" // of older agents
	SetOption     = "session/set_config_option"
)

// The methods that an agent calls.
const (
	SessionUpdate = "session/update"
	AskPermission = "session/request_permission"
	Elicit        = "elicitation/create"
	Elicited      = "elicitation/complete"
	CancelRequest = "$/cancel_request" // a notification
	// Took is Beckon's own line in a log: the agent began the turn of a message. It is
	// what shows that the agent has it, for agents keep no record that others may read.
	Took = "_beckon/took"
)

// The codes of errors that mean something to Beckon.
const (
	UnknownMethod = -32601
	AuthRequired  = -32000
)

// Message is a line of the protocol: a request where it has an ID and a method, a
// notification where it has a method alone, else a response.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Error is what went wrong with a request.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Words are what an error says, its details with it where they are words.
func (e Error) Words() string {
	var data struct {
		Details string `json:"details"`
		Message string `json:"message"`
	}
	if Decode(e.Data, &data); data.Details+data.Message == "" {
		_ = json.Unmarshal(e.Data, &data.Details)
	}
	var said []string
	for _, words := range []string{e.Message, data.Message, data.Details} {
		if words != "" && !strings.Contains(strings.Join(said, " "), words) {
			said = append(said, words)
		}
	}
	return strings.Join(said, ": ")
}

// promptID begins the ids of the requests that bring a message to an agent, so that an
// answer by itself says that it ends a turn.
const promptID = "prompt/"

// PromptID is the id of the request that brings a message.
func PromptID(messageID string) string { return promptID + messageID }

// MessageOf returns the message that the request of a response brought, "" for none.
func (m Message) MessageOf() string {
	var id string
	if m.Method != "" || json.Unmarshal(m.ID, &id) != nil {
		return ""
	}
	message, _ := strings.CutPrefix(id, promptID)
	if message == id {
		return ""
	}
	return message
}

// Line is one line of an agent.
type Line struct {
	raw     []byte
	Message Message
	Update  *Update // of a session/update
	Block   Block   // of a chunk
	Err     error   // it is no message
	partial bool
}

// NewLine reads a line. The strings of a large one are cut.
func NewLine(raw []byte) *Line {
	l := &Line{raw: raw}
	text := bytes.TrimSpace(raw)
	if len(text) > runlog.Large {
		text = runlog.ShortenLine(text)
	}
	if l.readUpdate(text) {
		return l
	}
	if l.Err = decode(text, &l.Message); l.Err != nil || l.Message.Method == "" && l.Message.ID == nil {
		l.Err = errors.Join(l.Err, errNoMessage)
	}
	return l
}

// updateMark is in a line that is an update.
var updateMark = []byte(`"` + SessionUpdate + `"`)

// readUpdate reads a line that is an update, as most are, in one pass, and reports whether it
// is one.
func (l *Line) readUpdate(text []byte) bool {
	if !bytes.Contains(text, updateMark) {
		return false
	}
	var line struct {
		Method string `json:"method"`
		Params struct {
			Update Update `json:"update"`
		} `json:"params"`
	}
	if decode(text, &line) != nil || line.Method != SessionUpdate {
		return false
	}
	l.Message.Method, l.Update = SessionUpdate, &line.Params.Update
	if kind := l.Update.Kind; kind == ToolCallUpdate || kind == ToolUpdate {
		Decode(l.Update.Content, &l.Update.ToolCall.Content)
	}
	l.Block, l.partial = l.Update.part()
	return true
}

var errNoMessage = errors.New("it is neither a request nor an answer")

// lineOf is a line as this package has it.
func lineOf(line agent.Line) *Line {
	if read, ok := line.(*Line); ok {
		return read
	}
	return NewLine(line.Bytes())
}

// Bytes and Partial make it an agent.Line.
func (l *Line) Bytes() []byte { return l.raw }
func (l *Line) Partial() bool { return l.partial }

// Is reports whether a line of a log is an agent's of this protocol. Its messages may have
// their fields in any order.
func Is(line []byte) bool {
	if bytes.HasPrefix(line, []byte(`{"jsonrpc":`)) {
		return true
	}
	return !bytes.HasPrefix(line, []byte(`{"type":`)) && bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"jsonrpc":`))
}

// Decode takes of a value what fits, as the protocol's own readers do: an agent may be newer
// than what is known of it.
func Decode(raw json.RawMessage, into any) { _ = decode(raw, into) }

func decode(raw []byte, into any) error { return lenient.Unmarshal(raw, into) }
