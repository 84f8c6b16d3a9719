package observe

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/lines"
)

// reader cuts what is new of session files into lines, one file after the other. Lines
// that are too long are left out.
type reader struct{ *lines.Reader }

func newReader() reader { return reader{lines.NewPlain(LineMost)} }

// read gives to each the whole lines of a file that were not read yet, and calls
// begin before those of a file that it reads for the first time.
func (r reader) read(t *FileTail, root *os.Root, begin func(), each func(raw []byte)) error {
	return t.Read(root, begin, func(from io.Reader) error {
		r.Reset(from)
		for {
			batch, err := r.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			for _, l := range batch {
				if l.Kind != claude.LongLine {
					each(l.Raw)
				}
			}
		}
	})
}

// Pages reads the file of one session for those who show what is said in it.
// One goroutine at a time may use it.
type Pages struct {
	// Look is how many bytes before the end of a file the first look begins.
	Look int64

	tail   FileTail
	reader reader
}

// Next returns the whole lines that the session's file got since it was last called,
// and none where there is no file yet.
func (p *Pages) Next(s Session) ([][]byte, error) {
	if s.File == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		return nil, err
	}
	if p.tail.Name != s.File {
		p.tail = FileTail{Name: s.File, Look: p.Look} // after /clear or --resume
	}
	if p.reader.Reader == nil {
		p.reader = newReader()
	}
	var fresh [][]byte
	err = p.reader.read(&p.tail, root, func() {}, func(raw []byte) { fresh = append(fresh, bytes.Clone(raw)) })
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // the CLI writes it with the first message
	}
	return fresh, errors.Join(err, root.Close())
}
