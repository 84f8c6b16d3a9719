package outbox

import (
	"encoding/base64"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// blocks returns a message as claude is sent it, nil for one of words alone.
// An image that is gone is named in its place: the rest is worth sending.
func (q *Queues) blocks(m beckon.Message) []claude.Block {
	if len(m.Images) == 0 {
		return nil
	}
	var blocks []claude.Block
	if m.Text != "" {
		blocks = append(blocks, claude.NewText(m.Text))
	}
	for _, named := range m.Images {
		kept, data, err := q.Images.Read(named.ID)
		if err != nil {
			logged("read an image", err, "message", m.ID)
			blocks = append(blocks, claude.NewText("["+named.Name+" could not be read]"))
			continue
		}
		blocks = append(blocks, claude.Block{Type: claude.ImageBlock, Source: &claude.Source{
			Type: "base64", MediaType: kept.Type, Data: base64.StdEncoding.EncodeToString(data),
		}})
	}
	return blocks
}
