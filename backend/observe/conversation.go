package observe

import (
	"bytes"
	"slices"

	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/plain"
	"beckon/backend/transcript/runlog"
)

// Limits on what a file can make this program keep.
const (
	callsMost = 64      // without a result, of one file
	textMost  = 4 << 10 // of the last message
	wordsMost = 16 << 10
)

// conversation is what was read of one file: what is open, what came of what was
// open, and what was said last.
type conversation struct {
	calls
	settled map[string]sessionfile.Result // of calls that were open
	last    Message
	spoken  []byte // a line of the assistant's that is decoded when it is the last
}

// The marks of lines that must be decoded. Within a string the quotes would be
// escaped.
var (
	useMark    = []byte(`"type":"tool_use"`)
	resultMark = []byte(`"tool_result"`)
)

// add takes in a line.
func (c *conversation) add(raw []byte) {
	switch kind := sessionfile.KindOf(raw); {
	case kind == sessionfile.Skipped:
	case kind == sessionfile.Spoken && !bytes.Contains(raw, useMark) && !bytes.Contains(raw, resultMark):
		c.spoken = append(c.spoken[:0], raw...)
	case kind == sessionfile.Given && bytes.Contains(raw, resultMark) && !c.mentions(raw):
	default:
		if line, err := sessionfile.Decode(raw); err == nil {
			c.addLine(line)
		}
	}
}

// mentions reports whether a line may have the result of an open call.
func (c *conversation) mentions(raw []byte) bool {
	return slices.ContainsFunc(c.open, func(o call) bool { return bytes.Contains(raw, []byte(`"`+o.ID+`"`)) })
}

func (c *conversation) addLine(line sessionfile.Line) {
	for _, made := range line.Calls {
		c.begin(made, line.At)
	}
	for _, r := range line.Results {
		c.end(r)
	}
	switch {
	case line.Prompt:
		c.supersede(line.At)
		if line.SaidByPerson() {
			c.say(line, true)
		}
	case line.Kind == sessionfile.Spoken && line.Text != "":
		c.say(line, false)
	}
}

// begin notes a call. The oldest go when a file has too many.
func (c *conversation) begin(made sessionfile.Call, at int64) {
	if made.ID == "" || slices.ContainsFunc(c.open, func(o call) bool { return o.ID == made.ID }) {
		return
	}
	made.Tool = sessionfile.Label(made.Tool)
	made.Input = bytes.Clone(runlog.ShortenLine(made.Input)) // the line's buffer is used again
	c.open = append(c.open, call{Call: made, at: at})
	if len(c.open) > callsMost {
		c.open = slices.Delete(c.open, 0, 1)
	}
}

// end notes what came of a call.
func (c *conversation) end(r sessionfile.Result) {
	i := slices.IndexFunc(c.open, func(o call) bool { return o.ID == r.CallID })
	if i < 0 {
		return
	}
	c.open = slices.Delete(c.open, i, i+1)
	r.Words = plain.Cut(r.Words, wordsMost)
	for i := range r.Answers {
		r.Answers[i].Question, r.Answers[i].Answer = plain.Cut(r.Answers[i].Question, wordsMost), plain.Cut(r.Answers[i].Answer, wordsMost)
	}
	if c.settled == nil || len(c.settled) > callsMost {
		c.settled = map[string]sessionfile.Result{}
	}
	c.settled[r.CallID] = r
}

// supersede ends the calls that were made before a prompt: the turn that they
// belong to is over, even where the CLI wrote no result, as after a kill. Lines
// come out of order, so that their times decide.
func (c *conversation) supersede(at int64) {
	c.open = slices.DeleteFunc(c.open, func(o call) bool { return o.at < at })
}

func (c *conversation) say(line sessionfile.Line, user bool) {
	if line.At >= c.last.At {
		c.last = Message{Text: plain.Cut(line.Text, textMost), User: user, At: line.At}
	}
}

// catchUp decodes what was said last, once for all lines that came together.
func (c *conversation) catchUp() {
	if len(c.spoken) == 0 {
		return
	}
	if line, err := sessionfile.Decode(c.spoken); err == nil {
		c.addLine(line)
	}
	c.spoken = c.spoken[:0]
	if cap(c.spoken) > 1<<20 {
		c.spoken = nil
	}
}
