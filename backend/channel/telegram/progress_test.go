package telegram

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// at has agents do something, and the bot look.
func (w *world) at(tasks ...Task) {
	w.mu.Lock()
	w.tasks = tasks
	bot := w.bot
	w.mu.Unlock()
	bot.Worked()
}

func does(verb beckon.Verb, target string) Task {
	return Task{ID: "t1", Key: "KES-1", Title: "Paint hunter2", ProjectID: "p1", Activity: beckon.Activity{Verb: verb, Target: target}}
}

func TestWhatAgentsDoIsOneMessageThatChanges(t *testing.T) {
	t.Parallel()
	w, _ := served(t)
	w.mu.Lock()
	w.works = true
	w.mu.Unlock()
	w.at(does(beckon.Editing, "plan.go"))
	m := w.s.WaitMessage(mira, "At work:", "KES-1 Paint [masked]: Editing plan.go")
	for n := range 200 {
		w.at(does(beckon.Executing, strings.Repeat("x", n)))
	}
	w.at(does(beckon.Executing, "go test hunter2"))
	w.eventually("the last state is said", func() bool {
		return strings.Contains(w.s.Message(mira, m.ID).Text, "Running go test [masked]")
	})
	if edits := len(w.s.Calls("editMessageText")); edits > 100 {
		t.Errorf("%d edits for 201 changes", edits)
	}
	w.at()
	w.eventually("it is over", func() bool { return w.s.Message(mira, m.ID).Text == "No agent is at work." })
	w.at(does(beckon.Thinking, ""))
	if next := w.s.WaitMessage(mira, "KES-1 Paint [masked]: Thinking"); next.ID == m.ID {
		t.Error("what is over begins again in its old place")
	}
}

func TestWhatAgentsDoIsSaidOnlyWhereItIsToBe(t *testing.T) {
	t.Parallel()
	w, _ := served(t)
	w.at(does(beckon.Editing, "plan.go"))
	w.ask(database("1"))
	w.s.WaitMessage(mira, "Which database")
	w.mu.Lock()
	w.works = true
	c := w.chats[mira]
	c.Projects = []string{"p2"}
	w.chats[mira] = c
	w.mu.Unlock()
	w.at(does(beckon.Editing, "plan.go"))
	other := does(beckon.Searching, "TODO")
	other.ID, other.Key, other.ProjectID = "t2", "ORC-2", "p2"
	w.at(does(beckon.Editing, "plan.go"), other)
	m := w.s.WaitMessage(mira, "At work:", "ORC-2")
	if strings.Contains(m.Text, "KES-1") {
		t.Errorf("a chat of one project reads of another: %q", m.Text)
	}
	for _, m := range w.s.Messages(mira) {
		if strings.Contains(m.Text, "plan.go") {
			t.Errorf("it was said while it was off: %q", m.Text)
		}
	}
}
