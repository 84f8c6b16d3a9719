package acp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// The kinds of updates that say something.
const (
	UserChunk      = "user_message_chunk"
	TextChunk      = "agent_message_chunk"
	ThoughtChunk   = "agent_thought_chunk"
	ToolCallUpdate = "tool_call"
	ToolUpdate     = "tool_call_update"
	PlanUpdate     = "plan"
	CommandsUpdate = "available_commands_update"
	UsageUpdate    = "usage_update"
	InfoUpdate     = "session_info_update"
	NoticeUpdate   = "notice"
	OptionsUpdate  = "config_option_update"
)

// quiet are the updates that a transcript does not show: they are the run's business.
var quiet = map[string]bool{
	CommandsUpdate: true, UsageUpdate: true, InfoUpdate: true,
	"current_mode_update": true, OptionsUpdate: true,
}

// Quiet reports whether updates of a kind come at any time and say nothing of a turn.
func Quiet(kind string) bool { return quiet[kind] }

// Update is what an agent says of its session. Which fields it has depends on its kind.
type Update struct {
	Kind string `json:"sessionUpdate"`
	// Content is a block of a chunk, and a list of ToolContent of a tool call.
	Content json.RawMessage `json:"content"`
	Meta    Meta            `json:"_meta"`
	ToolCall

	Entries  []PlanEntry `json:"entries"`
	Commands []Command   `json:"availableCommands"`

	Used int64 `json:"used"` // tokens in the context, of Size
	Size int64 `json:"size"`
	Cost *Cost `json:"cost"` // of the session so far

	Options []Option `json:"configOptions"`

	Severity    string `json:"severity"`
	Description string `json:"description"`
}

// Meta is what an update has beyond the protocol, of the agents of which that is known.
type Meta struct {
	Codex struct {
		ThreadStatus json.RawMessage `json:"threadStatus"`
		Error        *struct {
			Message   string `json:"message"`
			WillRetry bool   `json:"willRetry"`
		} `json:"error"`
	} `json:"codex"`
	Beckon struct {
		Whole bool `json:"whole"`
	} `json:"beckon"`
}

// Cost is money.
type Cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

// PlanEntry is a step of what an agent means to do.
type PlanEntry struct {
	Content string `json:"content"`
	Status  string `json:"status"` // pending, in_progress, completed
}

// Command is one that the agent has.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Input       *struct {
		Hint string `json:"hint"`
	} `json:"input"`
}

// Block is a piece of content.
type Block struct {
	Type     string `json:"type"` // text, image, audio, resource_link, resource
	Text     string `json:"text,omitempty"`
	Data     string `json:"data,omitempty"` // base64
	MIMEType string `json:"mimeType,omitempty"`
	URI      string `json:"uri,omitempty"`
}

// words is a block of text, which may be empty.
type words struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Text is a text as a block that is sent.
func Text(text string) any { return words{"text", text} }

// block returns the content of a chunk.
func (u Update) block() Block {
	var b Block
	Decode(u.Content, &b)
	return b
}

func (u Update) chunk() bool { return u.Kind == TextChunk || u.Kind == ThoughtChunk }

// part returns the block of a chunk, and reports whether the update is a part of a text, or
// of the input of a call. What is whole follows, which is kept.
func (u Update) part() (b Block, partial bool) {
	switch {
	case u.Kind == ToolUpdate:
		return b, !u.Done() && u.Input == nil && u.Title == "" && u.Locations == nil
	case u.Kind == UserChunk || u.chunk():
		b = u.block()
	}
	return b, u.chunk() && !u.Meta.Beckon.Whole && b.Type == "text"
}

// Whole is the line that stands in a log for the parts of a text of that kind.
func Whole(session, kind, text string) []byte {
	return notification(SessionUpdate, map[string]any{"sessionId": session, "update": map[string]any{
		"sessionUpdate": kind, "content": Text(text),
		"_meta": map[string]any{"beckon": map[string]any{"whole": true}},
	}})
}

// TookLine says in a log that the agent began the turn of a message.
func TookLine(messageID string) []byte {
	return notification(Took, map[string]any{"messageId": messageID})
}

// TookOf returns the message of such a line, "" for any other.
func TookOf(line []byte) string {
	if !bytes.HasPrefix(line, []byte(tookOpening)) {
		return ""
	}
	var m struct {
		Params struct {
			MessageID string `json:"messageId"`
		} `json:"params"`
	}
	Decode(line, &m)
	return m.Params.MessageID
}

const tookOpening = `{"jsonrpc":"2.0","method":"` + Took + `"`

func notification(method string, params any) []byte {
	raw, err := json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
	if err != nil {
		panic(err) // it is made of strings
	}
	return raw
}

// ToolCall is a call of a tool, or what is new of one.
type ToolCall struct {
	ID        string          `json:"toolCallId"`
	Title     string          `json:"title"` // it may be the model's own words
	Name      string          `json:"name"`
	ToolKind  string          `json:"kind"`
	Status    string          `json:"status"`
	Content   []ToolContent   `json:"-"`
	Locations []Location      `json:"locations"`
	Input     json.RawMessage `json:"rawInput"`
	Output    json.RawMessage `json:"rawOutput"`
}

// ReadCall returns the tool call that a request is about.
func ReadCall(raw json.RawMessage) (call ToolCall) {
	var with struct {
		Content []ToolContent `json:"content"`
	}
	Decode(raw, &call)
	Decode(raw, &with)
	call.Content = with.Content
	return call
}

// Location is a file that a tool works on.
type Location struct {
	Path string `json:"path"`
}

// ToolContent is a piece of what a tool brought forth: content, or the change of a file.
type ToolContent struct {
	Type    string `json:"type"` // content, diff, terminal
	Content Block  `json:"content"`
	Path    string `json:"path"`
	OldText string `json:"oldText"`
	NewText string `json:"newText"`
}

// Done reports whether the call is over, and Failed whether in vain.
func (c ToolCall) Done() bool   { return c.Status == "completed" || c.Failed() }
func (c ToolCall) Failed() bool { return c.Status == "failed" }

// Writes reports whether the tool changes files.
func (c ToolCall) Writes() bool {
	return c.ToolKind == "edit" || c.ToolKind == "delete" || c.ToolKind == "move"
}

// verbs says what the kinds of tools do.
var verbs = map[string]beckon.Verb{
	"read": beckon.Reading, "edit": beckon.Editing, "delete": beckon.Editing, "move": beckon.Editing,
	"search": beckon.Searching, "execute": beckon.Executing, "think": beckon.Thinking, "fetch": beckon.Fetching,
}

// Verb is what the call does.
func (c ToolCall) Verb() beckon.Verb { return cmp.Or(verbs[c.ToolKind], beckon.Using) }

// Command is the command line that the call runs, as it will be run; "" where it runs
// none.
func (c ToolCall) Command() string {
	var in struct {
		Command json.RawMessage `json:"command"`
	}
	Decode(c.Input, &in)
	var line string
	var words []string
	if json.Unmarshal(in.Command, &line) == nil {
		return line
	}
	if json.Unmarshal(in.Command, &words) == nil {
		return strings.Join(words, " ")
	}
	return ""
}

// Path is the file that the call is about, "" for none or several.
func (c ToolCall) Path() string {
	for _, content := range c.Content {
		if content.Type == "diff" {
			return content.Path
		}
	}
	if len(c.Locations) == 1 {
		return c.Locations[0].Path
	}
	var in struct {
		Path     string `json:"path"`
		FilePath string `json:"file_path"`
	}
	Decode(c.Input, &in)
	return cmp.Or(in.Path, in.FilePath)
}

// Target is what the call is used on, on one line: what will happen before what the agent
// calls it.
func (c ToolCall) Target() string {
	return runlog.OneLine(cmp.Or(c.Command(), c.Path(), c.Title), targetMost)
}

// Text is what the call's content says.
func (c ToolCall) Text() string {
	var texts []string
	for _, content := range c.Content {
		if content.Content.Text != "" {
			texts = append(texts, content.Content.Text)
		}
	}
	if len(texts) == 0 {
		texts = append(texts, outputText(c.Output))
	}
	return strings.Join(texts, "\n")
}

// outputText is what a tool gave back, where its content does not say it.
func outputText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var out struct {
		Output          string `json:"output"`
		FormattedOutput string `json:"formatted_output"`
		Result          struct {
			Content []Block `json:"content"`
		} `json:"result"` // of an MCP tool
	}
	Decode(raw, &out)
	var texts []string
	for _, b := range out.Result.Content {
		texts = append(texts, b.Text)
	}
	return cmp.Or(out.FormattedOutput, out.Output, strings.Join(texts, "\n"))
}
