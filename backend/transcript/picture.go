package transcript

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// What is shown as a picture: images that browsers draw without running
// anything, of a size that a page can hold.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

const (
	pictureMost     = 10 << 20 // bytes
	pictureLineMost = 64 << 20 // of a line that is decoded for one
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
		if slices.Contains(pictureTypes, s.MediaType) {
			list = append(list, beckon.Picture{Pos: a.pos, Index: a.next, Type: s.MediaType, Size: base64.StdEncoding.DecodedLen(len(data) + left.Bytes)})
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
	return isImage(b) && slices.Contains(pictureTypes, b.Source.MediaType)
}

// ReadPicture returns an image of a line as a data: URL, whose type is what
// its bytes are, whatever the agent calls them. No such image is
// beckon.ErrNotFound.
func ReadPicture(l *Log, pos int64, index int) (string, error) {
	for line, err := range l.Read(pos, pos+1) {
		if err != nil {
			return "", err
		}
		if len(line.Raw) > pictureLineMost {
			return "", fmt.Errorf("the line of this picture has %d MB, too many to show: %w", len(line.Raw)>>20, beckon.ErrInvalid)
		}
		n := 0
		for _, b := range contentOf(line.Raw) {
			for _, s := range images(b) {
				if n == index {
					return dataURL(s.Data)
				}
				n++
			}
		}
	}
	return "", fmt.Errorf("there is no picture %d in line %d: %w", index, pos, beckon.ErrNotFound)
}

// contentOf returns the blocks of a line, in full.
func contentOf(line []byte) claude.Content {
	if isOwn(line) {
		var own ownLine
		_ = json.Unmarshal(line, &own) // of another shape it has none
		return own.Content
	}
	if m, err := claude.DecodeMessage(line); err == nil && m.Speech != nil {
		return m.Speech.Content
	}
	return nil
}

func dataURL(data string) (string, error) {
	if base64.StdEncoding.DecodedLen(len(data)) > pictureMost {
		return "", fmt.Errorf("this picture has more than %d MB, too many to show: %w", pictureMost>>20, beckon.ErrInvalid)
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return "", fmt.Errorf("this picture did not arrive whole: %w", beckon.ErrInvalid)
	}
	kind := http.DetectContentType(raw)
	if !slices.Contains(pictureTypes, kind) {
		return "", fmt.Errorf("this is no PNG, JPEG, GIF or WebP image: %w", beckon.ErrInvalid)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(raw), nil
}
