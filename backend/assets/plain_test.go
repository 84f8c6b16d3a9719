package assets_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"beckon/backend/assets"
)

func TestTheWindowFindsThePageAsItWasBeforeItWasCompressed(t *testing.T) {
	t.Parallel()
	script := strings.Repeat("export const answer = 42;\n", 1000)
	dist := fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html>")}, "assets/app.js.gz": {Data: zipped(script)}, "assets/torn.js.gz": {Data: zipped(script)[:40]},
	}
	p := assets.Plain{FS: dist}
	f, err := p.Open("assets/app.js")
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	text, err2 := io.ReadAll(f)
	if err := errors.Join(err, err2, f.Close()); err != nil || string(text) != script || info.Name() != "app.js" || info.Size() != int64(len(script)) || info.IsDir() {
		t.Errorf("%d bytes of %v, %v", len(text), info, err)
	}
	if _, ok := f.(io.Seeker); !ok {
		t.Error("a part of it cannot be asked for")
	}
	if text, err := fs.ReadFile(p, "index.html"); err != nil || string(text) != "<!doctype html>" {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := p.Open("assets/none.js"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	if _, err := p.Open("assets/torn.js"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is torn: %v", err)
	}
}

func TestAFileThatIsTornSaysSoAndSendsNothing(t *testing.T) {
	t.Parallel()
	files, err := assets.Read(fstest.MapFS{"app.js.gz": {Data: zipped("self")[:12]}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	files.Serve(w, httptest.NewRequest(http.MethodGet, "/app.js", nil), "app.js")
	if w.Code != http.StatusInternalServerError || w.Header().Get("ETag") != "" {
		t.Errorf("%d with %v", w.Code, w.Header())
	}
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // into memory
	_ = z.Close()
	return b.Bytes()
}
