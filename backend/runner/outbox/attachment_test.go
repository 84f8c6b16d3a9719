package outbox

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// shelf is a store in memory.
type shelf map[string][]byte

func (s shelf) KeepImage(data []byte) (string, error) {
	s["1"] = data
	return "1", nil
}

func (s shelf) Image(id string) ([]byte, error) {
	if data, ok := s[id]; ok {
		return data, nil
	}
	return nil, beckon.ErrNotFound
}

func picture(t *testing.T, width, height int) string {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func TestAnImageComesBackAsItsKindWhateverItIsCalled(t *testing.T) {
	t.Parallel()
	images := Images{Store: shelf{}}
	kept, err := images.KeepImage(beckon.NewImage{Name: "shot\n.exe", Data: picture(t, 8, 8)})
	if err != nil || kept.Type != "image/png" || kept.Name != "shot .exe" || kept.Size == 0 {
		t.Fatalf("%+v, %v", kept, err)
	}
	if url, err := images.Image(kept.ID); err != nil || !strings.HasPrefix(url, "data:image/png;base64,") {
		t.Errorf("%.40s, %v", url, err)
	}
	if _, err := images.Image("2"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("one that nobody kept: %v", err)
	}
}

// TestAnImageThatTheAPIRefusesIsNotKept: it would end every later turn of the
// conversation.
func TestAnImageThatTheAPIRefusesIsNotKept(t *testing.T) {
	t.Parallel()
	images := Images{Store: shelf{}}
	for name, data := range map[string]string{
		"too wide":  picture(t, maxPixels+1, 1),
		"no image":  base64.StdEncoding.EncodeToString([]byte("#!/bin/sh")),
		"not whole": "iVBOR",
		"a script":  base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`)),
		"too large": base64.StdEncoding.EncodeToString(make([]byte, beckon.MaxImageBytes+10)),
	} {
		if kept, err := images.KeepImage(beckon.NewImage{Name: "x.png", Data: data}); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: kept as %+v, %v", name, kept, err)
		}
	}
}
