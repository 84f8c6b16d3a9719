package urgency_test

import (
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/urgency"
)

func question(id string, asked, deadline int64) beckon.Question {
	return beckon.Question{ID: id, RunID: "run-" + id, Settlement: beckon.Open, Asked: asked, Deadline: deadline}
}

func TestWhatRunsOutIsAnsweredFirstThenWhatKeepsOthersWaiting(t *testing.T) {
	t.Parallel()
	held, orphaned := question("held", 1, 50), question("orphaned", 0, 100)
	held.HeldMs, orphaned.Settlement = 100, beckon.Orphaned
	list := []beckon.Question{question("old", 1, 0), question("blocking", 5, 0), question("late", 1, 900), question("soon", 1, 300), held, orphaned}
	slices.SortFunc(list, urgency.Compare(func(q beckon.Question) bool { return q.ID == "blocking" }))
	var ids []string
	for _, q := range list {
		ids = append(ids, q.ID)
	}
	// The same as in frontend/src/state/views.test.ts.
	if got := strings.Join(ids, " "); got != "soon late blocking orphaned held old" {
		t.Errorf("the order is %s", got)
	}
}

func TestAQuestionBlocksOnlyWhileAllSlotsAreTakenAndTasksWait(t *testing.T) {
	t.Parallel()
	run := func(id string, kind beckon.RunKind, phase beckon.Phase) beckon.Run {
		return beckon.Run{ID: id, Kind: kind, Phase: phase}
	}
	runs := []beckon.Run{run("run-a", beckon.TaskRun, beckon.Asking), run("run-b", beckon.TaskRun, beckon.Working), run("run-c", beckon.ChatRun, beckon.Asking), run("run-d", beckon.TaskRun, beckon.Ended)}
	blocked := func(slots int, queued bool) string {
		blocks := urgency.Blocking(slots, queued, slices.Values(runs))
		var ids strings.Builder
		for _, id := range []string{"a", "b", "c", "d"} {
			if blocks(question(id, 1, 0)) {
				ids.WriteString(id)
			}
		}
		return ids.String()
	}
	if got := blocked(2, true); got != "ab" {
		t.Errorf("with all slots taken %q block", got)
	}
	if got := blocked(3, true) + blocked(2, false); got != "" {
		t.Errorf("with a free slot, or nothing queued, %q block", got)
	}
}
