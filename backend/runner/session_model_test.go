package runner_test

import (
	"testing"

	"beckon/backend/beckon"
)

func TestTheModelThatIsShownIsTheOneInUse(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\ntext One.\nturn\nask More? | A | B\ntext Two.\n")
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Talk"})
	if err == nil {
		_, err = d.Runner.StartInteractive(t.Context(), task.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Until("a chat", func() bool { return d.Runs[task.ID].Phase == beckon.Idle })
	say := func(text string) {
		t.Helper()
		if _, err := d.Runner.SendMessage(t.Context(), task.ID, beckon.NewMessage{Text: text, Manner: beckon.Queue}); err != nil {
			t.Fatal(err)
		}
	}
	say("one")
	q := d.Question("Which?")
	if err := d.Runner.SwitchModel(t.Context(), task.ID, "sonnet"); err != nil {
		t.Fatal(err)
	}
	if runs, err := d.History.Runs(t.Context(), task.ID); err != nil || runs[0].Model == "claude-sonnet-5" {
		t.Errorf("it shows %+v, %v while the turn goes on with the model that it began with", runs, err)
	}
	if runs, err := d.History.Runs(t.Context(), task.ID); err != nil || runs[0].NextModel != "sonnet" {
		t.Errorf("a page that is loaded now is given %+v, %v; want the model of the next turn", runs, err)
	}
	d.Choose(q, "A")
	d.Until("rest", func() bool { return d.Runs[task.ID].Phase == beckon.Idle && d.Runs[task.ID].Turns == 1 })
	if run := d.latest(task.ID); run.Model != "claude-sonnet-5" || run.NextModel != "" {
		t.Errorf("at rest it shows %q, then %q; want the model that the next turn has", run.Model, run.NextModel)
	}
	say("two")
	d.Choose(d.Question("More?"), "A")
	d.Until("the next turn has it", func() bool { return d.Runs[task.ID].Model == "claude-sonnet-5" })
}

func TestAModelThatIsTakenBackInTheSameTurnIsNotTheNextTurns(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.Run(beckon.NewTask{Title: "Work"})
	d.Question("Which?")
	for _, c := range []struct{ choose, next string }{{"sonnet", "sonnet"}, {"default", ""}} {
		if err := d.Runner.SwitchModel(t.Context(), task.ID, c.choose); err != nil {
			t.Fatal(err)
		}
		d.Until("the next turn's model", func() bool { return d.Runs[task.ID].NextModel == c.next })
	}
}

func TestAChatThatEndsInATurnGoesOnWithTheModelThatWasChosenInIt(t *testing.T) {
	t.Parallel()
	d := start(t, "text One.\nturn\nask Which? | A | B\n")
	task := d.chat("hello")
	if _, err := d.Runner.SendMessage(t.Context(), task.ID, beckon.NewMessage{Text: "two", Manner: beckon.Queue}); err != nil {
		t.Fatal(err)
	}
	d.Question("Which?")
	if err := d.Runner.SwitchModel(t.Context(), task.ID, "sonnet"); err != nil {
		t.Fatal(err)
	}
	d.resume(task.ID)
	if run := d.latest(task.ID); run.Model != "claude-sonnet-5" || run.NextModel != "" {
		t.Errorf("the resumed chat has %q, then %q", run.Model, run.NextModel)
	}
}
