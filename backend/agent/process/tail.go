package process

import "sync"

// Tail is an io.Writer that keeps the end of what is written to it, however much that
// is. It may be read meanwhile.
type Tail struct {
	Most int // how many bytes are kept

	mu  sync.Mutex // guards buf
	buf []byte
}

// Write implements io.Writer. It holds at most twice what is kept.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p[max(0, len(p)-t.Most):]...)
	if len(t.buf) > 2*t.Most {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.Most:]...)
	}
	return len(p), nil
}

// String returns what is kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(0, len(t.buf)-t.Most):])
}
