package main

import (
	"testing"

	"beckon/backend/beckon"
)

func TestTheModelThatIsShownIsTheOneInUse(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\ntext One.\nturn\nask More? | A | B\ntext Two.\n")
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Talk"})
	if err == nil {
		_, err = d.StartInteractive(task.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.until("a chat", func() bool { return d.runs[task.ID].Phase == beckon.Idle })
	say := func(text string) {
		t.Helper()
		if _, err := d.SendMessage(task.ID, beckon.NewMessage{Text: text, Manner: beckon.Queue}); err != nil {
			t.Fatal(err)
		}
	}
	say("one")
	q := d.open("Which?")
	if err := d.SwitchModel(task.ID, "sonnet"); err != nil {
		t.Fatal(err)
	}
	if runs, err := d.Runs(task.ID); err != nil || runs[0].Model == "claude-sonnet-5" {
		t.Errorf("it shows %+v, %v while the turn goes on with the model that it began with", runs, err)
	}
	d.choose(q, "A")
	d.until("rest", func() bool { return d.runs[task.ID].Phase == beckon.Idle && d.runs[task.ID].Turns == 1 })
	say("two")
	d.choose(d.open("More?"), "A")
	d.until("the next turn has it", func() bool { return d.runs[task.ID].Model == "claude-sonnet-5" })
}
