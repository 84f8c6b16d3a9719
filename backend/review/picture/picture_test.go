package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

func TestImagesAreKnownByTheirContentAndBounded(t *testing.T) {
	t.Parallel()
	var small, photo, moving bytes.Buffer
	img := image.NewPaletted(image.Rect(0, 0, 3, 2), nil)
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 3, 2)), nil); err != nil {
		t.Fatal(err)
	}
	img.Palette = append(img.Palette, image.Black, image.White)
	if err := gif.Encode(&moving, img, nil); err != nil {
		t.Fatal(err)
	}
	// What an agent could write to have the page ask for 16 GB.
	bomb := bytes.Clone(small.Bytes())
	binary.BigEndian.PutUint32(bomb[16:], 65_000)
	binary.BigEndian.PutUint32(bomb[20:], 65_000)
	svg := `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	lossless := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f"), make([]byte, 20)...)
	binary.LittleEndian.PutUint32(lossless[21:], 99|49<<14)
	for name, c := range map[string]struct {
		content string
		prefix  string
		large   bool
	}{
		"a.png":       {small.String(), "data:image/png;base64,iVBOR", false},
		"photo.JPG":   {photo.String(), "data:image/jpeg;base64,", false},
		"moving.gif":  {moving.String(), "data:image/gif;base64,", false},
		"a.webp":      {string(lossless), "data:image/webp;base64,UklG", false},
		"bomb.png":    {resum(bomb), "", true},
		"mark.svg":    {svg, "data:image/svg+xml;base64,", false},
		"large.svg":   {svg + strings.Repeat(" ", mostVector), "", true},
		"mark.txt":    {svg, "", false},
		"page.png":    {"<html><script>alert(1)</script>", "", false},
		"cut.webp":    {"RIFF\x00\x00\x00\x00WEBP", "", false},
		"invalid.svg": {svg + "\xff", "", false},
		"none":        {"", "", false},
	} {
		p := Of(name, []byte(c.content))
		if !strings.HasPrefix(p.URL, c.prefix) || (c.prefix == "") != (p.URL == "") || p.Large != c.large {
			t.Errorf("%s: %.60s, large %v", name, p.URL, p.Large)
		}
	}
}

// resum makes the checksum of a PNG's first chunk fit what it says.
func resum(content []byte) string {
	binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
	return string(content)
}
