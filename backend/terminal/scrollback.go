package terminal

import "bytes"

const (
	// keptMost is how many bytes of what a terminal printed are kept.
	keptMost = 512 << 10
	// lineMost is how far the first line is looked for that is kept whole.
	lineMost = 4 << 10
)

// scrollback is the end of what a terminal printed.
type scrollback struct {
	text  []byte
	begin int64 // the place of its first byte among all that was printed
}

// end is how much was printed in all.
func (b *scrollback) end() int64 { return b.begin + int64(len(b.text)) }

// add appends text. At twice the bound the older half goes, up to the end of a line: a page
// that begins inside an escape sequence would show its rest.
func (b *scrollback) add(text []byte) {
	b.text = append(b.text, text...)
	if len(b.text) < 2*keptMost {
		return
	}
	cut := len(b.text) - keptMost
	if line := bytes.IndexByte(b.text[cut:cut+lineMost], '\n'); line >= 0 {
		cut += line + 1
	}
	kept := make([]byte, len(b.text)-cut, 2*keptMost)
	copy(kept, b.text[cut:])
	b.text, b.begin = kept, b.begin+int64(cut)
}

// from returns a copy of at most most bytes from a place on, and the place where they begin:
// later where what was there is gone.
func (b *scrollback) from(place int64, most int) (text []byte, begin int64) {
	place = min(max(place, b.begin), b.end())
	text = b.text[place-b.begin:]
	return bytes.Clone(text[:min(len(text), most)]), place
}
