package scripted

import (
	"encoding/json"
	"io"
	"testing"
	"time"
)

// TestATurnThatIsInterruptedAsItTakesItsMessagesIsCutShort: the CLI has no moment
// between two turns in which an interrupt is taken and has no effect.
func TestATurnThatIsInterruptedAsItTakesItsMessagesIsCutShort(t *testing.T) {
	t.Parallel()
	a := newAgent(arguments{}, []*script{{turns: [][]step{{{verb: "sleep", args: "60s"}}}}}, io.Discard, io.Discard)
	if err := a.hear(json.RawMessage(`{"type":"user","message":{"role":"user","content":"go"}}`)); err != nil {
		t.Fatal(err)
	}
	messages, _ := a.await()
	a.cutShort()
	began := time.Now()
	if err := a.turn(messages); err != nil || time.Since(began) > 30*time.Second {
		t.Errorf("the turn took %s, %v", time.Since(began), err)
	}
}
