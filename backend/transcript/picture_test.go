package transcript

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"beckon/backend/agent"
	"beckon/backend/beckon"

	"github.com/google/go-cmp/cmp"
)

// A byte or two of each kind are enough for who looks at the beginning.
const (
	png = "\x89PNG\r\n\x1a\nrest"
	gif = "GIF89a rest"
	svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
)

func imageBlock(kind, data string) string {
	return fmt.Sprintf(`{"type":"image","source":{"type":"base64","media_type":%q,"data":%q}}`, kind, base64.StdEncoding.EncodeToString([]byte(data)))
}

func TestPicturesAreShownAndNotTold(t *testing.T) {
	t.Parallel()
	lines := [][]byte{
		[]byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"a.png"}}]}}`),
		[]byte(`{"type":"user","uuid":"u","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"two:"},` +
			imageBlock("image/png", png) + `,` + imageBlock("image/svg+xml", svg) + `]},` + imageBlock("image/gif", gif) + `]}}`),
		MessageLine("m", "Look", agent.Block{Text: "Look"}, agent.Block{MediaType: "image/png", Data: base64.StdEncoding.EncodeToString([]byte(png))}),
		[]byte(`{"type":"user","message":{"content":[{"type":"image","source":{"type":"url","url":"https://example.com/pixel.png"}}]}}`),
		[]byte(`{"type":"user","message":{"content":[` + imageBlock("image/png", svg) + `]}}`),
	}
	want := []struct {
		text     string
		pictures []beckon.Picture
	}{
		{"two:\n[image image/svg+xml]", []beckon.Picture{{Pos: 1, Index: 0, Type: "image/png", Size: 12}}},
		{"", []beckon.Picture{{Pos: 1, Index: 2, Type: "image/gif", Size: 12}}},
		{"Look", []beckon.Picture{{Pos: 2, Index: 0, Type: "image/png", Size: 12}}},
		{"[image ]", nil},
		{"", []beckon.Picture{{Pos: 4, Index: 0, Type: "image/png", Size: 72}}},
	}
	for i, e := range foldAll(lines) {
		text := e.Text
		if e.Tool != nil {
			text = e.Tool.Result
		}
		if diff := cmp.Diff(want[i].pictures, e.Pictures); diff != "" || text != want[i].text {
			t.Errorf("entry %d: %q, %s", i, text, diff)
		}
	}
	log := logOf(t, 2, lines)
	for _, c := range []struct {
		pos   int64
		index int
		want  string
		err   error
	}{
		{1, 0, "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(png)), nil},
		{1, 1, "", beckon.ErrInvalid}, // SVG runs scripts
		{1, 2, "data:image/gif;base64," + base64.StdEncoding.EncodeToString([]byte(gif)), nil},
		{2, 0, "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(png)), nil},
		{4, 0, "", beckon.ErrInvalid}, // called PNG, but SVG
		{1, 3, "", beckon.ErrNotFound},
		{1, -1, "", beckon.ErrNotFound},
		{3, 0, "", beckon.ErrNotFound},
		{0, 0, "", beckon.ErrNotFound},
		{-1, 0, "", beckon.ErrNotFound},
		{99, 0, "", beckon.ErrNotFound},
	} {
		if got, err := ReadPicture(log, c.pos, c.index); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("line %d, image %d: %.60q, %v", c.pos, c.index, got, err)
		}
	}
}

func TestHugePictureIsNamedButNotSent(t *testing.T) {
	t.Parallel()
	line := []byte(`{"type":"user","message":{"content":[` + imageBlock("image/png", png+strings.Repeat("x", 11<<20)) + `]}}`)
	entries := foldAll([][]byte{line})
	if len(entries) != 1 || len(entries[0].Pictures) != 1 || entries[0].Pictures[0].Size < 11<<20 {
		t.Fatalf("%+v", entries)
	}
	if _, err := ReadPicture(logOf(t, 1, [][]byte{line}), 0, 0); !errors.Is(err, beckon.ErrInvalid) {
		t.Error(err)
	}
}
