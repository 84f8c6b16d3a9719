package scripts

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"beckon/backend/beckon"
)

const (
	// partMost is how large one of the files is that keep what a command prints.
	// There are two at the most: the older one goes when the newer one is full.
	partMost = 2 << 20
	// outputMost is how much is read at once.
	outputMost = 256 << 10
)

// printed is what a command printed, in files whose names end in the place of their
// first byte among all that it printed.
type printed struct{ dir, kind string }

func (s *Scripts) printed(taskID string, kind beckon.ScriptKind) printed {
	return printed{filepath.Join(s.Dir, taskID), string(kind)}
}

// part is one of the files.
type part struct {
	name       string
	from, next int64
}

func (p printed) part(from int64) string {
	return filepath.Join(p.dir, fmt.Sprintf("%s.%d.log", p.kind, from))
}

// parts lists the files, the older one first.
func (p printed) parts() []part {
	list := []part{}
	names, _ := fs.Glob(os.DirFS(p.dir), p.kind+".*.log") // the pattern is valid
	for _, name := range names {
		middle := strings.TrimSuffix(strings.TrimPrefix(name, p.kind+"."), ".log")
		from, err := strconv.ParseInt(middle, 10, 64)
		name = filepath.Join(p.dir, name)
		info, statErr := os.Lstat(name)
		if err == nil && statErr == nil && info.Mode().IsRegular() {
			list = append(list, part{name, from, from + info.Size()})
		}
	}
	slices.SortFunc(list, func(a, b part) int { return int(a.from - b.from) })
	return list
}

// length is how much was printed in all.
func (p printed) length() int64 {
	if list := p.parts(); len(list) > 0 {
		return list[len(list)-1].next
	}
	return 0
}

// read returns what was printed from a place on, or the last part of it where
// there is too much in between.
func (p printed) read(from int64) (beckon.ScriptOutput, error) {
	list := p.parts()
	if len(list) == 0 {
		return beckon.ScriptOutput{}, nil
	}
	end := list[len(list)-1].next
	if from = max(from, list[0].from, end-outputMost); from > end {
		from = max(list[0].from, end-outputMost) // the command began again
	}
	out := beckon.ScriptOutput{From: from, Next: from}
	var text []byte
	for _, x := range list {
		if x.next <= from {
			continue
		}
		piece, err := readFrom(x.name, max(from-x.from, 0))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // it went meanwhile
			return out, err
		}
		text = append(text, piece...)
	}
	text = whole(text)
	out.Next += int64(len(text))
	out.Text = strings.ToValidUTF8(string(text), "\uFFFD")
	return out, nil
}

func readFrom(name string, at int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, at, partMost))
}

// whole leaves the beginning of a character at the end for the next time.
func whole(text []byte) []byte {
	for i := len(text) - 1; i >= 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return text[:i]
			}
			break
		}
	}
	return text
}

// writer keeps what a command prints.
type writer struct {
	to printed

	mu     sync.Mutex // guards what follows
	file   *os.File
	from   int64 // of the file
	length int64
	served address
}

// truncate removes what the command printed before and returns what keeps the next.
func (p printed) truncate() (*writer, error) {
	for _, x := range p.parts() {
		if err := os.Remove(x.name); err != nil {
			return nil, err
		}
	}
	w := &writer{to: p}
	return w, w.open()
}

func (w *writer) open() (err error) {
	w.from = w.length
	w.file, err = os.OpenFile(w.to.part(w.from), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	return err
}

// Write keeps what was printed.
func (w *writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.file.Write(text)
	w.length += int64(n)
	w.served.read(text[:n])
	if err == nil && w.length-w.from >= partMost {
		err = w.next()
	}
	return n, err
}

// next begins another file, and removes the one before the last.
func (w *writer) next() error {
	err := w.file.Close()
	if list := w.to.parts(); len(list) > 1 {
		err = errors.Join(err, os.Remove(list[0].name))
	}
	return errors.Join(err, w.open())
}

// seen returns how much was printed and the address in it, if any.
func (w *writer) seen() (length int64, url string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.length, w.served.url
}

// serve notes an address that was not printed.
func (w *writer) serve(url string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.served.url = cmp.Or(w.served.url, url)
}

// Close closes the file.
func (w *writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.file.Close()
}
