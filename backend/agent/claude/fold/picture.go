package fold

import (
	"encoding/base64"
	"slices"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// album finds the images of a line, block by block, and numbers them.
type album struct {
	pos  int64
	next int
}

// of returns the pictures of the line's next block.
func (a *album) of(b claude.Block) []beckon.Picture {
	var list []beckon.Picture
	for _, s := range images(b) {
		data, left := runlog.Split(s.Data)
		if slices.Contains(agent.PictureTypes, s.MediaType) {
			list = append(list, beckon.Picture{
				Pos: a.pos, Index: a.next, Type: s.MediaType,
				Size: base64.StdEncoding.DecodedLen(len(data) + left.Bytes),
			})
		}
		a.next++
	}
	return list
}

// images returns the images that a block is or holds, in order. Those that
// have no data, but are somewhere on the net, are none.
func images(b claude.Block) []*claude.Source {
	var list []*claude.Source
	if isImage(b) {
		list = append(list, b.Source)
	}
	for _, inner := range b.Content {
		list = append(list, images(inner)...)
	}
	return list
}

func isImage(b claude.Block) bool {
	return b.Type == claude.ImageBlock && b.Source != nil && b.Source.Type == "base64"
}

// shown reports whether a block is shown as a picture, so that the text needs
// not name it.
func shown(b claude.Block) bool {
	return isImage(b) && slices.Contains(agent.PictureTypes, b.Source.MediaType)
}

// Pictures implements agent.Reader.
func (Reader) Pictures(line []byte) []agent.Block {
	m, err := claude.DecodeMessage(line)
	if err != nil || m.Speech == nil {
		return nil
	}
	var pictures []agent.Block
	for _, b := range m.Speech.Content {
		for _, s := range images(b) {
			pictures = append(pictures, agent.Block{MediaType: s.MediaType, Data: s.Data})
		}
	}
	return pictures
}
