package outbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
)

// HandOver is what an agent gets behind the brief that goes on with what another began: what
// was asked and answered, where the diff stands, and the words of the user, which may be empty.
func (q *Queues) HandOver(ctx context.Context, t beckon.Task, words string) (string, error) {
	asked, err := q.askedBefore(ctx, t.ID)
	if err != nil {
		return "", err
	}
	parts := []string{
		beckon.AgentSays(t.Agent) + " worked on this task until now, and you take it over. " +
			"Look at what there is before you change it.",
		whereItStands(t),
	}
	if len(asked) > 0 {
		parts = append(parts, "What was asked so far:\n\n"+strings.Join(asked, "\n\n"))
	}
	parts = append(parts, cmp.Or(words, "Carry on with the task from there."))
	return strings.Join(parts, "\n\n"), nil
}

// whereItStands says what a task's worktree holds.
func whereItStands(t beckon.Task) string {
	c := t.Changes
	if t.Branch == "" {
		return "You are in the project's folder, which has no git."
	}
	return fmt.Sprintf("You are in the task's worktree, on branch %s, which began at commit %s of %s. "+
		"Its own commits by now: %d. Files that differ from there: %d (+%d −%d lines).",
		t.Branch, t.BaseCommit, t.Base, c.Commits, c.Files, c.Added, c.Removed)
}

// askedBefore returns the questions of a task with their answers, the oldest first.
// Answers that no agent has heard are not among them: the next run begins with those.
// Permissions are not either: the next agent asks for its own. Nor are those about budgets,
// which Beckon asks, not an agent.
func (q *Queues) askedBefore(ctx context.Context, taskID string) ([]string, error) {
	owing, err := q.Owing(ctx, taskID, beckon.TaskRun)
	if err != nil {
		return nil, err
	}
	all, err := q.Store.Questions(ctx, taskID)
	var before []beckon.Question
	for _, one := range all {
		owed := slices.ContainsFunc(owing, func(o Owed) bool { return o.ID == one.ID })
		if one.Kind != beckon.Permission && one.Budget == nil && !owed && one.Settlement != beckon.Withdrawn {
			before = append(before, one)
		}
	}
	return answer.AllHandedOver(before), err
}
