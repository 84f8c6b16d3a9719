// Package runlog keeps the raw lines of a run: append-only, in one file with a
// sparse index beside it.
//
// A line that Append returned for survives Beckon's death, and one that Sync
// returned for survives the machine's. Any number may read what one writes.
// The index says where a segment of the log begins, and the totals before it; it
// is made again where it is missing or wrong. What a line says is not known
// here: Count reads it for the totals.
package runlog

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"beckon/backend/beckon"
)

// Log is the raw lines of one run, in the order in which they were appended
// and numbered from 0. One goroutine at a time may append; any number may read
// meanwhile.
type Log struct {
	file  *os.File
	index *os.File // nil where the log was opened for reading
	count Count

	// Of Append and Sync.
	writing sync.Mutex
	next    indexer
	saved   int // rows that the index file has
	buf     []byte

	mu  sync.Mutex
	now View
}

// Append puts bigger chunks into the file piece by piece, and does not keep a
// buffer that a huge line has grown.
const bufferKept = 1 << 20

// Dir is where a data folder has its transcripts.
func Dir(data string) string { return filepath.Join(data, "transcripts") }

// Open opens the log of a run in dir for appending, and creates both if need
// be. What a crash left behind is made whole: a line that was cut short
// becomes a line of its own, and an index that lags behind is completed.
func Open(dir, runID string, count Count) (*Log, error) {
	path, err := logPath(dir, runID)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := &Log{count: count}
	if l.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if l.index, err = os.OpenFile(indexPath(path), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		l.file.Close()
		return nil, err
	}
	if err := l.recover(path); err != nil {
		l.index.Close()
		l.file.Close()
		return nil, fmt.Errorf("open transcript %s: %w", runID, err)
	}
	return l, nil
}

// OpenRead opens an existing log for reading alone and changes nothing on
// disk. It sees what was there when it was called. A run that never wrote has
// none: fs.ErrNotExist.
func OpenRead(dir, runID string, count Count) (*Log, error) {
	path, err := logPath(dir, runID)
	if err != nil {
		return nil, err
	}
	l := &Log{count: count}
	if l.file, err = os.Open(path); err != nil {
		return nil, err
	}
	if _, err := l.load(path); err != nil {
		l.file.Close()
		return nil, fmt.Errorf("open transcript %s: %w", runID, err)
	}
	return l, nil
}

// Remove deletes the log of a run; one that is not there is gone already.
func Remove(dir, runID string) error {
	path, err := logPath(dir, runID)
	if err != nil {
		return err
	}
	for _, name := range []string{indexPath(path), path} {
		if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// SetAside renames the log of a run that cannot be read, so that the run has
// none, and returns its new path.
func SetAside(dir, runID string) (aside string, err error) {
	path, err := logPath(dir, runID)
	if err != nil {
		return "", err
	}
	if err := os.Remove(indexPath(path)); err != nil && !os.IsNotExist(err) {
		return "", err
	}
	return path + ".unreadable", os.Rename(path, path+".unreadable")
}

// logPath keeps a run's id from naming anything but a file of dir.
func logPath(dir, runID string) (string, error) {
	name := runID + ".ndjson"
	if runID == "" || filepath.Base(name) != name || !filepath.IsLocal(name) {
		return "", fmt.Errorf("transcript of run %q: %w", runID, beckon.ErrInvalid)
	}
	return filepath.Join(dir, name), nil
}

func indexPath(path string) string { return path[:len(path)-len(".ndjson")] + ".idx" }

// load brings the index in step with the log, in memory, and tells how many of
// its rows the file has.
func (l *Log) load(path string) (saved int, err error) {
	info, err := l.file.Stat()
	if err != nil {
		return 0, err
	}
	found, err := readIndex(indexPath(path), l.file, info.Size())
	if err != nil {
		return 0, err
	}
	saved = found.len()
	l.next = indexerAt(found, l.count)
	// The last segment is read again, since only its beginning is known. It
	// keeps the time it had; what follows it in a lagging index is as old, as
	// far as anybody knows.
	var at int64
	if saved > 0 {
		at = found.at(saved - 1).at
	}
	for line, err := range scan(l.file, l.next.offset, info.Size(), l.count.May) {
		if err != nil {
			return 0, err
		}
		l.next.add(at, line.raw, line.size+1)
	}
	l.now = View{l.file, l.next.rows, info.Size(), l.next.line, l.next.offset > info.Size()}
	return min(saved, l.next.rows.len()), nil
}

// recover loads the log, ends a line that was cut short, and completes the
// index file.
func (l *Log) recover(path string) error {
	saved, err := l.load(path)
	if err != nil {
		return err
	}
	if l.next.offset > l.now.size {
		if _, err := l.file.WriteAt([]byte{'\n'}, l.now.size); err != nil {
			return err
		}
		l.now.size, l.now.cut = l.next.offset, false
	}
	if err := l.index.Truncate(indexOffset(saved)); err != nil {
		return err
	}
	if _, err := l.index.WriteAt([]byte(indexMagic), 0); err != nil {
		return err
	}
	l.saved = saved
	return l.saveIndex()
}

func indexOffset(rows int) int64 { return int64(len(indexMagic) + rows*rowSize) }

// saveIndex writes the rows that the index file lacks.
func (l *Log) saveIndex() error {
	all := l.next.rows
	if l.saved == all.len() {
		return nil
	}
	if _, err := l.index.WriteAt(all[l.saved*rowSize:], indexOffset(l.saved)); err != nil {
		return err
	}
	l.saved = all.len()
	return nil
}

// Append adds lines, which hold no line feed, and returns the number of the
// first. at is their time. They are in the file when it returns, by one write
// unless they are huge. On an error none of them is in the log.
func (l *Log) Append(at int64, lines [][]byte) (first int64, err error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	before := l.next
	for _, line := range lines {
		l.next.add(at, line, int64(len(line))+1)
	}
	err = l.write(before.offset, lines)
	if err == nil {
		err = l.saveIndex()
	}
	if err != nil {
		l.undoAppend(before)
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.rows, l.now.size, l.now.end = l.next.rows, l.next.offset, l.next.line
	return before.line, nil
}

// write puts lines at offset. Lines that do not fit the buffer go past it.
func (l *Log) write(offset int64, lines [][]byte) error {
	l.buf = l.buf[:0]
	for _, line := range lines {
		if len(l.buf)+len(line) < bufferKept {
			l.buf = append(append(l.buf, line...), '\n')
			continue
		}
		for _, piece := range [][]byte{l.buf, line} {
			if _, err := l.file.WriteAt(piece, offset); err != nil {
				return err
			}
			offset += int64(len(piece))
		}
		l.buf = append(l.buf[:0], '\n')
	}
	_, err := l.file.WriteAt(l.buf, offset)
	return err
}

// undoAppend undoes an Append that did not succeed.
func (l *Log) undoAppend(before indexer) {
	l.next = before
	l.saved = min(l.saved, before.rows.len())
	// Should these fail as well, the next Append writes over what is there,
	// and Open drops what lies behind it.
	_ = l.file.Truncate(before.offset)
	_ = l.index.Truncate(indexOffset(l.saved))
}

// Len is the number of lines.
func (l *Log) Len() int64 { return l.View().end }

// Whole is the number of lines that ended. OpenRead may meet one that is being
// written, or that a crash cut short.
func (l *Log) Whole() int64 {
	v := l.View()
	if v.cut {
		return v.end - 1
	}
	return v.end
}

// Size is the log's in bytes.
func (l *Log) Size() int64 { return l.View().size }

// Sync makes what was appended survive a crash of the machine. The index needs
// none, since Open completes it.
func (l *Log) Sync() error {
	l.writing.Lock()
	defer l.writing.Unlock()
	return l.file.Sync()
}

// Close closes the log's files.
func (l *Log) Close() error {
	if l.index != nil {
		l.index.Close() // Open completes what it lacks
	}
	return l.file.Close()
}
