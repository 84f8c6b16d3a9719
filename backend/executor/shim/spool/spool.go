// Package spool keeps lines in files until they are acknowledged, as many bytes as
// its bound; then its writer waits. Nothing is dropped, no line is cut, and a
// reader may begin at any line that is kept. It takes a file at a time, so that
// what is kept costs no memory. It does not know what the lines say.
package spool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// Spool is one; a line alone may be longer than its bound.
type Spool struct {
	dir   string
	bound int64

	mu      sync.Mutex
	changed chan struct{} // closed when any of the following is not what it was
	files   []*segment    // the last is written to
	lines   int64         // that are whole
	acked   int64
	midLine bool // the newest line is not whole
	closed  bool
}

// ErrUnknown says that a line is not kept: it was acknowledged, or never written.
var ErrUnknown = errors.New("that line is not kept")

// segment is a file of whole lines, but for the last of the newest.
type segment struct {
	file  *os.File
	first int64 // the number of its first line
	bytes int64
}

// New returns a spool in a folder that has none.
func New(dir string, bound int64) (*Spool, error) {
	s := &Spool{dir: dir, bound: bound, changed: make(chan struct{})}
	return s, s.rotate()
}

// rotate begins another file. The caller holds mu, or is alone.
func (s *Spool) rotate() error {
	f, err := os.OpenFile(filepath.Join(s.dir, fmt.Sprintf("out-%d", s.lines+1)), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	s.files = append(s.files, &segment{file: f, first: s.lines + 1})
	return nil
}

// wakeWaiters wakes those that wait. The caller holds mu.
func (s *Spool) wakeWaiters() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Write keeps what the agent printed. Between two lines it waits for room.
func (s *Spool) Write(ctx context.Context, text []byte) error {
	for len(text) > 0 {
		piece := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			piece = text[:i+1]
		}
		if err := s.writePiece(ctx, piece); err != nil {
			return err
		}
		text = text[len(piece):]
	}
	return nil
}

func (s *Spool) writePiece(ctx context.Context, piece []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.midLine && s.held() >= s.bound && s.acked < s.lines {
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		s.mu.Lock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	now := s.files[len(s.files)-1]
	if !s.midLine && now.bytes >= s.bound/4 {
		if err := s.rotate(); err != nil {
			return err
		}
		now = s.files[len(s.files)-1]
		if err := s.drop(); err != nil {
			return err
		}
	}
	if _, err := now.file.WriteAt(piece, now.bytes); err != nil {
		return err
	}
	now.bytes += int64(len(piece))
	if s.midLine = piece[len(piece)-1] != '\n'; !s.midLine {
		s.lines++
	}
	s.wakeWaiters()
	return nil
}

func (s *Spool) held() (n int64) {
	for _, f := range s.files {
		n += f.bytes
	}
	return n
}

// Close says that nothing more comes. Half a line at the end is a line.
func (s *Spool) Close(ctx context.Context) (lines int64, err error) {
	s.mu.Lock()
	half := s.midLine
	s.mu.Unlock()
	if half {
		err = s.Write(ctx, []byte("\n"))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.wakeWaiters()
	return s.lines, err
}

// Ack says that lines up to n will not be asked for again.
func (s *Spool) Ack(n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > s.lines {
		return fmt.Errorf("line %d of %d was acknowledged: %w", n, s.lines, ErrUnknown)
	}
	s.acked = max(s.acked, n)
	s.wakeWaiters()
	return s.drop()
}

// drop removes the files that are not needed. The caller holds mu.
func (s *Spool) drop() (errs error) {
	for len(s.files) > 1 && s.files[1].first <= s.acked+1 {
		errs = errors.Join(errs, s.files[0].file.Close(), os.Remove(s.files[0].file.Name()))
		s.files = s.files[1:]
	}
	return errs
}

// Cursor is a place in the spool. Its file stays readable while it is not
// acknowledged.
type Cursor struct {
	spool *Spool
	first int64 // line of the file
	at    int64 // byte in it
	n     int64 // number of the line that comes next
}

// From returns the place where a line begins. What was acknowledged is no more.
func (s *Spool) From(n int64) (*Cursor, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n <= s.acked || n > s.lines+1 {
		return nil, fmt.Errorf("line %d is wanted of %d to %d: %w", n, s.acked+1, s.lines+1, ErrUnknown)
	}
	f := s.files[0]
	for _, next := range s.files[1:] {
		if next.first <= n {
			f = next
		}
	}
	at, err := skipLines(io.NewSectionReader(f.file, 0, f.bytes), n-f.first)
	return &Cursor{s, f.first, at, n}, err
}

// skipLines returns how long the first lines are.
func skipLines(r io.Reader, lines int64) (at int64, err error) {
	buffer := make([]byte, 32<<10)
	for lines > 0 {
		n, err := r.Read(buffer)
		text := buffer[:n]
		for lines > 0 {
			i := bytes.IndexByte(text, '\n')
			if i < 0 {
				break
			}
			text, at, lines = text[i+1:], at+int64(i)+1, lines-1
		}
		if lines > 0 {
			at += int64(len(text))
		}
		if err != nil && lines > 0 {
			return at, err
		}
	}
	return at, nil
}

// Next returns what comes next, as much as fits into buffer and is of one file, and
// waits for it. io.EOF: nothing more will come.
func (c *Cursor) Next(ctx context.Context, buffer []byte) ([]byte, error) {
	for {
		text, changed, err := c.read(buffer)
		if err != nil || len(text) > 0 {
			c.n += int64(bytes.Count(text, []byte("\n")))
			return text, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// read reads what is there, from the next file where one is read through.
func (c *Cursor) read(buffer []byte) (text []byte, changed <-chan struct{}, err error) {
	s := c.spool
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.files {
		switch {
		case f.first != c.first:
			continue
		case c.at < f.bytes:
			n, err := f.file.ReadAt(buffer[:min(int64(len(buffer)), f.bytes-c.at)], c.at)
			c.at += int64(n)
			return buffer[:n], nil, err
		case i+1 < len(s.files):
			c.first, c.at = s.files[i+1].first, 0
			continue
		case s.closed:
			return nil, nil, io.EOF
		}
		return nil, s.changed, nil
	}
	// The file was acknowledged, and with it all that was read of it.
	if c.n == s.files[0].first {
		c.first, c.at = c.n, 0
		return nil, closedChannel, nil
	}
	return nil, nil, fmt.Errorf("line %d: %w", c.n, os.ErrClosed)
}

var closedChannel = func() chan struct{} { c := make(chan struct{}); close(c); return c }()
