// Package sign finds in a line, without decoding it, whether it has one of a few fields.
//
// All are found in one pass: nearly no line has any, and a search for each of them cost
// more than all else that is done with a line. A sign may be in a place where it means
// something else, so who finds one decodes the line. The package knows the names of the
// fields and nothing of lines.
package sign

import "bytes"

// Sign is a field, or several.
type Sign uint8

// The signs.
const (
	OfSubAgent   Sign = 1 << iota // it has a parent tool call
	WithError                     // it names an error
	InBackground                  // a tool call begins a job
	OfWriting                     // a tool is called that writes a file
	sought                        // they were looked for
)

// Found is what was found in a line, nothing before the first question.
type Found struct{ signs Sign }

// Has reports whether the line has one of the signs.
func (f *Found) Has(line []byte, s Sign) bool {
	if f.signs == 0 {
		f.signs = sought | of(line)
	}
	return f.signs&s != 0
}

// of looks behind each colon: prose has few. In a string it finds nothing, whose quotes
// are escaped.
func of(line []byte) (found Sign) {
	for at := 0; ; at++ {
		n := bytes.IndexByte(line[at:], ':')
		if n < 0 {
			return found
		}
		at += n
		if at < 2 || line[at-1] != '"' || at+1 == len(line) {
			continue
		}
		name, value := line[:at], line[at+1]
		switch last := line[at-2]; {
		case last == 'r' && value == '"' && bytes.HasSuffix(name, []byte(`"error"`)):
			found |= WithError
		case last == 'd' && value == '"' && bytes.HasSuffix(name, []byte(`"parent_tool_use_id"`)):
			found |= OfSubAgent
		case last == 'e' && value == '"' && bytes.HasSuffix(name, []byte(`"name"`)) && writes(line[at+2:]):
			found |= OfWriting
		case last == 'd' && value == 't' && bytes.HasSuffix(name, []byte(`"run_in_background"`)):
			found |= InBackground
		}
	}
}

// writers are the tools that write files.
var writers = [][]byte{[]byte(`Edit"`), []byte(`Write"`), []byte(`MultiEdit"`), []byte(`NotebookEdit"`)}

// writes reports whether the name with which rest begins is that of a tool that writes.
func writes(rest []byte) bool {
	for _, tool := range writers {
		if bytes.HasPrefix(rest, tool) {
			return true
		}
	}
	return false
}
