package transcript

import (
	"strings"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// Live follows the text or thinking that the main agent is writing, from the
// parts in which it is streamed. The zero Live is ready to use.
type Live struct {
	thinking bool
	text     strings.Builder
}

// liveMost is the most that is kept of a text that is not complete, in bytes.
const liveMost = TextMost

// Add folds a partial line and returns what is being written if that has changed. Its
// text is empty once a text ends.
func (l *Live) Add(line agent.Line) (beckon.Live, bool) {
	p, ok := reader.Piece(line)
	switch {
	case !ok:
		return beckon.Live{}, false
	case p.Ends:
		return l.End()
	}
	return l.write(p)
}

func (l *Live) write(p agent.Piece) (beckon.Live, bool) {
	if p.Text == "" || l.text.Len()+len(p.Text) > liveMost {
		return beckon.Live{}, false
	}
	if l.thinking != p.Thinking {
		l.text.Reset()
		l.thinking = p.Thinking
	}
	l.text.WriteString(p.Text)
	return beckon.Live{Thinking: p.Thinking, Text: l.text.String()}, true
}

// End clears the text: a complete line has it, or it is over without.
func (l *Live) End() (beckon.Live, bool) {
	changed := l.text.Len() > 0
	l.text.Reset()
	return beckon.Live{}, changed
}
