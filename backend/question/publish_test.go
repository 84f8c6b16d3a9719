package question

import (
	"context"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// delayed is what a desk publishes, in that order; one publication can be made
// to take long, as on a busy machine.
type delayed struct {
	mu          sync.Mutex
	told        []beckon.Question
	begun, goOn chan struct{} // nil where nothing is delayed
}

func (d *delayed) publish(e beckon.Event) {
	if e.Question == nil {
		return
	}
	d.mu.Lock()
	begun, goOn := d.begun, d.goOn
	d.begun, d.goOn = nil, nil
	d.mu.Unlock()
	if begun != nil {
		close(begun)
		<-goOn
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.told = append(d.told, *e.Question)
}

// delay has the next publication wait until goOn is closed; begun is closed
// when it waits.
func (d *delayed) delay() (begun, goOn chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begun, d.goOn = make(chan struct{}), make(chan struct{})
	return d.begun, d.goOn
}

func (d *delayed) last() beckon.Question {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.told[len(d.told)-1]
}

// askedBySubAgent is a room whose publications can be delayed, and a question
// in it whose sub-agent has no name yet.
func askedBySubAgent(t *testing.T) (*room, *delayed, beckon.Question) {
	t.Helper()
	r, d := newRoom(t), new(delayed)
	r.Desk = New(r.store, d.publish)
	q := r.begin(r.which("Which index?"))
	q.ToolUseID = "toolu_1"
	must(t, r.store.AddQuestion(t.Context(), q))
	return r, d, q
}

// TestClientsKeepTheNewestOfTwoChangesOfAQuestion: its asker's name, told late,
// does not bring back a question that was answered meanwhile.
func TestClientsKeepTheNewestOfTwoChangesOfAQuestion(t *testing.T) {
	t.Parallel()
	r, d, q := askedBySubAgent(t)
	begun, goOn := d.delay()
	failed := make(chan error, 2)
	go func() { failed <- r.Name(context.Background(), r.run.ID, q.ToolUseID, "explorer") }()
	select {
	case <-begun:
	case <-time.After(patience):
		t.Fatal("the name is not published")
	}
	go func() { failed <- r.Answer(context.Background(), q.ID, say("Planner")) }()
	for end := time.Now().Add(patience); r.row(t, q.ID).Settlement != beckon.Answered; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the answer is not committed")
		}
	}
	time.AfterFunc(100*time.Millisecond, func() { close(goOn) }) // so that it can overtake, if it may
	for range 2 {
		must(t, <-failed)
	}
	if last := d.last(); last.Settlement != beckon.Answered || last.Agent != "explorer" {
		t.Errorf("every client shows the question as %s by %q until the next change", last.Settlement, last.Agent)
	}
}

// TestAChangeThatIsToldLateTellsWhatTheQuestionBecame: it was committed first
// and is published last.
func TestAChangeThatIsToldLateTellsWhatTheQuestionBecame(t *testing.T) {
	t.Parallel()
	r, d, q := askedBySubAgent(t)
	named, err := r.store.NameAgent(t.Context(), r.run.ID, q.ToolUseID, "explorer")
	must(t, err)
	must(t, r.Answer(t.Context(), q.ID, say("Planner")))
	r.publishNewest(t.Context(), named[0])
	if last := d.last(); last.Settlement != beckon.Answered {
		t.Errorf("every client shows the question as %s until the next change", last.Settlement)
	}
}
