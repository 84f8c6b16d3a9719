package outbox

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/spending"
)

// TestTheNextAgentHearsWhatAgentsAskedAlone: what Beckon asked about a budget was never an
// agent's.
func TestTheNextAgentHearsWhatAgentsAskedAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	run := beckon.Run{TaskID: d.task.ID, Kind: beckon.TaskRun, Mode: beckon.ModeAuto}
	if err := d.queues.Store.AddRun(t.Context(), &run); err != nil {
		t.Fatal(err)
	}
	ask := func(text string, budget *spending.Asked) {
		t.Helper()
		err := d.queues.Store.AddQuestion(t.Context(), beckon.Question{
			ID: beckon.NewID(), TaskID: d.task.ID, RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Orphaned,
			Items: []beckon.QuestionItem{{Text: text}}, Budget: budget,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	ask("Which colour?", nil)
	ask("The budget is used up.", &spending.Asked{Scope: spending.Task, Subject: d.task.ID})
	told, err := d.queues.HandOver(t.Context(), d.task, "")
	if err != nil || !strings.Contains(told, "Which colour?") || strings.Contains(told, "The budget is used up.") {
		t.Errorf("the next agent hears %q, %v", told, err)
	}
}
