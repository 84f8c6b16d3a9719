package claude_test

import (
	"testing"

	"beckon/backend/agent/claude"
)

// Allocations are counted over the whole program, so this test runs alone.
func TestALineIsDecodedOnceHoweverManyReadIt(t *testing.T) {
	line := claude.NewLine([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":"one"}]}}`))
	first, err := line.Message()
	if err != nil {
		t.Fatal(err)
	}
	again, err := line.Message()
	if err != nil || again.Speech != first.Speech {
		t.Errorf("it was decoded again: %v", err)
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = line.Message() }); n != 0 {
		t.Errorf("reading it again takes %v allocations", n)
	}
	broken := claude.NewLine([]byte(`{"type":"assistant","message":`))
	if _, err := broken.Message(); err == nil {
		t.Error("half a line is a message")
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = broken.Message() }); n != 0 {
		t.Errorf("reading a broken one again takes %v allocations", n)
	}
}
