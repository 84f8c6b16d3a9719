// Package claude has the words of the Claude Code CLI: what its lines say, what
// may be said to it, and what it writes down of a session. What is known of its
// protocol, by experiment, is in docs/PROTOCOL.md; its section numbers are cited
// here. It is the only package that knows a key of Claude's JSON. It runs
// nothing (that is package cli's) and knows nothing of tasks.
package claude

import (
	"encoding/json"
	"fmt"

	"beckon/backend/agent/lenient"
)

// Message is a decoded line. Which fields are set depends on Kind; unknown
// ones are ignored, so that a newer CLI does no harm.
type Message struct {
	Kind      LineKind
	Type      string // as it was sent, for UnknownLine
	Subtype   string // of system and result
	UUID      string
	SessionID string
	// ParentToolUseID is the Agent tool's id in a sub-agent's messages.
	ParentToolUseID string
	Timestamp       string // RFC 3339; only user messages have one

	Speech    *Speech      // of assistant and user
	System    *System      // of system
	Result    *Result      // of result
	Event     *Event       // of stream_event
	Request   *Request     // of control_request
	RequestID string       // of control_request, control_cancel_request and control_response
	Limit     *LimitStatus // of rate_limit_event
}

// Speech is what an assistant or user message says. An assistant's API
// message comes as one line per content block, which share ID.
type Speech struct {
	ID         string // of the API message
	Role       string
	Model      string // "<synthetic>" where the CLI itself speaks
	Content    Content
	StopReason string
	// Error is set on API failures: authentication_failed, rate_limit, ….
	Error string
	// Replay marks the echo of a message that was sent to the CLI, Synthetic
	// one that the CLI made up for the user.
	Replay, Synthetic bool
	// ToolUseResult is the structured result of a tool, or a string that
	// begins with "Error: "; see FileResult for edits.
	ToolUseResult json.RawMessage
}

// LimitStatus says how close the account is to its rate limit.
type LimitStatus struct {
	Status      string  `json:"status"`        // allowed, allowed_warning, rejected
	ResetsAt    int64   `json:"resetsAt"`      // Unix seconds
	Type        string  `json:"rateLimitType"` // five_hour, seven_day, …
	Utilization float64 `json:"utilization"`   // 0 to 1; 0 where it is not said
}

// head is what lines of all types have in common.
type head struct {
	Type            string `json:"type"`
	Subtype         string `json:"subtype"`
	UUID            string `json:"uuid"`
	SessionID       string `json:"session_id"`
	ParentToolUseID string `json:"parent_tool_use_id"`
	Timestamp       string `json:"timestamp"`
	RequestID       string `json:"request_id"`
}

func (h head) message(kind LineKind) Message {
	return Message{
		Kind: kind, Type: h.Type, Subtype: h.Subtype, UUID: h.UUID, SessionID: h.SessionID,
		ParentToolUseID: h.ParentToolUseID, Timestamp: h.Timestamp, RequestID: h.RequestID,
	}
}

// DecodeMessage decodes a line, in one pass. A line of an unknown type is no
// error, one that is no JSON object is.
func DecodeMessage(raw []byte) (Message, error) {
	kind := KindOf(raw)
	decode, ok := decoders[kind]
	if !ok {
		decode = decodeHead
	}
	m, err := decode(raw, kind)
	if err != nil {
		return Message{}, fmt.Errorf("%s line: %w", kind, err)
	}
	return m, nil
}

// decoders has one for each kind that is more than its head.
var decoders = map[LineKind]func([]byte, LineKind) (Message, error){
	AssistantLine:   decodeSpeech,
	UserLine:        decodeSpeech,
	SystemLine:      decodeSystem,
	ResultLine:      decodeResult,
	StreamEvent:     decodeEvent,
	ControlRequest:  decodeRequest,
	ControlResponse: decodeResponse,
	RateLimitLine:   decodeLimit,
}

func decodeHead(raw []byte, kind LineKind) (Message, error) {
	var h head
	err := lenient.Unmarshal(raw, &h)
	return h.message(kind), err
}

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

// decodeSpeech decodes a line of the kinds that nearly all of a transcript is.
func decodeSpeech(raw []byte, kind LineKind) (Message, error) {
	var line speechLine
	if err := lenient.Unmarshal(raw, &line); err != nil {
		return Message{}, err
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

func decodeSystem(raw []byte, kind LineKind) (Message, error) {
	var line struct {
		head
		System
	}
	if err := lenient.Unmarshal(raw, &line); err != nil {
		return Message{}, err
	}
	m := line.message(kind)
	m.System = &line.System
	return m, nil
}

func decodeResult(raw []byte, kind LineKind) (Message, error) {
	var line struct {
		head
		Result
	}
	if err := lenient.Unmarshal(raw, &line); err != nil {
		return Message{}, err
	}
	m := line.message(kind)
	m.Result = &line.Result
	return m, nil
}

func decodeEvent(raw []byte, kind LineKind) (Message, error) {
	var line struct {
		head
		Event Event `json:"event"`
	}
	if err := lenient.Unmarshal(raw, &line); err != nil {
		return Message{}, err
	}
	m := line.message(kind)
	m.Event = &line.Event
	return m, nil
}

func decodeRequest(raw []byte, kind LineKind) (Message, error) {
	var line struct {
		head
		Request Request `json:"request"`
	}
	if err := lenient.Unmarshal(raw, &line); err != nil {
		return Message{}, err
	}
	m := line.message(kind)
	m.Request = &line.Request
	m.Request.ID = line.RequestID
	return m, nil
}

func decodeResponse(raw []byte, kind LineKind) (Message, error) {
	var line struct {
		head
		Response struct {
			RequestID string `json:"request_id"`
		} `json:"response"`
	}
	if err := lenient.Unmarshal(raw, &line); err != nil {
		return Message{}, err
	}
	m := line.message(kind)
	m.RequestID = line.Response.RequestID
	return m, nil
}

func decodeLimit(raw []byte, kind LineKind) (Message, error) {
	var line struct {
		head
		Info LimitStatus `json:"rate_limit_info"`
	}
	if err := lenient.Unmarshal(raw, &line); err != nil {
		return Message{}, err
	}
	m := line.message(kind)
	m.Limit = &line.Info
	return m, nil
}
