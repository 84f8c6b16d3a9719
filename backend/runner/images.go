package runner

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	_ "image/gif"  // reads the size of one
	_ "image/jpeg" // likewise
	_ "image/png"  // likewise
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

// The API refuses images beyond maxPixels a side, and with them every later
// turn of the conversation. What nothing refers to is kept for keepImages, for
// a draft that is sent after all.
const (
	maxPixels  = 8000
	keepImages = 7 * 24 * time.Hour
)

// KeepImage keeps an image for messages that will name it.
func (r *Runner) KeepImage(_ context.Context, n beckon.NewImage) (beckon.Image, error) {
	if base64.StdEncoding.DecodedLen(len(n.Data)) > beckon.MaxImageBytes+2 { // what padding may hide
		return beckon.Image{}, imageTooBig()
	}
	data, err := base64.StdEncoding.DecodeString(n.Data)
	if err != nil {
		return beckon.Image{}, invalid("the image did not arrive whole")
	}
	if len(data) > beckon.MaxImageBytes {
		return beckon.Image{}, imageTooBig()
	}
	kind, err := imageType(data)
	if err != nil {
		return beckon.Image{}, err
	}
	id, err := r.Store.KeepImage(data)
	return beckon.Image{ID: id, Name: imageName(n.Name), Type: kind, Size: len(data)}, err
}

func imageTooBig() error {
	return invalid("an image has at most %d KB; make it smaller, or crop it", beckon.MaxImageBytes>>10)
}

// imageType returns the type of an image by what it holds, whatever it is
// called.
func imageType(data []byte) (string, error) {
	if len(data) > 16 && string(data[:4]) == "RIFF" && string(data[8:15]) == "WEBPVP8" {
		return "image/webp", nil
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return "", invalid("only PNG, JPEG, GIF and WebP images can be sent, and whole ones")
	case config.Width > maxPixels || config.Height > maxPixels:
		return "", invalid("an image has at most %d pixels a side, this one %d × %d", maxPixels, config.Width, config.Height)
	}
	return "image/" + format, nil
}

// imageName makes a name for showing of what a file was called.
func imageName(name string) string { return beckon.Cut(oneLine(name), 200) }

// Image returns a kept image as a data: URL.
func (r *Runner) Image(_ context.Context, id string) (string, error) {
	kept, data, err := r.readImage(id)
	if err != nil {
		return "", err
	}
	return "data:" + kept.Type + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}

// readImage reads a kept image, whose name nobody kept.
func (r *Runner) readImage(id string) (beckon.Image, []byte, error) {
	data, err := r.Store.Image(id)
	if err != nil {
		return beckon.Image{}, nil, err
	}
	kind, err := imageType(data)
	return beckon.Image{ID: id, Type: kind, Size: len(data)}, data, err
}

// blocksOf returns a message as claude is sent it, nil for one of words alone.
// An image that is gone is named in its place: the rest is worth sending.
func (r *Runner) blocksOf(m beckon.Message) []claude.Block {
	if len(m.Images) == 0 {
		return nil
	}
	var blocks []claude.Block
	if m.Text != "" {
		blocks = append(blocks, claude.Block{Type: claude.TextBlock, Text: m.Text})
	}
	for _, named := range m.Images {
		kept, data, err := r.readImage(named.ID)
		if err != nil {
			logged("read an image", err, "message", m.ID)
			blocks = append(blocks, claude.Block{Type: claude.TextBlock, Text: "[" + named.Name + " could not be read]"})
			continue
		}
		blocks = append(blocks, claude.Block{Type: claude.ImageBlock, Source: &claude.Source{
			Type: "base64", MediaType: kept.Type, Data: base64.StdEncoding.EncodeToString(data),
		}})
	}
	return blocks
}
