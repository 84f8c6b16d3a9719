package runner

import (
	"bytes"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// partialMost is how many bytes of the stream are kept before they are decoded
// although nobody watches.
const partialMost = 256 << 10

// partial is the text that an agent is writing. While nobody watches, the parts
// are kept as they came and not decoded, which would cost more than all else.
type partial struct {
	mu   sync.Mutex
	live transcript.Live
	text beckon.Live
	raw  [][]byte // that live does not have yet
	size int      // bytes of raw
}

// add takes a part, and returns the text where it has changed and is watched.
func (p *partial) add(raw []byte, watched bool) (beckon.Live, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if watched {
		before := p.text
		p.decode()
		p.take(raw)
		return p.text, p.text != before
	}
	if bytes.Contains(raw, []byte(`"parent_tool_use_id":"`)) {
		return beckon.Live{}, false // a sub-agent's, which is not shown
	}
	if bytes.Contains(raw, []byte(`"content_block_start"`)) {
		p.raw, p.size = nil, 0 // another text begins
	}
	p.raw = append(p.raw, bytes.Clone(raw))
	if p.size += len(raw); p.size > partialMost {
		p.decode()
	}
	return beckon.Live{}, false
}

// end takes a complete line, which has the text itself or ends its turn.
func (p *partial) end(raw []byte) (beckon.Live, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !bytes.Contains(raw, []byte(`"parent_tool_use_id":"`)) {
		p.raw, p.size = nil, 0
	}
	before := p.text
	p.take(raw)
	return p.text, p.text != before
}

// watched returns the text as it is now, for who begins to watch.
func (p *partial) watched() beckon.Live {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.decode()
	return p.text
}

// stop drops the text.
func (p *partial) stop() beckon.Live {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live, p.text, p.raw, p.size = transcript.Live{}, beckon.Live{}, nil, 0
	return p.text
}

// decode takes what was kept. The caller holds mu, as that of take does.
func (p *partial) decode() {
	for _, raw := range p.raw {
		p.take(raw)
	}
	p.raw, p.size = nil, 0
}

func (p *partial) take(raw []byte) {
	if text, changed := p.live.Add(raw); changed {
		p.text = text
	}
}

// Watching shows what the agents of those tasks are writing: a client that
// begins to watch has missed its beginning.
func (r *Runner) Watching(taskIDs []string) {
	for _, id := range taskIDs {
		l := r.liveRun(id)
		if l == nil {
			continue
		}
		if text := l.partial.watched(); text.Text != "" {
			l.publishPartial(text)
		}
	}
}
