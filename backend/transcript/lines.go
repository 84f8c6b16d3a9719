package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// ownLine is a line of Beckon's own between the agent's.
type ownLine struct {
	Type    string `json:"type"` // "beckon", and first
	Subtype string `json:"subtype"`
	UUID    string `json:"uuid"`
	Text    string `json:"text,omitempty"`
	// Content has the blocks of a message that is more than its text, as they
	// were sent.
	Content []ownBlock `json:"content,omitempty"`
	Notice  string     `json:"notice,omitempty"`
}

// ownBlock is a part of a message: words, or a picture.
type ownBlock struct {
	Type   string     `json:"type"` // text, image
	Text   string     `json:"text,omitempty"`
	Source *ownSource `json:"source,omitempty"`
}

type ownSource struct {
	Type      string `json:"type"` // base64
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

// ownBlocks returns blocks as they are kept.
func ownBlocks(blocks []agent.Block) []ownBlock {
	var own []ownBlock
	for _, b := range blocks {
		if b.MediaType == "" {
			own = append(own, ownBlock{Type: "text", Text: b.Text})
			continue
		}
		own = append(own, ownBlock{Type: "image", Source: &ownSource{"base64", b.MediaType, b.Data}})
	}
	return own
}

// blocks returns the blocks of a message.
func (o ownLine) blocks() []agent.Block {
	var blocks []agent.Block
	for _, b := range o.Content {
		if b.Source == nil {
			blocks = append(blocks, agent.Block{Text: b.Text})
			continue
		}
		blocks = append(blocks, agent.Block{MediaType: b.Source.MediaType, Data: b.Source.Data})
	}
	return blocks
}

// words are those of a message.
func (o ownLine) words() string {
	texts := []string{}
	for _, b := range o.Content {
		if b.Source == nil {
			texts = append(texts, b.Text)
		}
	}
	return cmp.Or(o.Text, strings.Join(texts, "\n"))
}

// The subtypes of Beckon's own lines.
const (
	ownMessage = "message"
	ownNotice  = "notice"
)

var ownOpening = []byte(`{"type":"beckon",`)

func isOwn(line []byte) bool { return bytes.HasPrefix(line, ownOpening) }

func (o ownLine) encode() []byte {
	o.Type = "beckon"
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err) // strings cannot fail
	}
	return raw
}

// MessageLine records a message that the agent gets under uuid. It stands
// for the message: the agent's later echo is not shown again. blocks are what
// is sent where that is more than text; they hold the text too.
func MessageLine(uuid, text string, blocks ...agent.Block) []byte {
	own := ownLine{Subtype: ownMessage, UUID: uuid, Text: text, Content: ownBlocks(blocks)}
	if len(blocks) > 0 {
		own.Text = ""
	}
	return own.encode()
}

// NoticeLine records something that Beckon says; notice is the word for it
// that the page translates, and text its details.
func NoticeLine(notice, text string) []byte {
	return ownLine{Subtype: ownNotice, UUID: beckon.NewID(), Notice: notice, Text: text}.encode()
}

// addOwn folds a line of Beckon's own.
func (f *Fold) addOwn(pos, at int64, line []byte) []beckon.Entry {
	var own ownLine
	e := beckon.Entry{Pos: pos, At: at}
	if json.Unmarshal(runlog.ShortenLine(line), &own) != nil {
		return unknownOwn(e, line)
	}
	e.ID = own.UUID
	switch own.Subtype {
	case ownMessage:
		e.ID, e.Kind, e.Text = agent.MessageEntry(own.UUID), beckon.UserEntry, runlog.Cut(own.words(), TextMost)
		e.Pictures = picturesOf(pos, own.blocks())
		f.sent(e.ID)
	case ownNotice:
		e.Kind, e.Notice, e.Text = beckon.NoticeEntry, own.Notice, runlog.Cut(own.Text, TextMost)
	default:
		return unknownOwn(e, line)
	}
	return []beckon.Entry{e}
}

// unknownMost is the most that is shown of a line of Beckon's that this version does not
// understand.
const unknownMost = 2 << 10

func unknownOwn(e beckon.Entry, line []byte) []beckon.Entry {
	e.ID, e.Kind, e.Notice = "pos/"+strconv.FormatInt(e.Pos, 10)+"/0", beckon.NoticeEntry, "unknown"
	e.Text = strings.ToValidUTF8(string(line[:min(len(line), unknownMost)]), "\uFFFD")
	return []beckon.Entry{e}
}
