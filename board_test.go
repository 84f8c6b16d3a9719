package main

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// distrust takes the project's trust away.
func (d *desktopOf) distrust() {
	d.t.Helper()
	edit := d.project
	edit.Trusted = false
	if _, err := d.EditProject(edit); err != nil {
		d.t.Fatal(err)
	}
}

// card puts a task into the backlog.
func (d *desktopOf) card(title string) beckon.Task {
	d.t.Helper()
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: title})
	if err != nil {
		d.t.Fatal(err)
	}
	return task
}

// now returns a task as the database has it.
func (d *desktopOf) now(id string) beckon.Task {
	d.t.Helper()
	task, err := d.p.store.Task(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return task
}

func TestQueueingInAnUntrustedProjectIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	d := start(t, "text must not run\n")
	d.distrust()
	task := d.card("Queue me")
	if _, err := d.MoveTask(task.ID, beckon.Queued, 0); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("queueing: %v; want a refusal that asks for trust", err)
	}
	if s := d.now(task.ID).Status; s != beckon.Backlog {
		t.Errorf("the refused card is in %s", s)
	}
	for _, status := range []beckon.Status{beckon.Queued, beckon.Running} {
		_, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "New", Status: status})
		if !errors.Is(err, beckon.ErrUntrusted) {
			t.Errorf("a new task in %s: %v; want a refusal that asks for trust", status, err)
		}
	}
	if tasks, err := d.p.store.Tasks(t.Context()); err != nil || len(tasks) != 1 {
		t.Errorf("%d cards, %v; what is refused leaves none that trying again would double", len(tasks), err)
	}
}

func TestACardThatTheQueuePutsBackSaysWhy(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Go on? | Yes | No\n")
	if err := d.SaveSettings(beckon.Settings{Slots: 1, SingleKeys: true}); err != nil {
		t.Fatal(err)
	}
	first := d.run(beckon.NewTask{Title: "Takes the slot"})
	q := d.open("Go on?")
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Waits", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	d.distrust()
	d.choose(q, "Yes")
	d.ended(first.ID)
	d.until("it is put back", func() bool { return d.tasks[task.ID].Status == beckon.Backlog })
	if trouble := d.now(task.ID).Trouble; !strings.Contains(trouble, "trust") {
		t.Errorf("the card that was put back says %q", trouble)
	}
}
