package crash

import (
	"slices"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// TestBeckonDiesAsWorkIsSentBack: a comment that was accepted waits in the
// queue, or the agent has it, and never both.
func TestBeckonDiesAsWorkIsSentBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, delay time.Duration) {
		const comment = "Make it purple."
		v := raise(t)
		v.Answer(v.Asked(v.task.ID, "Which colour?"), "Red")
		v.InReview(v.task.ID)
		client.Must[beckon.Task](v.Program, "SendBack", v.task.ID, comment)
		time.Sleep(delay)
		v.slain()
		if waits, heard := slices.Contains(v.waiting(), comment), v.recorded(comment); waits == heard {
			t.Fatalf("the comment waits: %t, the agent has it: %t", waits, heard)
		} else if heard {
			return
		}
		v.InReview(v.task.ID)
		client.Must[beckon.Task](v.Program, "MoveTask", v.task.ID, beckon.Running, 0)
		v.Until("the agent hears the comment", patience, func() bool { return v.wrote("resumed.txt") == comment && len(v.waiting()) == 0 })
	})
}
