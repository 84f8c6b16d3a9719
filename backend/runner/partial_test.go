package main

import (
	"fmt"
	"sync"
	"testing"

	"beckon/backend/beckon"
)

// reader is a client that shows transcripts.
type reader struct {
	mu      sync.Mutex
	writing string   // what it shows as being written
	texts   []string // all that it showed so
}

func (r *reader) apply(f beckon.Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range f.Events {
		if e.Live != nil {
			r.writing = e.Live.Text
			r.texts = append(r.texts, e.Live.Text)
		}
	}
}

func (r *reader) shows() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.writing
}

// streamed is a script's step that streams a part of a text.
func streamed(event string) string {
	return `say {"type":"stream_event","event":` + event + `,"parent_tool_use_id":null,"session_id":"s","uuid":"u"}` + "\n"
}

func delta(text string) string {
	return streamed(fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`, text))
}

// TestWhoOpensAnAgentInMidSentenceReadsAllOfIt: also the part that was written
// while nobody looked; and a sentence that the agent could not end is taken
// away with it.
func TestWhoOpensAnAgentInMidSentenceReadsAllOfIt(t *testing.T) {
	t.Parallel()
	d := start(t, streamed(`{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}`)+
		streamed(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)+
		delta("Half a ")+
		streamed(`{"type":"message_delta","delta":{},"usage":{"output_tokens":7777}}`)+
		"expect go\n"+delta("sentence")+"expect die\nkill\n")
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Writes", Status: beckon.Running})
	if err != nil {
		t.Fatal(err)
	}
	d.until("it has begun to write", func() bool { return d.runs[task.ID].Spent.Tokens >= 7777 })
	var r reader
	defer d.p.feed.Attach("reader", r.apply)()
	if err := d.Watch("reader", []string{task.ID}); err != nil {
		t.Fatal(err)
	}
	d.until("what was written before is shown", func() bool { return r.shows() == "Half a " })
	d.post(task.ID, "go", beckon.Steer)
	d.until("what follows is shown with it", func() bool { return r.shows() == "Half a sentence" })
	d.post(task.ID, "die", beckon.Steer)
	d.ended(task.ID)
	d.until("the half sentence is gone", func() bool { return r.shows() == "" })
}
