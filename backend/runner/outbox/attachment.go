package outbox

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif"  // reads the size of one
	_ "image/jpeg" // likewise
	_ "image/png"  // likewise
	"time"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// This file checks and keeps the images that messages carry.
//
// What it keeps is a whole image of a kind and size that the API takes. It
// knows neither messages nor agents.

// ImageKept is how long an image is kept that nothing refers to, for a draft that is
// sent after all.
const ImageKept = 7 * 24 * time.Hour

// maxPixels is the size of a side beyond which the API refuses an image, and
// with it every later turn of the conversation.
const maxPixels = 8000

// Images keeps images for messages that will name them.
type Images struct{ Store ImageStore }

// ImageStore keeps files by an ID of its own.
type ImageStore interface {
	KeepImage(data []byte) (id string, err error)
	Image(id string) ([]byte, error)
}

// KeepImage keeps an image for messages that will name it.
func (k Images) KeepImage(n beckon.NewImage) (beckon.Image, error) {
	if base64.StdEncoding.DecodedLen(len(n.Data)) > beckon.MaxImageBytes+2 { // what padding may hide
		return beckon.Image{}, imageTooBig()
	}
	data, err := base64.StdEncoding.DecodeString(n.Data)
	if err != nil {
		return beckon.Image{}, beckon.Invalid("the image did not arrive whole")
	}
	if len(data) > beckon.MaxImageBytes {
		return beckon.Image{}, imageTooBig()
	}
	kind, err := imageType(data)
	if err != nil {
		return beckon.Image{}, err
	}
	id, err := k.Store.KeepImage(data)
	return beckon.Image{ID: id, Name: ImageName(n.Name), Type: kind, Size: len(data)}, err
}

func imageTooBig() error {
	return beckon.Invalid("an image has at most %d KB; make it smaller, or crop it", beckon.MaxImageBytes>>10)
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
		return "", beckon.Invalid("only PNG, JPEG, GIF and WebP images can be sent, and whole ones")
	case config.Width > maxPixels || config.Height > maxPixels:
		return "", beckon.Invalid("an image has at most %d pixels a side, this one %d × %d", maxPixels, config.Width, config.Height)
	}
	return "image/" + format, nil
}

// ImageName makes a name for showing of what a file was called.
func ImageName(name string) string { return plain.Line(name, 200) }

// Image returns a kept image as a data: URL.
func (k Images) Image(id string) (string, error) {
	kept, data, err := k.Read(id)
	if err != nil {
		return "", err
	}
	return "data:" + kept.Type + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}

// Read returns a kept image, whose name nobody kept, and its bytes.
func (k Images) Read(id string) (beckon.Image, []byte, error) {
	data, err := k.Store.Image(id)
	if err != nil {
		return beckon.Image{}, nil, err
	}
	kind, err := imageType(data)
	return beckon.Image{ID: id, Type: kind, Size: len(data)}, data, err
}
