package review

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"path"
	"strings"
	"unicode/utf8"

	"beckon/backend/beckon/reviewing"
)

// This file makes an image of a repository fit to be drawn by the page: it is
// known by its content, whatever its name says, and has no more bytes, pixels and shapes
// than a page can draw. It decodes no image and runs nothing; the page draws what it returns as
// an <img>, in which no script runs and nothing is fetched.

// Sizes that images are held to. An SVG is a program to draw by, so it may be smaller.
const (
	Most       = 8 << 20 // bytes
	mostVector = 512 << 10
	mostPixels = 50_000_000
	mostMoving = 4_000_000 // pixels of one that may have many frames
)

// pictureOf returns what can be drawn of a file's content.
func pictureOf(name string, content []byte) reviewing.Picture {
	media, pixels := known(name, content)
	switch {
	case media == "":
		return reviewing.Picture{}
	case pixels > mostPixels, moves(media, content) && pixels > mostMoving:
		return reviewing.Picture{Large: true}
	case media == vector && (len(content) > mostVector || !bounded(content)):
		return reviewing.Picture{Large: true}
	}
	return reviewing.Picture{URL: "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(content)}
}

const vector = "image/svg+xml"

// moves reports whether an image may have many frames, each of which is drawn.
func moves(media string, content []byte) bool {
	switch media {
	case "image/gif":
		return true
	case "image/png":
		return bytes.Contains(content, []byte("acTL"))
	case "image/webp":
		return bytes.Contains(content[:min(len(content), 64)], []byte("ANIM"))
	}
	return false
}

// known returns the media type of content, empty where it is none that is drawn, and how
// many pixels it says that it has.
func known(name string, content []byte) (media string, pixels int64) {
	if config, format, err := image.DecodeConfig(bytes.NewReader(content)); err == nil {
		return "image/" + format, int64(config.Width) * int64(config.Height)
	}
	if width, height := webp(content); width > 0 {
		return "image/webp", width * height
	}
	if strings.EqualFold(path.Ext(name), ".svg") && utf8.Valid(content) && bytes.Contains(content, []byte("<svg")) {
		return vector, 0
	}
	return "", 0
}

// webp returns the size that a WebP says in its first chunk; none for anything else.
func webp(content []byte) (width, height int64) {
	if len(content) < 30 || string(content[:4]) != "RIFF" || string(content[8:12]) != "WEBP" {
		return 0, 0
	}
	head := content[20:]
	switch string(content[12:16]) {
	case "VP8X":
		return 1 + int64(head[4]) + int64(head[5])<<8 + int64(head[6])<<16, 1 + int64(head[7]) + int64(head[8])<<8 + int64(head[9])<<16
	case "VP8L":
		bits := binary.LittleEndian.Uint32(head[1:])
		return 1 + int64(bits&0x3fff), 1 + int64(bits>>14&0x3fff)
	case "VP8 ":
		return int64(binary.LittleEndian.Uint16(head[6:]) & 0x3fff), int64(binary.LittleEndian.Uint16(head[8:]) & 0x3fff)
	}
	return 0, 0
}
