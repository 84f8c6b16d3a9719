package runner_test

import (
	"fmt"
	"testing"

	"beckon/backend/beckon"
)

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
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Writes", Status: beckon.Running})
	if err != nil {
		t.Fatal(err)
	}
	d.Until("it has begun to write", func() bool { return d.Runs[task.ID].Spent.Tokens >= 7777 })
	writes := func() string { return d.Writing[d.Runs[task.ID].ID] }
	d.Watch(task.ID)
	d.Until("what was written before is shown", func() bool { return writes() == "Half a " })
	d.post(task.ID, "go", beckon.Steer)
	d.Until("what follows is shown with it", func() bool { return writes() == "Half a sentence" })
	d.post(task.ID, "die", beckon.Steer)
	d.Ended(task.ID)
	d.Until("the half sentence is gone", func() bool { return writes() == "" })
}
