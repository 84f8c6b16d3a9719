package scripted

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"beckon/backend/beckon"
)

// object is a JSON object whose keys keep their order: name, value, name, ….
// The CLI's lines begin with their type, and readers count on it.
type object []any

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i < len(o); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(o[i])
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(o[i+1])
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// output writes the agent's lines. Each is out before the next step begins,
// but for a flood's.
type output struct {
	mu   sync.Mutex // guards what follows
	w    *bufio.Writer
	name string // of the session
}

func newOutput(w io.Writer, session string) *output {
	return &output{w: bufio.NewWriterSize(w, 1<<20), name: session}
}

// session returns the id of the present conversation, and rename begins
// another.
func (o *output) session() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.name
}

func (o *output) rename(session string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.name = session
}

func (o *output) line(v object) { o.raw(encode(v)) }

// encode leaves <, > and & alone, as the CLI does.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // of values that were decoded or made here
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func (o *output) raw(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.putLine(line)
	_ = o.w.Flush() // a reader that is gone will close stdin too
}

func (o *output) putLine(line []byte) {
	_, _ = o.w.Write(line)
	_ = o.w.WriteByte('\n')
}

// count puts the number where from is.
func count(line []byte, from, to int) {
	old, next := fmt.Appendf(nil, "%0*d", len(number), from), fmt.Appendf(nil, "%0*d", len(number), to)
	for rest := line; ; {
		i := bytes.Index(rest, old)
		if i < 0 {
			return
		}
		rest = rest[i+copy(rest[i:], next):]
	}
}

// system writes a system line.
func (o *output) system(subtype string, fields ...any) {
	line := append(object{"type", "system", "subtype", subtype}, fields...)
	o.line(append(line, "uuid", beckon.NewUUID(), "session_id", o.session()))
}

// user records and writes a user line; extra fields come last.
func (o *output) user(content any, uuid string, extra ...any) {
	line := o.userLine(content, uuid, extra...)
	o.record(line)
	o.raw(line)
}

func (o *output) userLine(content any, uuid string, extra ...any) []byte {
	line := object{
		"type", "user", "message",
		object{"role", "user", "content", content},
		"session_id", o.session(),
		"parent_tool_use_id", nil, "uuid", uuid, "timestamp", time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	return encode(append(line, extra...))
}

// assistant returns an assistant line with one content block.
func (o *output) assistant(message string, block any, model string, extra ...any) []byte {
	line := object{
		"type", "assistant", "message",
		object{
			"content",
			[]any{block},
			"id", message, "model", model, "role", "assistant", "stop_reason", nil,
			"stop_sequence", nil, "type", "message", "usage", usage(1), "context_management", nil,
		},
		"parent_tool_use_id", nil, "session_id", o.session(), "uuid", beckon.NewUUID(),
	}
	return encode(append(line, extra...))
}

// event writes a stream_event line.
func (o *output) event(fields ...any) {
	o.line(object{
		"type", "stream_event", "event", object(fields), "session_id", o.session(),
		"parent_tool_use_id", nil, "uuid", beckon.NewUUID(),
	})
}

// usage is what each request to the API takes; so many tokens come out.
func usage(out int) object {
	return object{
		"cache_creation_input_tokens", 0, "cache_read_input_tokens", 0, "input_tokens", tokensIn,
		"output_tokens", out, "service_tier", "standard",
	}
}

// What a request to the API takes in, gives out and costs, and how much of the
// input /compact leaves.
const (
	tokensCompacted = 400
	tokensIn        = 1000
	tokensOut       = 50
	costRequest     = 0.00625
)
