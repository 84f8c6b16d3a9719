package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store/table"
)

var questions = table.Of[beckon.Question]{
	Name: "question",
	Columns: []string{
		"id", "task_id", "run_id", "kind", "tool_use_id", "agent", "items", "permission", "plan", "form", "message", "origin",
		"policy", "asked", "deadline", "wait_ms", "held_ms",
		"settlement", "answer", "earlier", "settled", "reason", "delivered", "proof", "assumption", "rule_id",
		"budget",
	},
	Fields: func(q *beckon.Question) []any {
		return []any{
			&q.ID,
			table.NullString(&q.TaskID),
			&q.RunID, &q.Kind, &q.ToolUseID, &q.Agent,
			table.JSON(&q.Items),
			table.JSON(&q.Permission),
			&q.Plan, &q.Form, &q.Message, &q.Origin,
			&q.Policy, &q.Asked, &q.Deadline, &q.WaitMs, &q.HeldMs,
			&q.Settlement,
			table.JSON(&q.Answer),
			table.JSON(&q.Earlier),
			&q.Settled, table.Optional(&q.Reason), &q.Delivered, &q.Proof, &q.Assumption, &q.RuleID,
			table.JSON(&q.Budget),
		}
	},
	Tidy: tidyQuestion,
}

func tidyQuestion(q *beckon.Question) {
	q.Items = table.NonNil(q.Items)
	for i := range q.Items {
		q.Items[i].Options = table.NonNil(q.Items[i].Options)
	}
	if q.Permission != nil {
		q.Permission.Lasting = table.NonNil(q.Permission.Lasting)
	}
	if q.Answer == nil {
		return
	}
	q.Answer.Items = table.NonNil(q.Answer.Items)
	for i := range q.Answer.Items {
		q.Answer.Items[i].Labels = table.NonNil(q.Answer.Items[i].Labels)
	}
}

// openCondition is the condition for the questions that an answer is still good for,
// worded as in the index question_waiting.
const openCondition = "settlement IN ('open', 'orphaned')"

// OpenQuestions returns the questions that wait for an answer, the open and
// the orphaned ones, the oldest first.
func (s *Store) OpenQuestions(ctx context.Context) ([]beckon.Question, error) {
	return questions.List(ctx, s.read, "WHERE "+openCondition+" ORDER BY asked, rowid")
}

// Question returns the question with the id, or beckon.ErrNotFound.
func (s *Store) Question(ctx context.Context, id string) (beckon.Question, error) {
	return questions.One(ctx, s.read, id)
}

// Questions returns all questions of a task, the oldest first.
func (s *Store) Questions(ctx context.Context, taskID string) ([]beckon.Question, error) {
	return questions.List(ctx, s.read, "WHERE task_id = ? ORDER BY asked, rowid", taskID)
}

// AddQuestion adds q, which its caller has given everything. An unknown run or
// task is beckon.ErrNotFound, an ID that is taken beckon.ErrConflict. A session
// elsewhere may ask it again after Beckon was away: what was typed for it goes along.
func (s *Store) AddQuestion(ctx context.Context, q beckon.Question) error {
	q.Items = table.NonNil(q.Items)
	return s.changeFirst(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := questions.Insert(ctx, tx, &q); err != nil || q.TaskID != "" {
			return err
		}
		return moveDraft(ctx, tx, q.ID)
	})
}

// Settle makes an open question answered, expired or withdrawn and returns
// what it became; an orphaned one can only be answered. An answer comes with
// Answered and with nothing else. The first caller wins, and any later one
// gets beckon.ErrConflict with words on how the question stands. An answer
// drops the draft; what was typed for a question that expired stays. One that
// is Standing becomes a rule of the project in the same transaction.
func (s *Store) Settle(
	ctx context.Context, id string, to beckon.Settlement, a *beckon.Answer, why *reason.Reason,
) (beckon.Question, error) {
	if (a != nil) != (to == beckon.Answered) || to == beckon.Open || to == beckon.Orphaned {
		return beckon.Question{}, fmt.Errorf("settle a question as %q, answer given: %t: %w", to, a != nil, beckon.ErrInvalid)
	}
	t := transition{
		from: "settlement = 'open'",
		set:  "settlement = ?, answer = ?, settled = ?, reason = ?",
		args: []any{to, table.JSON(a), beckon.Now(), table.Optional(&why)},
	}
	if to == beckon.Answered {
		t.set += ", proof = " + proofOfAnswer
		t.args = append(t.args, a.Verdict == beckon.Deny || a.Verdict == beckon.Skip)
		t.from = openCondition
		t.also = afterAnswer(a)
	}
	return s.changeQuestion(ctx, id, t)
}

// proofOfAnswer is what will show that an answer was heard: the result of the
// call that asks and waits still. That of a call which was allowed says so only
// when the tool is through, which is no news of the answer.
const proofOfAnswer = "iif(settlement = 'open' AND (kind IN ('ask', 'plan', 'elicitation') OR kind = 'permission' AND ?), tool_use_id, '')"

// MarkDelivered notes that the agent has the answer that has this proof or,
// without one, what settled the question, and returns the question. The first time
// counts, and an answer that was changed meanwhile does not. A question that waits is
// beckon.ErrConflict.
func (s *Store) MarkDelivered(ctx context.Context, id, proof string) (beckon.Question, error) {
	return s.changeQuestion(ctx, id, transition{
		from: "NOT " + openCondition,
		set:  "delivered = iif(delivered = 0 AND iif(? = '', earlier IS NULL AND (settlement <> 'expired' OR answer IS NULL), proof = ?), ?, delivered)",
		args: []any{proof, proof, beckon.Now()},
		last: true,
	})
}

// SetClock sets when the policy decides an open question (0 for never) and
// what was left when its clock was held (0 while it runs), in milliseconds.
// A question that is not open any more is beckon.ErrConflict.
func (s *Store) SetClock(ctx context.Context, id string, deadline, heldMs int64) (beckon.Question, error) {
	return s.changeQuestion(ctx, id, transition{
		from: "settlement = 'open'",
		set:  "deadline = ?, held_ms = ?",
		args: []any{deadline, heldMs},
	})
}

// transition is a change of a question that not every question allows.
type transition struct {
	from string // the condition that the question must meet
	set  string // the assignments, with args
	args []any
	also func(ctx context.Context, tx *sql.Tx, id string) error // done with it, if anything
	last bool                                                   // nobody waits for it
}

// changeQuestion checks and changes the question with the id in one statement,
// and returns what it became. If it may not be changed, the error says how it
// stands.
func (s *Store) changeQuestion(ctx context.Context, id string, t transition) (q beckon.Question, err error) {
	change := s.writer.ChangeFirst
	if t.last {
		change = s.writer.ChangeAlong
	}
	err = s.changeBy(ctx, change, func(ctx context.Context, tx *sql.Tx) error {
		changed, err := updateQuestions(ctx, tx, t.set+" WHERE id = ? AND "+t.from, append(t.args, id)...)
		if err != nil {
			return err
		}
		if len(changed) == 0 {
			return conflictError(ctx, tx, id)
		}
		q = changed[0]
		if t.also == nil {
			return nil
		}
		return t.also(ctx, tx, id)
	})
	return q, err
}

// conflictError returns the error for a caller who came too late, or too early, for the
// question with the id.
func conflictError(ctx context.Context, tx *sql.Tx, id string) error {
	q, err := questions.One(ctx, tx, id)
	if err != nil {
		return err
	}
	words := map[beckon.Settlement]string{
		beckon.Open:      "the question still waits for an answer",
		beckon.Answered:  "the question was answered already",
		beckon.Expired:   "nobody answered in time and the agent was told to go on",
		beckon.Withdrawn: "the agent does not wait for this answer any more",
		beckon.Orphaned:  "the agent ended before the question was answered",
	}
	return fmt.Errorf("%s: %w", words[q.Settlement], beckon.ErrConflict)
}

// orphaning are the assignments that orphan a question, with a reason.
const orphaning = "settlement = 'orphaned', reason = ?, deadline = 0, held_ms = 0"

// OrphanOpen makes the open questions of a run that died orphaned, stops their
// clocks, and returns them, the oldest first.
func (s *Store) OrphanOpen(
	ctx context.Context, runID string, why *reason.Reason,
) (orphaned []beckon.Question, err error) {
	err = s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		orphaned, err = updateQuestions(ctx, tx,
			orphaning+" WHERE run_id = ? AND settlement = 'open'", table.Optional(&why), runID)
		return err
	})
	// RETURNING promises no order.
	slices.SortStableFunc(orphaned, func(a, b beckon.Question) int { return cmp.Compare(a.Asked, b.Asked) })
	return orphaned, err
}

// withdrawing are the assignments that withdraw an orphaned question, with the
// time and a reason.
const withdrawing = "settlement = 'withdrawn', settled = ?, reason = ?"

// WithdrawOrphaned makes the orphaned questions of a task withdrawn, and
// returns them.
func (s *Store) WithdrawOrphaned(
	ctx context.Context, taskID string, why *reason.Reason,
) (withdrawn []beckon.Question, err error) {
	err = s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		withdrawn, err = updateQuestions(ctx, tx,
			withdrawing+" WHERE task_id = ? AND settlement = 'orphaned'", beckon.Now(), table.Optional(&why), taskID)
		return err
	})
	return withdrawn, err
}

// WithdrawOver makes the orphaned questions of all tasks that are over
// withdrawn: what a crash, or an older version, left to be answered.
func (s *Store) WithdrawOver(ctx context.Context, why *reason.Reason) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := updateQuestions(ctx, tx, withdrawing+` WHERE settlement = 'orphaned'
			AND task_id IN (SELECT id FROM task WHERE status IN ('done', 'archived'))`, beckon.Now(), table.Optional(&why))
		return err
	})
}

// Dismiss makes one orphaned question withdrawn; any other is
// beckon.ErrConflict.
func (s *Store) Dismiss(ctx context.Context, id string, why *reason.Reason) (beckon.Question, error) {
	return s.changeQuestion(ctx, id, transition{
		from: "settlement = 'orphaned'",
		set:  withdrawing,
		args: []any{beckon.Now(), table.Optional(&why)},
	})
}

func updateQuestions(ctx context.Context, tx *sql.Tx, change string, args ...any) ([]beckon.Question, error) {
	return questions.Collect(ctx, tx, "UPDATE question SET "+change+" RETURNING "+questions.Reads(), args...)
}
