package lenient

import (
	"bytes"
	"sync"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Text is a string that may be long, as what is said and what a tool gave back. Prose
// and code have line feeds, and a string with escapes is decoded into memory of its own
// and copied from there: Text uses that memory again.
type Text string

// scratchKept is how large a piece of that memory may be.
const scratchKept = 1 << 20

var scratch = sync.Pool{New: func() any { return new([]byte) }}

// UnmarshalJSONFrom implements [jsonv2.UnmarshalerFrom]: it reads as a string is read.
func (t *Text) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != jsontext.KindString {
		return jsonv2.UnmarshalDecode(d, (*string)(t))
	}
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		*t = Text(raw[1 : len(raw)-1])
		return nil
	}
	buf := scratch.Get().(*[]byte)
	*buf, _ = jsontext.AppendUnquote((*buf)[:0], raw) // what is no UTF-8 is replaced
	*t = Text(*buf)
	if cap(*buf) <= scratchKept {
		scratch.Put(buf)
	}
	return nil
}
