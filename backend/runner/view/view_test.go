package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// watchers are the clients of one view.
type watchers struct {
	watch  bool
	events []beckon.Event
}

func (w *watchers) view(t *testing.T) *View {
	t.Helper()
	v := New("task", "run", Clients{
		Publish: func(e beckon.Event) { w.events = append(w.events, e) },
		Watched: func(string) bool { return w.watch },
		Count:   func() int { return 1 },
	})
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func said(text string) []byte {
	return fmt.Appendf(nil, `{"type":"assistant","message":{"role":"assistant","id":"m","content":[{"type":"text","text":%q}]},"parent_tool_use_id":null,"session_id":"s","uuid":"u"}`, text)
}

// TestWhatTheLogDidNotTakeComesBeforeWhatFollows: a disk that was full for a
// moment loses no line and no order.
func TestWhatTheLogDidNotTakeComesBeforeWhatFollows(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(*View) error{
		"by the next line": func(v *View) error { return v.Append(agent.Raw(said("second"))) },
		"at the end":       (*View).Flush,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &watchers{watch: true}
			v := w.view(t)
			if err := v.Open(t.TempDir()); err != nil {
				t.Fatal(err)
			}
			v.Keep([]agent.Line{agent.Raw(said("first"))})
			if err := write(v); err != nil {
				t.Fatal(err)
			}
			span, err := transcript.Around(v.Log(), -1, 10, 0)
			if err != nil || len(span.Entries) == 0 || span.Entries[0].Text != "first" {
				t.Errorf("the transcript has %+v, %v", span.Entries, err)
			}
		})
	}
}

func TestLinesWithoutRoomAreKeptUpToALimit(t *testing.T) {
	t.Parallel()
	w := &watchers{}
	v := w.view(t)
	line := []byte(strings.Repeat("x", unwrittenMost/4))
	v.Keep([]agent.Line{agent.Raw(line), agent.Raw(line), agent.Raw(line)})
	v.Keep([]agent.Line{agent.Raw(line), agent.Raw(line)})
	if n := len(v.unwritten); n != 4 {
		t.Errorf("%d lines are kept, want as many as fit into the limit, 4", n)
	}
}

// TestAClientThatBeginsToWatchHasTheTextFromItsBeginning although nobody
// watched while it was written.
func TestAClientThatBeginsToWatchHasTheTextFromItsBeginning(t *testing.T) {
	t.Parallel()
	w := &watchers{}
	v := w.view(t)
	part := func(text string) {
		v.AddPart(agent.Raw(fmt.Appendf(nil, `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}},"parent_tool_use_id":null}`, text)), agent.Part{})
	}
	v.AddPart(agent.Raw(`{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}},"parent_tool_use_id":null}`), agent.Part{First: true})
	part("Hel")
	if v.ShowText(); texts(w.events) != "Hel" {
		t.Errorf("who begins to watch reads %q", texts(w.events))
	}
	w.watch = true
	part("lo")
	v.EndPart(false)
	v.DropText()
	if got := texts(w.events); !slices.Equal(strings.Split(got, "|"), []string{"Hel", "Hello", "", ""}) {
		t.Errorf("the clients read %q, one after the other", got)
	}
}

// texts returns what was shown as being written, one after the other.
func texts(events []beckon.Event) string {
	var shown []string
	for _, e := range events {
		if e.Live != nil {
			shown = append(shown, e.Live.Text)
		}
	}
	return strings.Join(shown, "|")
}
