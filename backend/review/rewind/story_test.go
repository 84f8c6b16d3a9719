package rewind

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// next begins another run, as an agent does after a rewind.
func (b *bench) next() {
	b.Helper()
	b.run = beckon.Run{ID: beckon.NewID(), TaskID: b.task.ID, Kind: beckon.TaskRun, Phase: beckon.Working, Started: beckon.Now(), Session: "session-2"}
	var err error
	b.task, err = b.store.StartRun(b.ctx, &b.run, func(t *beckon.Task) error { return t.Move(beckon.Running) })
	b.check(err)
}

// asks asks what a text says, answers, and waits for the checkpoint.
func (b *bench) asks(text, label string) beckon.Question {
	b.Helper()
	b.text = text
	defer func() { b.text = "" }()
	b.edit("log.txt", b.read("log.txt")+text+"\n") // each checkpoint differs
	q := b.ask(label)
	b.checkpoint(q.ID)
	return q
}

// TestASecondRewindTellsOnlyWhatHoldsByThen: what the first one overturned or set aside is not said
// as valid, nor what was done in a run that was taken back.
func TestASecondRewindTellsOnlyWhatHoldsByThen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.rewinder()
	said := func(has, not []string) {
		t.Helper()
		text := r.texts[len(r.texts)-1]
		for _, part := range has {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not said: %s", part, text)
			}
		}
		for _, part := range not {
			if strings.Contains(text, part) {
				t.Errorf("%q is said: %s", part, text)
			}
		}
	}
	b.asks("Q0?", "Parser")
	q1 := b.asks("Q1?", "Parser")
	q2 := b.asks("Q2?", "Parser")
	b.rest()
	b.check(b.chooseBy(r, q1)) // Q2 is set aside
	said([]string{`"Q0?" → "Parser"`, `"Q1?" → "Planner"`}, []string{"Q2?", `"Q1?" → "Parser"`})

	b.next()
	b.asks("Q3?", "Parser")
	q4 := b.asks("Q4?", "Parser")
	b.rest()
	b.check(b.chooseBy(r, q4))
	said([]string{`"Q0?" → "Parser"`, `"Q1?" → "Planner"`, `"Q3?" → "Parser"`, `"Q4?" → "Planner"`},
		[]string{"Q2?", `"Q1?" → "Parser"`, `"Q4?" → "Parser"`})

	b.next()
	b.asks("Q5?", "Parser")
	b.rest()
	_, err := r.takeLastBack(b) // Q5 is gone, and Q4 is as answered first
	b.check(err)
	b.next()
	q6 := b.asks("Q6?", "Parser")
	b.rest()
	b.check(b.chooseBy(r, q6))
	said([]string{`"Q1?" → "Planner"`, `"Q3?" → "Parser"`, `"Q4?" → "Parser"`, `"Q6?" → "Planner"`}, []string{"Q2?", "Q5?", `"Q4?" → "Planner"`})

	b.check(b.chooseBy(r, q2)) // in the line of the first run
	said([]string{`"Q1?" → "Parser"`, `"Q2?" → "Planner"`}, []string{"Q3?", "Q4?", "Q5?", "Q6?", `"Q1?" → "Planner"`})
}

// TestALongQuestionDoesNotPushTheAnswerOut, of the decision that was changed and of those before.
func TestALongQuestionDoesNotPushTheAnswerOut(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	long := strings.Repeat("why ", 1500) + "?"
	b.asks("First "+long, "Parser")
	q := b.asks("Second "+long, "Parser")
	b.rest()
	r := b.rewinder()
	b.check(b.chooseBy(r, q))
	if text := r.texts[0]; !strings.Contains(text, `→ "Parser"`) || !strings.Contains(text, `→ "Planner"`) || len(text) > 12_000 {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}
