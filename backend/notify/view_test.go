package notify

import (
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
)

func TestAnAgentElsewhereKeepsOnlyTheTasksThereWaiting(t *testing.T) {
	t.Parallel()
	v := NewView()
	farm := executing.Status{Executor: executing.Executor{ID: "farm", Slots: 1}}
	settings := beckon.DefaultSettings()
	settings.Slots = 1
	ask := func(id, executor string, asked int64) {
		v.Apply(beckon.Event{Run: &beckon.Run{ID: "run-" + id, TaskID: id, Kind: beckon.TaskRun, Phase: beckon.Asking, Executor: executor}})
		v.Apply(beckon.Event{Question: &beckon.Question{ID: id, TaskID: id, RunID: "run-" + id, Settlement: beckon.Open, Asked: asked}})
	}
	v.Apply(beckon.Event{Settings: &settings})
	v.Apply(beckon.Event{Executors: &executing.List{All: []executing.Status{farm}}})
	v.Apply(beckon.Event{Project: &beckon.Project{ID: "p", Executor: "farm"}})
	ask("here", "", 1)
	ask("there", "farm", 2)
	first := func() string { return v.Waiting()[0].ID }
	if got := first(); got != "here" {
		t.Errorf("where no task is queued %q comes first", got)
	}
	v.Apply(beckon.Event{Task: &beckon.Task{ID: "next", ProjectID: "p", Status: beckon.Queued}})
	if got := first(); got != "there" {
		t.Errorf("where a task waits for that slot %q comes first", got)
	}
	v.Apply(beckon.Event{Task: &beckon.Task{ID: "next", ProjectID: "p", Status: beckon.Queued, Executor: executing.Here}})
	if got := first(); got != "here" {
		t.Errorf("where a task waits for a slot of this computer %q comes first", got)
	}
}
