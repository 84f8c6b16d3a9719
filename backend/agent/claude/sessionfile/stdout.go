package sessionfile

import (
	"bytes"
	"encoding/json"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/lenient"
)

// StdoutLines turns lines of a session's own file into those that stdout would
// have had for them, in the order of what was said.
func StdoutLines(raw [][]byte) []agent.Line {
	var all []agent.Line
	for _, line := range InOrder(raw) {
		if out := Stdout(line, ""); out != nil {
			all = append(all, claude.NewLine(out))
		}
	}
	return all
}

// Stdout turns a line of a session file into the line that stdout would have had
// for it, which package transcript folds. parent is the call that started the
// sub-agent whose line it is, "" for the session's own. It returns nil for what
// stdout has no line for: attachments, snapshots, and what only the model reads.
func Stdout(raw []byte, parent string) []byte {
	if KindOf(raw) == Skipped && !isSystem(raw) {
		return nil
	}
	var in struct {
		Type      string          `json:"type"`
		Subtype   string          `json:"subtype,omitempty"`
		UUID      string          `json:"uuid"`
		SessionID string          `json:"sessionId"`
		Timestamp string          `json:"timestamp"`
		IsMeta    bool            `json:"isMeta"`
		Error     json.RawMessage `json:"error"`
		Message   json.RawMessage `json:"message"`
		Result    json.RawMessage `json:"toolUseResult"`
		Summary   bool            `json:"isCompactSummary"`
	}
	if lenient.Unmarshal(raw, &in) != nil || in.IsMeta {
		return nil
	}
	if in.Type == "system" && in.Subtype != "compact_boundary" || kindNamed(in.Type) == Skipped && in.Type != "system" {
		return nil
	}
	out, err := json.Marshal(struct {
		Type      string          `json:"type"` // first, as the CLI's own lines begin
		Subtype   string          `json:"subtype,omitempty"`
		UUID      string          `json:"uuid"`
		SessionID string          `json:"session_id"`
		Parent    string          `json:"parent_tool_use_id,omitempty"`
		Timestamp string          `json:"timestamp,omitempty"`
		Error     json.RawMessage `json:"error,omitempty"`
		Message   json.RawMessage `json:"message,omitempty"`
		Result    json.RawMessage `json:"tool_use_result,omitempty"`
		Synthetic bool            `json:"isSynthetic,omitempty"`
	}{in.Type, in.Subtype, in.UUID, in.SessionID, parent, in.Timestamp, in.Error, in.Message, in.Result, in.Summary})
	if err != nil {
		return nil
	}
	return out
}

// isSystem reports whether a line's first bytes have the type system.
func isSystem(raw []byte) bool {
	return bytes.Contains(raw[:min(len(raw), headMost)], []byte(`"type":"system"`))
}
