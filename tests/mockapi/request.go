package main

import (
	"encoding/json"
	"maps"
	"regexp"
	"strings"
)

// messagesRequest holds what the server needs to know of a /v1/messages body.
type messagesRequest struct {
	Model        string          `json:"model"`
	MaxTokens    int             `json:"max_tokens"`
	Stream       bool            `json:"stream"`
	System       json.RawMessage `json:"system"`
	Messages     []message       `json:"messages"`
	Tools        []tool          `json:"tools"`
	ToolChoice   json.RawMessage `json:"tool_choice,omitempty"`
	Thinking     json.RawMessage `json:"thinking,omitempty"`
	OutputConfig json.RawMessage `json:"output_config,omitempty"`
	Temperature  json.RawMessage `json:"temperature,omitempty"`
	Metadata     struct {
		UserID string `json:"user_id"`
	} `json:"metadata"`
}

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type tool struct {
	Name        string          `json:"name"`
	Type        string          `json:"type,omitempty"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
}

// textOf flattens a content value (string or array of blocks) to its text.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct {
		Type    string          `json:"type"`
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return ""
	}
	var sb strings.Builder
	for _, b := range blocks {
		switch {
		case b.Type == "text":
			sb.WriteString(b.Text)
			sb.WriteByte('\n')
		case len(b.Content) > 0:
			sb.WriteString(textOf(b.Content))
			sb.WriteByte('\n')
		}
	}
	return sb.String()
}

func (r *messagesRequest) lastUserText() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return textOf(r.Messages[i].Content)
		}
	}
	return ""
}

// planFile is how a script names the file that the CLI keeps the plan in, and planPath how
// the CLI names it to its model.
const planFile = "$PLAN_FILE"

var planPath = regexp.MustCompile(`/[^\s"'\\]*/plans/[\w.-]+\.md`)

// filled returns a tool's input with the path of the plan's file where the script has
// planFile.
func (r *messagesRequest) filled(input any) any {
	fields, ok := input.(map[string]any)
	if !ok {
		return input
	}
	fields = maps.Clone(fields)
	for name, value := range fields {
		if value != planFile {
			continue
		}
		for _, m := range r.Messages {
			if path := planPath.FindString(textOf(m.Content)); path != "" {
				fields[name] = path
			}
		}
	}
	return fields
}

// kind tells a main-loop request ("main") from an auxiliary one ("aux":
// session titles, summaries, the auto-mode classifier and the like). A
// main-loop request offers tools and forces none of them; auxiliary ones
// offer none, or force one. Side questions (/btw) do offer tools, and are
// known by their text. The model's name is no criterion: most auxiliary
// requests use the main model.
func (r *messagesRequest) kind(sysAux *regexp.Regexp) string {
	if len(r.Tools) < 1 {
		return "aux"
	}
	if strings.Contains(head(r.lastUserText(), 200), "This is a side question from the user") {
		return "aux"
	}
	if sysAux != nil && sysAux.MatchString(textOf(r.System)) {
		return "aux"
	}
	if len(r.ToolChoice) > 0 {
		var tc struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(r.ToolChoice, &tc)
		if tc.Type == "tool" || tc.Type == "any" {
			return "aux"
		}
	}
	return "main"
}

// describe puts into a record what the model would have seen.
func (r *messagesRequest) describe(rec map[string]any, full bool) {
	rec["model"], rec["max_tokens"], rec["stream"] = r.Model, r.MaxTokens, r.Stream
	names := []string{}
	for _, tl := range r.Tools {
		names = append(names, tl.Name)
	}
	rec["tool_names"] = names
	for k, v := range map[string]json.RawMessage{
		"thinking": r.Thinking, "tool_choice": r.ToolChoice,
		"output_config": r.OutputConfig, "temperature": r.Temperature,
	} {
		if len(v) > 0 {
			rec[k] = v
		}
	}
	rec["messages"] = r.Messages
	if full {
		rec["system"], rec["tools"] = r.System, r.Tools
	} else {
		rec["system_chars"] = len(textOf(r.System))
		rec["system_head"] = head(textOf(r.System), 300)
	}
}
