package view

import (
	"bytes"
	"sync"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// partsMost is how many bytes of the stream are kept before they are decoded
// although nobody watches.
const partsMost = 256 << 10

// text is what the agent is writing. While nobody watches, the parts are kept
// as they came and not decoded, which would cost more than all else.
type text struct {
	mu    sync.Mutex
	live  transcript.Live
	now   beckon.Live
	parts []agent.Line // that live does not have yet
	size  int          // bytes of parts
}

// AddPart follows the text being written by a part of it.
func (v *View) AddPart(line agent.Line, part agent.Part) {
	watched := v.clients.Watched(v.taskID)
	v.change(func(t *text) {
		if watched {
			t.decode()
			t.addLine(line)
		} else {
			t.keepPart(line, part)
		}
	}, watched)
}

// EndPart notes that a complete line came, which has the text itself or ends its turn, or is
// a sub-agent's.
func (v *View) EndPart(ofSubAgent bool) {
	v.change(func(t *text) {
		if ofSubAgent {
			return
		}
		t.parts, t.size = nil, 0
		if now, changed := t.live.End(); changed {
			t.now = now
		}
	}, true)
}

// ShowText shows the text as it is now, to a client that begins to watch and
// has missed its beginning.
func (v *View) ShowText() {
	v.text.mu.Lock()
	defer v.text.mu.Unlock()
	if v.text.decode(); v.text.now.Text != "" {
		v.publishText(v.text.now)
	}
}

// DropText takes the text back: an agent that was killed does not end it.
func (v *View) DropText() {
	v.text.mu.Lock()
	defer v.text.mu.Unlock()
	v.text.live, v.text.now, v.text.parts, v.text.size = transcript.Live{}, beckon.Live{}, nil, 0
	v.publishText(v.text.now)
}

// change changes the text, and publishes it where it is shown and became
// another. The lock is held until then, so that the last one published is the
// newest.
func (v *View) change(how func(*text), shown bool) {
	v.text.mu.Lock()
	defer v.text.mu.Unlock()
	before := v.text.now
	if how(&v.text); shown && v.text.now != before {
		v.publishText(v.text.now)
	}
}

func (v *View) publishText(now beckon.Live) {
	now.RunID = v.runID
	v.clients.Publish(beckon.Event{Live: &now, TaskID: v.taskID})
}

// keepPart keeps a part that nobody watches.
func (t *text) keepPart(line agent.Line, part agent.Part) {
	if part.SubAgent {
		return // it is not shown
	}
	if part.First {
		t.parts, t.size = nil, 0 // another text begins
	}
	t.parts = append(t.parts, agent.Raw(bytes.Clone(line.Bytes())))
	if t.size += len(line.Bytes()); t.size > partsMost {
		t.decode()
	}
}

// decode takes what was kept.
func (t *text) decode() {
	for _, line := range t.parts {
		t.addLine(line)
	}
	t.parts, t.size = nil, 0
}

func (t *text) addLine(line agent.Line) {
	if now, changed := t.live.Add(line); changed {
		t.now = now
	}
}
