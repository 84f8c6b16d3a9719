// Package sessionfile has the words of the files in which the CLI writes a session
// down: its lines, in whose order and for whom, and the presence file that says
// that a process lives; see docs/PROTOCOL.md section 10. The lines are of another
// shape than those of stdout, and Stdout turns one into the other. The package
// opens no file.
package sessionfile

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/lenient"
)

// Kind is what a line may be worth.
type Kind int

// The kinds of lines. Most bytes of a file are in those that are skipped.
const (
	// Skipped is of no interest: attachments, snapshots of files, modes.
	Skipped Kind = iota
	// Spoken is a line of the assistant's, or one that its first bytes do not
	// tell.
	Spoken
	// Given is a line of the user's side: prompts, results of tools.
	Given
)

// headMost is how far into a line its type is looked for.
const headMost = 1024

// KindOf tells a line by its first bytes. They are a few short values up to the
// type, or up to the first value that is an object: "message" comes before the
// type where the assistant speaks.
func KindOf(raw []byte) Kind {
	rest, ok := bytes.CutPrefix(raw[:min(len(raw), headMost)], []byte("{"))
	for ok {
		var key, value []byte
		if key, rest, ok = cutString(rest); !ok || len(rest) < 2 {
			break
		}
		rest = rest[1:] // the colon
		if rest[0] == '{' || rest[0] == '[' {
			if string(key) == "message" {
				return Spoken
			}
			return Skipped
		}
		if value, rest, ok = cutScalar(rest); string(key) == "type" {
			return kindNamed(string(value))
		}
	}
	return Spoken
}

func kindNamed(name string) Kind {
	switch name {
	case "assistant":
		return Spoken
	case "user":
		return Given
	default:
		return Skipped
	}
}

// cutString cuts a string without escapes from the beginning of a text.
func cutString(text []byte) (value, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '"' {
		return nil, nil, false
	}
	end := bytes.IndexByte(text[1:], '"')
	if end < 0 || bytes.IndexByte(text[1:1+end], '\\') >= 0 {
		return nil, nil, false
	}
	return text[1 : 1+end], text[2+end:], true
}

// cutScalar cuts a value and the comma after it.
func cutScalar(text []byte) (value, rest []byte, ok bool) {
	if text[0] == '"' {
		value, rest, ok = cutString(text)
		return value, bytes.TrimPrefix(rest, []byte(",")), ok && len(rest) > 0
	}
	end := bytes.IndexByte(text, ',')
	if end < 0 {
		return nil, nil, false
	}
	return text[:end], text[end+1:], true
}

// Line is a decoded line.
type Line struct {
	Kind    Kind
	UUID    string
	At      int64  // Unix milliseconds
	Session string // also of a sub-agent's line
	Agent   string // the sub-agent's id, "" for the session itself
	CWD     string
	Message string // the API message, which parallel calls share
	Model   string // that spoke, "" for the user's side
	// Version and Entrypoint are of the CLI that wrote the line.
	Version, Entrypoint string
	Text                string // what is said
	// Prompt says that it came from a person; see SaidByPerson.
	Prompt  bool
	Calls   []Call
	Results []Result
}

// Call is a call of a tool.
type Call struct {
	ID    string
	Tool  string
	Input json.RawMessage
}

// Decode decodes a line. One of an unknown type is no error.
func Decode(raw []byte) (Line, error) {
	var in struct {
		Type      string          `json:"type"`
		UUID      string          `json:"uuid"`
		Timestamp string          `json:"timestamp"`
		SessionID string          `json:"sessionId"`
		AgentID   string          `json:"agentId"`
		CWD       string          `json:"cwd"`
		IsMeta    bool            `json:"isMeta"`
		Result    json.RawMessage `json:"toolUseResult"`
		Version   string          `json:"version"`
		Host      string          `json:"entrypoint"`
		Message   struct {
			ID      string         `json:"id"`
			Model   string         `json:"model"`
			Content claude.Content `json:"content"`
		} `json:"message"`
	}
	if err := lenient.Unmarshal(raw, &in); err != nil {
		return Line{}, err
	}
	l := Line{
		Kind: kindNamed(in.Type), UUID: in.UUID, At: millis(in.Timestamp), Session: in.SessionID, Agent: in.AgentID,
		CWD: in.CWD, Message: in.Message.ID, Model: in.Message.Model, Text: in.Message.Content.Text(),
		Version: Label(in.Version), Entrypoint: Label(in.Host),
	}
	for _, b := range in.Message.Content {
		switch {
		case b.Type == claude.ToolUseBlock && l.Kind == Spoken:
			l.Calls = append(l.Calls, Call{ID: b.ID, Tool: b.Name, Input: b.Input})
		case b.Type == claude.ToolResultBlock && l.Kind == Given:
			l.Results = append(l.Results, resultOf(b, in.Result))
		}
	}
	l.Prompt = l.Kind == Given && !in.IsMeta && len(l.Results) == 0 && l.Text != ""
	return l, nil
}

// SaidByPerson reports whether the line is what a person said, and neither what the
// CLI writes down of a command such as /clear, nor the mark that it leaves where a
// person interrupted a turn.
func (l Line) SaidByPerson() bool {
	command := strings.HasPrefix(l.Text, "<command-") || strings.HasPrefix(l.Text, "<local-command-")
	return l.Prompt && !command && !strings.HasPrefix(l.Text, interruption)
}

const interruption = "[Request interrupted by user"

func millis(timestamp string) int64 {
	at, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return 0
	}
	return at.UnixMilli()
}
