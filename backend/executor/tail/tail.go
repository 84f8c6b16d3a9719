// Package tail keeps the end of what is written to it, however much that is.
package tail

// Tail is an io.Writer. Its user sees to it that it is read only when nobody writes.
type Tail struct {
	Most int // how many bytes are kept
	text []byte
}

func (t *Tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - t.Most; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *Tail) String() string { return string(t.text) }
