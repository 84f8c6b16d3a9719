package outbox

import (
	"encoding/base64"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// blocks returns a message as it is sent, nil for one of words alone.
// An image that is gone is named in its place: the rest is worth sending.
func (q *Queues) blocks(m beckon.Message) []agent.Block {
	if len(m.Images) == 0 {
		return nil
	}
	var blocks []agent.Block
	if m.Text != "" {
		blocks = append(blocks, agent.Block{Text: m.Text})
	}
	for _, named := range m.Images {
		kept, data, err := q.Images.Read(named.ID)
		if err != nil {
			logged("read an image", err, "message", m.ID)
			blocks = append(blocks, agent.Block{Text: "[" + named.Name + " could not be read]"})
			continue
		}
		blocks = append(blocks, agent.Block{MediaType: kept.Type, Data: base64.StdEncoding.EncodeToString(data)})
	}
	return blocks
}
