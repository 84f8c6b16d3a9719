// Package assets sends the files of a built page, and of those nothing else, under
// the policy that every page of Beckon's lives under. It does not know who may read
// them: that is the business of the servers.
package assets

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
)

// Files are the page's files by their paths, without a leading slash. What is
// not among them cannot be read.
type Files map[string]asset

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

// Read reads all of dist. A file with a .br or .gz sibling is sent as that to
// browsers that take it.
func Read(dist fs.FS) (Files, error) {
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
	list := Files{}
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

// Has reports whether there is a file of the name.
func (f Files) Has(name string) bool {
	_, ok := f[name]
	return ok
}

// Serve sends the file of a name that Has knows.
func (f Files) Serve(w http.ResponseWriter, r *http.Request, name string) {
	f[name].serve(w, r)
}

// ServeAs sends it with another status than success, which nothing keeps.
func (f Files) ServeAs(w http.ResponseWriter, name string, status int) {
	h := w.Header()
	h.Set("Content-Type", f[name].kind())
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(f[name].plain) // the peer may be gone
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind())
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

func (a asset) kind() string {
	if kind, ok := types[path.Ext(a.name)]; ok {
		return kind
	}
	return "application/octet-stream"
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
