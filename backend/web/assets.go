package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"beckon/backend/loopback"
)

// assets are the page's files by their paths, without a leading slash. What is
// not among them cannot be read.
type assets map[string]asset

// asset is one file. It is compressed when it is first asked for, so that
// starting costs nothing.
type asset struct {
	name   string
	plain  []byte
	etag   string
	gzip   func() []byte // nil: not worth it
	brotli []byte        // nil: the build made none
}

// types are the content types of what a build makes. The system's own table is
// not asked: Windows' registry may call scripts plain text.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".webp": "image/webp",
	".woff2": "font/woff2", ".wasm": "application/wasm",
}

// packed are the types that are compressed already.
var packed = map[string]bool{".png": true, ".webp": true, ".woff2": true}

// hashed are names that change with their content.
var hashed = regexp.MustCompile(`^assets/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$`)

// readAssets reads all of dist. A file with a .br or .gz sibling is sent as
// that to browsers that take it.
func readAssets(dist fs.FS) (assets, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(dist, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the page's files: %w", err)
	}
	list := assets{}
	for name, data := range files {
		if ext := path.Ext(name); ext == ".br" || ext == ".gz" {
			continue
		}
		list[name] = newAsset(name, data, files[name+".gz"], files[name+".br"])
	}
	return list, nil
}

func newAsset(name string, plain, zipped, brotli []byte) asset {
	sum := sha256.Sum256(plain)
	a := asset{name: name, plain: plain, brotli: brotli, etag: hex.EncodeToString(sum[:12])}
	switch {
	case zipped != nil:
		a.gzip = func() []byte { return zipped }
	case !packed[path.Ext(name)] && len(plain) > 1<<10:
		a.gzip = sync.OnceValue(func() []byte { return compress(plain) })
	}
	return a
}

func compress(plain []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is right
	_, _ = z.Write(plain)                                 // into memory
	_ = z.Close()
	return b.Bytes()
}

// ServeHTTP sends a file. Paths that name no file and have no extension are
// places within the page, so they get the page.
func (a assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		loopback.WriteError(w, http.StatusMethodNotAllowed, "invalid", "this can only be read")
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	file, ok := a[name]
	if !ok && path.Ext(name) == "" {
		file, ok = a["index.html"]
	}
	if !ok {
		writePage(w, http.StatusNotFound, `<p>There is nothing here. <a href="/">Go to Beckon</a>.</p>`)
		return
	}
	file.serve(w, r)
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	kind, ok := types[path.Ext(a.name)]
	if !ok {
		kind = "application/octet-stream"
	}
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache") // ask each time, by the tag
	if hashed.MatchString(a.name) {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	h.Set("Vary", "Accept-Encoding")
	body, coding := a.best(r.Header.Get("Accept-Encoding"))
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("ETag", `"`+a.etag+coding+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// best chooses the shortest form that the browser takes.
func (a asset) best(accepted string) (body []byte, coding string) {
	takes := map[string]bool{}
	for _, one := range strings.Split(accepted, ",") {
		name, q, _ := strings.Cut(strings.ReplaceAll(one, " ", ""), ";")
		takes[name] = q != "q=0"
	}
	switch {
	case a.brotli != nil && takes["br"]:
		return a.brotli, "br"
	case a.gzip != nil && takes["gzip"]:
		return a.gzip(), "gzip"
	default:
		return a.plain, ""
	}
}
