package process

import (
	"errors"
	"sync"
)

// MostSide bounds the rows and the columns of a terminal.
const MostSide = 1000

// inputMost is how many bytes may wait for a program that does not read its terminal.
const inputMost = 1 << 20

// ErrFull is returned by Terminal.Write while the program does not read.
var ErrFull = errors.New("the program in the terminal does not read what is typed")

// Size is that of a terminal, in cells.
type Size struct{ Cols, Rows int }

// bounded returns the nearest size that a terminal can have.
func (s Size) bounded() Size {
	return Size{Cols: min(max(s.Cols, 2), MostSide), Rows: min(max(s.Rows, 1), MostSide)}
}

// Terminal is a child whose standard files are a terminal of its own. Its methods may be
// called from any goroutine.
type Terminal struct {
	*Child
	console // the system's terminal

	mu      sync.Mutex // guards what follows
	pending [][]byte
	waiting int // bytes of pending
	closed  bool
	kick    chan struct{}
}

func newTerminal(child *Child, c console) *Terminal {
	t := &Terminal{Child: child, console: c, kick: make(chan struct{}, 1)}
	go t.typeIn()
	return t
}

// Write has the program read text, after what was written before. It keeps a copy and returns
// at once; ErrFull says that too much waits already, and that nothing of text was taken.
func (t *Terminal) Write(text []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting+len(text) > inputMost {
		return ErrFull
	}
	t.pending, t.waiting = append(t.pending, append([]byte(nil), text...)), t.waiting+len(text)
	t.wake()
	return nil
}

// Close gives up the terminal, which the child is to have left.
func (t *Terminal) Close() error {
	t.mu.Lock()
	t.closed = true
	t.wake()
	t.mu.Unlock()
	return t.close()
}

func (t *Terminal) wake() {
	select {
	case t.kick <- struct{}{}:
	default:
	}
}

// typeIn passes on what is written, in its own goroutine: a program that does not read
// blocks the write.
func (t *Terminal) typeIn() {
	for range t.kick {
		for {
			t.mu.Lock()
			if t.closed {
				t.mu.Unlock()
				return
			}
			if len(t.pending) == 0 {
				t.mu.Unlock()
				break
			}
			text := t.pending[0]
			t.pending = t.pending[1:]
			t.mu.Unlock()
			if _, err := t.write(text); err != nil {
				return // the terminal is closed, or nobody has it open
			}
			t.mu.Lock()
			t.waiting -= len(text)
			t.mu.Unlock()
		}
	}
}
