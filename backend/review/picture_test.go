package review

import (
	"bytes"
	"encoding/binary"
	"fmt"
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
		p := pictureOf(name, []byte(c.content))
		if !strings.HasPrefix(p.URL, c.prefix) || (c.prefix == "") != (p.URL == "") || p.Large != c.large {
			t.Errorf("%s: %.60s, large %v", name, p.URL, p.Large)
		}
	}
}

func TestAnSVGCostsNoMoreThanItsPixels(t *testing.T) {
	t.Parallel()
	svg := func(inner string) string {
		return `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">` + inner + `</svg>`
	}
	var levels strings.Builder
	levels.WriteString(`<rect id="a0"/>`)
	for level := range 9 {
		fmt.Fprintf(&levels, `<g id="a%d">%s</g>`, level+1, strings.Repeat(fmt.Sprintf(`<use href="#a%d"/>`, level), 10))
	}
	for name, c := range map[string]struct {
		content string
		drawn   bool
	}{
		"plain":            {svg(`<defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs><path fill="url(#g)" d="M0 0L9 9"/>`), true},
		"a symbol used":    {svg(`<symbol id="s"><path d="M0 0"/></symbol>` + strings.Repeat(`<use xlink:href="#s"/>`, 50)), true},
		"clipped":          {svg(`<clipPath id="c"><rect width="9"/></clipPath><g clip-path="url(#c)"><path d="M0 0"/></g>`), true},
		"styled":           {svg(`<style>.a { fill: red }</style><path class="a"/>`), true},
		"shapes multiply":  {svg(levels.String()), false},
		"one refers to it": {svg(`<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g><use href="#a"/>`), false},
		"many shapes":      {svg(strings.Repeat(`<rect/>`, mostShapes)), false},
		"a long path":      {svg(`<path id="p" d="` + strings.Repeat("M0 0L9 9", 4000) + `"/>` + strings.Repeat(`<use href="#p"/>`, 20)), false},
		"used elsewhere":   {svg(`<use href="other.svg#a"/>`), false},
		"pattern":          {svg(`<pattern id="p"/>`), false},
		"filter":           {svg(`<rect filter="blur(1000px)"/>`), false},
		"filter by style":  {svg(`<rect style="FILTER: blur(1000px)"/>`), false},
		"filter by CSS":    {svg(`<style>rect { backdrop-filter: blur(9px) }</style><rect/>`), false},
		"escaped CSS":      {svg(`<style>rect { f\69lter: blur(9px) }</style><rect/>`), false},
		"image elsewhere":  {svg(`<image href="/owned.png"/>`), true},
		"image":            {svg(`<image href="data:image/png;base64,"/>`), false},
		"animation":        {svg(`<rect><animate attributeName="x" repeatCount="indefinite"/></rect>`), false},
		"entities":         {`<!DOCTYPE svg [<!ENTITY a "<rect/>">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>`, false},
		"nesting":          {svg(strings.Repeat("<g>", 2000) + strings.Repeat("</g>", 2000)), false},
		"broken":           {svg(`<g>`), false},
	} {
		if p := pictureOf("a.svg", []byte(c.content)); (p.URL != "") != c.drawn || p.Large == c.drawn {
			t.Errorf("%s: drawn %v, want %v", name, p.URL != "", c.drawn)
		}
	}
}

// resum makes the checksum of a PNG's first chunk fit what it says.
func resum(content []byte) string {
	binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
	return string(content)
}
