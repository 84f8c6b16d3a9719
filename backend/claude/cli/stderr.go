package cli

import "sync"

// stderrKept is how much of the end of stderr is kept for the error report.
const stderrKept = 64 << 10

// tail is a Writer that keeps the last stderrKept bytes.
type tail struct {
	mu  sync.Mutex // guards buf
	buf []byte
}

// Write implements io.Writer. It holds at most twice what is kept.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p[max(0, len(p)-stderrKept):]...)
	if len(t.buf) > 2*stderrKept {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-stderrKept:]...)
	}
	return len(p), nil
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(0, len(t.buf)-stderrKept):])
}
