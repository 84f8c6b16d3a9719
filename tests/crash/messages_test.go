package crash

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// waiting returns the texts of what the task's agent has not taken.
func (v *victim) waiting() []string {
	v.t.Helper()
	var texts []string
	for _, e := range client.Must[beckon.Frame](v.Program, "Attach", "queue").Events {
		if e.Queue == nil {
			continue
		}
		for _, m := range e.Queue.Messages {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// TestAThousandQueuedMessagesOutliveBeckon: all of them, in their order, each
// once.
func TestAThousandQueuedMessagesOutliveBeckon(t *testing.T) {
	t.Parallel()
	v := raise(t)
	v.Asked(v.task.ID, "Which colour?")
	want := make([]string, 1000)
	for i := range want {
		want[i] = fmt.Sprintf("message %d", i)
		v.queue(want[i])
	}
	v.slain()
	if got := v.waiting(); !slices.Equal(got, want) {
		t.Errorf("%d messages wait: %.300q", len(got), got)
	}
}

func (v *victim) queue(text string) {
	client.Must[beckon.Message](v.Program, "SendMessage", v.task.ID,
		beckon.NewMessage{Text: text, Images: []beckon.Image{}, Manner: beckon.Queue})
}

// TestBeckonDiesWhileItsQueueGoesOut: what was taken is in the transcript, and
// what was not waits; nothing is both, or neither.
func TestBeckonDiesWhileItsQueueGoesOut(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, delay time.Duration) {
		v := raise(t)
		q := v.Asked(v.task.ID, "Which colour?")
		var want []string
		for i := range 20 {
			want = append(want, fmt.Sprintf("message %02d", i))
			v.queue(want[i])
		}
		v.Answer(q, "Red")
		v.Until("the first has gone out", patience, func() bool { return len(v.waiting()) < 20 })
		time.Sleep(delay)
		v.slain()
		var told []string
		for _, e := range client.Must[beckon.TranscriptPage](v.Program, "Transcript", v.task.ID, "", 500).Entries {
			if e.Kind == beckon.UserEntry && strings.HasPrefix(e.Text, "message ") {
				told = append(told, e.Text)
			}
		}
		if got := slices.Concat(told, v.waiting()); !slices.Equal(got, want) {
			t.Errorf("%d were delivered and %d wait: %q", len(told), len(got)-len(told), got)
		}
	})
}
