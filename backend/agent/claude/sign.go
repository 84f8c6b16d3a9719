package claude

import "bytes"

// sign is a field of a line, or several, found without decoding it.
//
// All are found in one pass: nearly no line has any, and a search for each of them cost
// more than all else that is done with a line. A sign may be in a place where it means
// something else, so the caller that finds one decodes the line.
type sign uint8

const (
	ofSubAgent   sign = 1 << iota // it has a parent tool call
	withError                     // it names an error
	inBackground                  // a tool call begins a job
	ofWriting                     // a tool is called that writes a file
	sought                        // they were looked for
)

// signs are what was found in a line, nothing before the first question.
type signs struct{ found sign }

// has reports whether the line has one of the signs.
func (s *signs) has(line []byte, of sign) bool {
	if s.found == 0 {
		s.found = sought | signsIn(line)
	}
	return s.found&of != 0
}

// signsIn looks behind each colon: prose has few. In a string it finds nothing, whose quotes
// are escaped.
func signsIn(line []byte) (found sign) {
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
			found |= withError
		case last == 'd' && value == '"' && bytes.HasSuffix(name, []byte(`"parent_tool_use_id"`)):
			found |= ofSubAgent
		case last == 'e' && value == '"' && bytes.HasSuffix(name, []byte(`"name"`)) && writesFile(line[at+2:]):
			found |= ofWriting
		case last == 'd' && value == 't' && bytes.HasSuffix(name, []byte(`"run_in_background"`)):
			found |= inBackground
		}
	}
}

// writers are the tools that write files.
var writers = [][]byte{[]byte(`Edit"`), []byte(`Write"`), []byte(`MultiEdit"`), []byte(`NotebookEdit"`)}

// writesFile reports whether the name with which rest begins is that of a tool that writes.
func writesFile(rest []byte) bool {
	for _, tool := range writers {
		if bytes.HasPrefix(rest, tool) {
			return true
		}
	}
	return false
}
