package observe

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"beckon/backend/disk"
)

// This file follows files that others write below a folder: plain files of the
// user's only, behind no link, each whole line once, whatever becomes of the file.
// It never writes, and knows nothing of what a line says.

const (
	firstLook = 256 << 10 // of a file that is seen for the first time
	chunk     = 64 << 10
)

// LineMost is how long a line may be that is read: the API takes no longer one. A first
// look seeks the beginning no further away.
const LineMost = 64 << 20

// errOdd is what is not read: no regular file, another user's, or behind a link.
var errOdd = errors.New("is no regular file of this user's")

// open opens a file below a root without following a link on the way, and
// without waiting for what is no file. The caller closes it.
func open(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	var info fs.FileInfo
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != filepath.Separator {
			continue
		}
		var err error
		if info, err = root.Lstat(name[:end]); err != nil {
			return nil, nil, err
		}
		if end < len(name) && !info.IsDir() {
			return nil, nil, errOdd
		}
	}
	if !info.Mode().IsRegular() || !disk.Owned(info) {
		return nil, nil, errOdd
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	opened, err := f.Stat()
	if err != nil || !os.SameFile(info, opened) || !opened.Mode().IsRegular() {
		return nil, nil, errors.Join(err, errOdd, f.Close())
	}
	return f, opened, nil
}

// ReadFile reads a small file below a root.
func ReadFile(root *os.Root, name string, most int64) ([]byte, error) {
	f, info, err := open(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, errOdd
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// FileTail is how far a file was read.
type FileTail struct {
	Name string // below the root
	// Look is how many bytes before the end a first look begins; 0: 256 KiB.
	Look int64
	// was is the file that was read, nil before the first look.
	was fs.FileInfo
	// next is where the first line begins that was not read; from there, seen
	// bytes have no line feed.
	next, seen int64
}

// Read hands on the whole lines that were not read yet, if there are any; what follows the
// last line feed is one where it is a whole object of JSON, as the beginning of one never is:
// a file may end so, whose writer was ended or whose copy was cut. A first
// look at a file, or at what took its place, calls begin, and begins with the line
// that is Look bytes before the end. Lines of which take reads no more are not
// handed on again.
func (t *FileTail) Read(root *os.Root, begin func(), take func(io.Reader) error) error {
	f, info, err := open(root, t.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	size := info.Size()
	if t.was == nil || !os.SameFile(t.was, info) || size < t.next+t.seen {
		begin()
		if t.next, err = lineAround(f, size-cmp.Or(t.Look, firstLook)); err != nil {
			return err
		}
		t.seen = 0
	}
	t.was = info
	end, err := lastLine(f, t.next+t.seen, size)
	whole := false
	if err == nil {
		whole, err = isObject(f, max(end, t.next), size)
	}
	switch {
	case err != nil:
		return err
	case whole:
		end = size
	case end < 0: // half a line, of which nothing is known to be kept
		t.seen = size - t.next
		return nil
	}
	begins := t.next
	t.next, t.seen = end, size-end
	return take(io.NewSectionReader(f, begins, end-begins))
}

// isObject reports whether what is between two offsets is one whole object of JSON.
func isObject(f io.ReaderAt, from, to int64) (bool, error) {
	if from >= to || to-from > LineMost {
		return false, nil
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, to-1); err != nil || last[0] != '}' {
		return false, err
	}
	text := make([]byte, to-from)
	_, err := f.ReadAt(text, from)
	return err == nil && text[0] == '{' && json.Valid(text), err
}

// lineAround returns where the line begins that has the byte before at. One that
// is too long to be read is left out.
func lineAround(f io.ReaderAt, at int64) (int64, error) {
	if at <= 0 {
		return 0, nil
	}
	begin, err := lastLine(f, max(0, at-LineMost), at)
	if begin < 0 && at > LineMost {
		return at, err
	}
	return max(begin, 0), err
}

// lastLine returns where what follows the last line feed between two offsets
// begins, -1 where there is none.
func lastLine(f io.ReaderAt, from, to int64) (int64, error) {
	buf := make([]byte, min(chunk, max(to-from, 0)))
	for to > from {
		part := buf[:min(int64(len(buf)), to-from)]
		if _, err := f.ReadAt(part, to-int64(len(part))); err != nil {
			return -1, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return to - int64(len(part)) + int64(i) + 1, nil
		}
		to -= int64(len(part))
	}
	return -1, nil
}

// FileNames lists a folder below a root, and nothing where it is none.
func FileNames(root *os.Root, dir string) []string {
	if info, err := root.Lstat(dir); err != nil || !info.IsDir() {
		return nil
	}
	f, err := root.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.Readdirnames(-1)
	return list
}

// RegularFile reports whether something below a root is a file.
func RegularFile(root *os.Root, name string) bool {
	info, err := root.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}
