package runner_test

import (
	"testing"

	"beckon/backend/beckon"
)

// TestAnAnswerIsPublishedOnce: each client redraws for each event, so nothing
// is said twice. The question is published as it is asked, answered and known
// to be with the agent; its run when one of that changes it.
func TestAnAnswerIsPublishedOnce(t *testing.T) {
	t.Parallel()
	for name, asks := range map[string]string{
		"can_use_tool": "ask Which? | A | B\nask Then? | C | D\n",
		"mcp":          `ask_user {"question":"Which?","options":["A","B"]}` + "\nask Then? | C | D\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t, asks)
			task := d.Run(beckon.NewTask{Title: "Asks"})
			q := d.Question("Which?")
			d.Choose(q, "A")
			d.heard(q.ID)
			d.Choose(d.Question("Then?"), "C")
			d.Ended(task.ID)
			d.Lock()
			defer d.Unlock()
			questions, runs, again := published(d.Events, q.ID)
			if len(questions) != 3 || questions[1].Answer == nil || questions[1].Delivered != 0 || questions[2].Delivered == 0 {
				t.Errorf("the question is published %d times: %+v", len(questions), questions)
			}
			if again > 0 {
				t.Errorf("%d of %d events of the run say nothing new", again, runs)
			}
		})
	}
}

// published returns what events say of a question, and how many there are of
// runs, with those that repeat the one before.
func published(events []beckon.Event, questionID string) (questions []beckon.Question, runs, again int) {
	var last beckon.Run
	for _, e := range events {
		switch {
		case e.Question != nil && e.Question.ID == questionID:
			questions = append(questions, *e.Question)
		case e.Run != nil:
			if runs++; *e.Run == last {
				again++
			}
			last = *e.Run
		}
	}
	return questions, runs, again
}
