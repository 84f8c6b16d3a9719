package transcript

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// Of what size a picture is that a page can hold.
const (
	pictureMost     = 10 << 20 // bytes
	pictureLineMost = 64 << 20 // of a line that is decoded for one
)

// picturesOf returns the pictures of a message in line pos, numbered.
func picturesOf(pos int64, blocks []agent.Block) (pictures []beckon.Picture) {
	n := 0
	for _, b := range blocks {
		if b.MediaType == "" {
			continue
		}
		data, left := runlog.Split(b.Data)
		if slices.Contains(agent.PictureTypes, b.MediaType) {
			pictures = append(pictures, beckon.Picture{Pos: pos, Index: n, Type: b.MediaType, Size: base64.StdEncoding.DecodedLen(len(data) + left.Bytes)})
		}
		n++
	}
	return pictures
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
		if pictures := picturesIn(line.Raw); index >= 0 && index < len(pictures) {
			return dataURL(pictures[index].Data)
		}
	}
	return "", fmt.Errorf("there is no picture %d in line %d: %w", index, pos, beckon.ErrNotFound)
}

// picturesIn returns the pictures of a line, in full.
func picturesIn(line []byte) []agent.Block {
	if !isOwn(line) {
		return reader.Pictures(line)
	}
	var own ownLine
	_ = json.Unmarshal(line, &own) // of another shape it has none
	return slices.DeleteFunc(own.blocks(), func(b agent.Block) bool { return b.MediaType == "" })
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
	if !slices.Contains(agent.PictureTypes, kind) {
		return "", fmt.Errorf("this is no PNG, JPEG, GIF or WebP image: %w", beckon.ErrInvalid)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(raw), nil
}
