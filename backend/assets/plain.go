package assets

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"
	"time"
)

// Plain is a built page with all its files as they were before the build compressed
// them, for the window, which asks for no other form.
type Plain struct{ fs.FS }

// Open implements fs.FS.
func (p Plain) Open(name string) (fs.File, error) {
	f, err := p.FS.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	zipped, err2 := fs.ReadFile(p.FS, name+".gz")
	if err2 != nil {
		return nil, err
	}
	text, err := unzip(zipped)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return unzipped{bytes.NewReader(text), name}, nil
}

func unzip(zipped []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// unzipped is a file that was compressed. It is its own fs.FileInfo.
type unzipped struct {
	*bytes.Reader
	name string
}

func (u unzipped) Close() error               { return nil }
func (u unzipped) Stat() (fs.FileInfo, error) { return u, nil }
func (u unzipped) Name() string               { return path.Base(u.name) }
func (u unzipped) Mode() fs.FileMode          { return 0o444 }
func (u unzipped) ModTime() time.Time         { return time.Time{} }
func (u unzipped) IsDir() bool                { return false }
func (u unzipped) Sys() any                   { return nil }
