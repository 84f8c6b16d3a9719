// Package assets sends the files of a built page, and of those nothing else, under
// the policy that every page of Beckon's lives under. It does not know who may read
// them: that is the business of the servers.
package assets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
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

// asset is one file. It is read when it is first asked for, so that starting costs
// nothing, and what nobody looks at is never held.
type asset struct {
	name string
	read func() (forms, error)
}

// forms are what a file can be sent as.
type forms struct {
	plain  []byte // nil: the build left it out, and zipped has it
	zipped []byte // nil: not worth it
	brotli []byte // nil: the build made none
	etag   string
}

// types are the content types of what a build makes. The system's own table is
// not asked: Windows' registry may call scripts plain text.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".webp": "image/webp",
	".woff2": "font/woff2", ".wasm": "application/wasm",
}

// hashed are names that change with their content.
var hashed = regexp.MustCompile(`^assets/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$`)

// Read lists all of dist. A file with a .br or .gz sibling is sent as that to browsers
// that take it; where there is only a .gz, others are sent what is in that.
func Read(dist fs.FS) (Files, error) {
	list := Files{}
	err := fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := path.Ext(name); ext == ".br" || ext == ".gz" {
			name = strings.TrimSuffix(name, ext)
		}
		list[name] = asset{name, sync.OnceValues(func() (forms, error) { return readForms(dist, name) })}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the page's files: %w", err)
	}
	return list, nil
}

func readForms(dist fs.FS, name string) (f forms, err error) {
	for ext, form := range map[string]*[]byte{"": &f.plain, ".gz": &f.zipped, ".br": &f.brotli} {
		if *form, err = fs.ReadFile(dist, name+ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	sum := sha256.Sum256(append(f.plain[:len(f.plain):len(f.plain)], f.zipped...))
	f.etag = hex.EncodeToString(sum[:12])
	return f, nil
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
	body, _, _, err := f[name].best("")
	if err != nil {
		fail(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f[name].kind())
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the peer may be gone
}

func fail(w http.ResponseWriter, err error) {
	slog.Error("read a file of the page", "err", err)
	http.Error(w, "this file of the page cannot be read", http.StatusInternalServerError)
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	body, coding, etag, err := a.best(r.Header.Get("Accept-Encoding"))
	if err != nil {
		fail(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.kind())
	h.Set("Cache-Control", "no-cache") // ask each time, by the tag
	if hashed.MatchString(a.name) {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	h.Set("Vary", "Accept-Encoding")
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("ETag", `"`+etag+coding+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

func (a asset) kind() string {
	if kind, ok := types[path.Ext(a.name)]; ok {
		return kind
	}
	return "application/octet-stream"
}

// best chooses the shortest form that the browser takes.
func (a asset) best(accepted string) (body []byte, coding, etag string, err error) {
	takes := map[string]bool{}
	for _, one := range strings.Split(accepted, ",") {
		name, q, _ := strings.Cut(strings.ReplaceAll(one, " ", ""), ";")
		takes[name] = q != "q=0"
	}
	f, err := a.read()
	switch {
	case err != nil:
	case f.brotli != nil && takes["br"]:
		body, coding = f.brotli, "br"
	case f.zipped != nil && takes["gzip"]:
		body, coding = f.zipped, "gzip"
	case f.plain != nil:
		body = f.plain
	default:
		body, err = unzip(f.zipped)
	}
	return body, coding, f.etag, err
}
