package beckon_test

import (
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func question(id string, asked, deadline int64) beckon.Question {
	return beckon.Question{ID: id, RunID: "run-" + id, Settlement: beckon.Open, Asked: asked, Deadline: deadline}
}

func TestWhatRunsOutIsAnsweredFirstThenWhatKeepsOthersWaiting(t *testing.T) {
	t.Parallel()
	held, orphaned := question("held", 1, 50), question("orphaned", 0, 100)
	held.HeldMs, orphaned.Settlement = 100, beckon.Orphaned
	list := []beckon.Question{question("old", 1, 0), question("blocking", 5, 0), question("late", 1, 900), question("soon", 1, 300), held, orphaned}
	slices.SortFunc(list, beckon.CompareUrgency(func(q beckon.Question) bool { return q.ID == "blocking" }))
	var ids []string
	for _, q := range list {
		ids = append(ids, q.ID)
	}
	// The same as in frontend/src/state/views.test.ts.
	if got := strings.Join(ids, " "); got != "soon late blocking orphaned held old" {
		t.Errorf("the order is %s", got)
	}
}

func TestAQuestionBlocksOnlyWhileAllSlotsAreTakenAndTasksWaitThere(t *testing.T) {
	t.Parallel()
	run := func(id string, kind beckon.RunKind, phase beckon.Phase, executor string) beckon.Run {
		return beckon.Run{ID: id, Kind: kind, Phase: phase, Executor: executor}
	}
	runs := []beckon.Run{
		run("run-a", beckon.TaskRun, beckon.Asking, ""), run("run-b", beckon.TaskRun, beckon.Working, ""),
		run("run-c", beckon.ChatRun, beckon.Asking, ""), run("run-d", beckon.TaskRun, beckon.Ended, ""),
		run("run-e", beckon.TaskRun, beckon.Asking, "farm"),
	}
	blocked := func(here, farm int, queued ...string) string {
		waits := map[string]bool{}
		for _, place := range queued {
			waits[place] = true
		}
		blocks := beckon.Blocking(map[string]int{"": here, "farm": farm}, waits, slices.Values(runs))
		var ids strings.Builder
		for _, id := range []string{"a", "b", "c", "d", "e"} {
			if blocks(question(id, 1, 0)) {
				ids.WriteString(id)
			}
		}
		return ids.String()
	}
	// The same as in frontend/src/state/views.test.ts.
	if got := blocked(2, 1, "", "farm"); got != "abe" {
		t.Errorf("with all slots taken %q block", got)
	}
	if got := blocked(2, 1, ""); got != "ab" {
		t.Errorf("where nothing is queued for another machine %q block", got)
	}
	if got := blocked(3, 1, "farm"); got != "e" {
		t.Errorf("where this computer has a free slot %q block", got)
	}
	if got := blocked(3, 2, "", "farm") + blocked(2, 1); got != "" {
		t.Errorf("with a free slot, or nothing queued, %q block", got)
	}
}
