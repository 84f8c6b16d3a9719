package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
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
	Content claude.Content `json:"content,omitempty"`
	Notice  string         `json:"notice,omitempty"`
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
	own := ownLine{Subtype: ownMessage, UUID: uuid, Text: text, Content: claude.Blocks(blocks)}
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
func (f *Fold) addOwn(at origin, line []byte) []beckon.Entry {
	var own ownLine
	if json.Unmarshal(runlog.ShortenLine(line), &own) != nil {
		return at.unknown(line)
	}
	switch own.Subtype {
	case ownMessage:
		f.sent(own.UUID)
		e := beckon.Entry{ID: userID(own.UUID), Kind: beckon.UserEntry, Text: cut(cmp.Or(own.Text, own.Content.Text()), TextMost)}
		album := album{pos: at.pos}
		for _, b := range own.Content {
			e.Pictures = append(e.Pictures, album.of(b)...)
		}
		return at.one(e)
	case ownNotice:
		return at.one(beckon.Entry{ID: own.UUID, Kind: beckon.NoticeEntry, Notice: own.Notice, Text: cut(own.Text, TextMost)})
	default:
		return at.unknown(line)
	}
}
