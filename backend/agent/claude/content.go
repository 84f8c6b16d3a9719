package claude

import (
	"encoding/json"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/lenient"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// The types of content blocks. There are others; show them as what they are.
const (
	TextBlock       = "text"
	ThinkingBlock   = "thinking"
	ToolUseBlock    = "tool_use"
	ToolResultBlock = "tool_result"
	ImageBlock      = "image"
	DocumentBlock   = "document"
)

// Block is a part of what a message says. Its type decides which fields it
// has.
type Block struct {
	Type      string          `json:"type"`
	Text      lenient.Text    `json:"text,omitempty"`
	Thinking  lenient.Text    `json:"thinking,omitempty"`
	ID        string          `json:"id,omitempty"`   // of a tool_use
	Name      string          `json:"name,omitempty"` // of its tool
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"` // of a tool_result
	Content   Content         `json:"content,omitempty"`     // of a tool_result
	IsError   bool            `json:"is_error,omitempty"`
	Source    *Source         `json:"source,omitempty"` // of an image or document
}

// NewText returns the block of a text.
func NewText(text string) Block { return Block{Type: TextBlock, Text: lenient.Text(text)} }

// Blocks returns the parts of a message as the CLI is sent them, nil for none.
func Blocks(parts []agent.Block) []Block {
	var blocks []Block
	for _, p := range parts {
		if p.MediaType == "" {
			blocks = append(blocks, NewText(p.Text))
			continue
		}
		blocks = append(blocks, Block{
			Type:   ImageBlock,
			Source: &Source{Type: "base64", MediaType: p.MediaType, Data: p.Data},
		})
	}
	return blocks
}

// BackgroundCommand returns the command of a call of Bash that goes on when
// the call is over, "" for any other block.
func (b Block) BackgroundCommand() string {
	var in struct {
		Command    string `json:"command"`
		Background bool   `json:"run_in_background"`
	}
	if b.Type != ToolUseBlock || json.Unmarshal(b.Input, &in) != nil || !in.Background {
		return ""
	}
	return in.Command
}

// Source is the data of an image or document.
type Source struct {
	Type      string `json:"type"` // base64, url, text
	MediaType string `json:"media_type,omitempty"`
	Data      string `json:"data,omitempty"`
	URL       string `json:"url,omitempty"`
}

// Content is a list of blocks. The protocol also writes a single text block
// as a bare string.
type Content []Block

// UnmarshalJSONFrom implements [jsonv2.UnmarshalerFrom]: what is not known is empty.
func (c *Content) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"':
		*c = Content{{Type: TextBlock}}
		return (*c)[0].Text.UnmarshalJSONFrom(d)
	case '[':
		return jsonv2.UnmarshalDecode(d, (*[]Block)(c))
	default:
		return d.SkipValue()
	}
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *Content) UnmarshalJSON(raw []byte) error { return jsonv1.Unmarshal(raw, c) }

// Text joins the texts of c, a line feed between blocks.
func (c Content) Text() string {
	var texts []string
	for _, b := range c {
		if b.Type == TextBlock {
			texts = append(texts, string(b.Text))
		}
	}
	return strings.Join(texts, "\n")
}

// Event is a part of an answer that is being streamed: the API's own event.
type Event struct {
	Type  string `json:"type"` // message_start, content_block_delta, …
	Index int    `json:"index"`
	Block *Block `json:"content_block"` // of content_block_start
	// Message is that of message_start: what it takes in is known by then.
	Message struct {
		Usage Usage `json:"usage"`
	} `json:"message"`
	Usage *Usage `json:"usage"` // of message_delta: of the whole API message
	Delta struct {
		Type        string `json:"type"` // text_delta, thinking_delta, input_json_delta
		Text        string `json:"text"`
		Thinking    string `json:"thinking"`
		PartialJSON string `json:"partial_json"`
	} `json:"delta"`
}

// FileResult is the ToolUseResult of Write and Edit.
type FileResult struct {
	Path     string  `json:"filePath"`
	Type     string  `json:"type"`         // create or update, of Write
	Content  string  `json:"content"`      // of Write
	Original *string `json:"originalFile"` // nil where there was none
	Patch    []Hunk  `json:"structuredPatch"`
}

// Hunk is one of a diff; each line begins with "+", "-" or a space.
type Hunk struct {
	OldStart int      `json:"oldStart"`
	OldLines int      `json:"oldLines"`
	NewStart int      `json:"newStart"`
	NewLines int      `json:"newLines"`
	Lines    []string `json:"lines"`
}
