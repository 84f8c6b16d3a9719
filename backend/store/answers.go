package store

import (
	"context"
	"database/sql"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store/table"
)

// answeredMost is how many questions AnsweredSince returns at the most.
const answeredMost = 500

// AnswerLate gives an expired question the answer that it never had, and returns
// what it became: the settlement stays, and the answer waits to be delivered. Any
// other question is beckon.ErrConflict.
func (s *Store) AnswerLate(ctx context.Context, id string, a beckon.Answer) (beckon.Question, error) {
	return s.changeQuestion(ctx, id, transition{
		from: "settlement = 'expired' AND answer IS NULL",
		set:  "answer = ?, delivered = 0, proof = ''",
		args: []any{table.JSON(&a)},
		also: afterAnswer(&a),
	})
}

// ChangeAnswer puts an answer in the place of the one that a question has after so
// many changes, and returns what it became: the other is an earlier one from then on,
// and this one waits to be delivered. What does not have it any more, or belongs to a
// card that is over, is beckon.ErrConflict. A standing answer follows the change.
func (s *Store) ChangeAnswer(ctx context.Context, id string, changes int, a beckon.Answer) (beckon.Question, error) {
	return s.changeQuestion(ctx, id, transition{
		from: "answer IS NOT NULL AND coalesce(json_array_length(earlier), 0) = " + strconv.Itoa(changes) +
			" AND task_id IN (SELECT id FROM task WHERE status NOT IN ('done', 'archived'))",
		set:  "earlier = json_insert(coalesce(earlier, '[]'), '$[#]', json(answer)), answer = ?, delivered = 0, proof = '', rule_id = ''",
		args: []any{table.JSON(&a)},
		also: func(ctx context.Context, tx *sql.Tx, id string) error {
			if err := dropRuleOf(ctx, tx, id); err != nil {
				return err
			}
			return afterAnswer(&a)(ctx, tx, id)
		},
	})
}

// Overtake puts the answer that an agent was given elsewhere in the place of one
// that was still on its way, with that reason, and notes that the agent has it. Any
// other question is beckon.ErrConflict.
func (s *Store) Overtake(ctx context.Context, id string, a beckon.Answer, why *reason.Reason) (beckon.Question, error) {
	return s.changeQuestion(ctx, id, transition{
		from: "settlement = 'answered' AND delivered = 0",
		set:  "answer = ?, reason = ?, delivered = ?",
		args: []any{table.JSON(&a), table.Optional(&why), beckon.Now()},
	})
}

// Undelivered returns the answers that no agent has heard, to questions that agents asked in
// a task's runs of that kind, the oldest question first.
func (s *Store) Undelivered(ctx context.Context, taskID string, kind beckon.RunKind) ([]beckon.Question, error) {
	return questions.List(ctx, s.read, `WHERE task_id = ? AND delivered = 0 AND answer IS NOT NULL AND budget IS NULL
		AND run_id IN (SELECT id FROM run WHERE kind = ?) ORDER BY asked, rowid`, taskID, kind)
}

// SetProof notes that a message is about to tell the agent these answers, and so
// will be the proof that it heard them; not of one that was changed meanwhile.
func (s *Store) SetProof(ctx context.Context, message string, questions ...beckon.Question) error {
	if len(questions) == 0 {
		return nil
	}
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, q := range questions {
			if _, err := tx.ExecContext(ctx,
				"UPDATE question SET proof = ? WHERE id = ? AND coalesce(json_array_length(earlier), 0) = ?", message, q.ID,
				len(q.Earlier)); err != nil {
				return err
			}
		}
		return nil
	})
}

// AnsweredSince returns the newest questions that were answered at that time,
// in Unix milliseconds, or later, the newest answer first.
func (s *Store) AnsweredSince(ctx context.Context, since int64) ([]beckon.Question, error) {
	return questions.List(ctx, s.read,
		"WHERE answer IS NOT NULL AND answer ->> 'at' >= ? ORDER BY answer ->> 'at' DESC, rowid DESC LIMIT ?", since,
		answeredMost)
}

// AskedElsewhere returns the newest questions that no task has, those of sessions
// and programs outside, the newest first.
func (s *Store) AskedElsewhere(ctx context.Context, most int) ([]beckon.Question, error) {
	return questions.List(ctx, s.read, "WHERE task_id IS NULL ORDER BY asked DESC, rowid DESC LIMIT ?", most)
}

// Overdue returns what agents of tasks in running or review went on without:
// questions that expired and can still be answered, and those for which an
// agent told what it assumed; the oldest first.
func (s *Store) Overdue(ctx context.Context) ([]beckon.Question, error) {
	return questions.List(ctx, s.read, `WHERE task_id IN (SELECT id FROM task WHERE status IN ('running', 'review'))
		AND (assumption <> '' OR settlement = 'expired' AND answer IS NULL AND kind IN ('ask', 'plan')) ORDER BY asked, rowid`)
}

// Unanswered returns the asks of a run that its agent went on without an
// answer to, expired or skipped, the newest first.
func (s *Store) Unanswered(ctx context.Context, runID string) ([]beckon.Question, error) {
	return questions.List(ctx, s.read, `WHERE run_id = ? AND kind = 'ask'
		AND (settlement = 'expired' OR answer ->> 'verdict' = 'skip') ORDER BY asked DESC, rowid DESC`, runID)
}

// NameAgent writes the name of the sub-agent that asked in a tool call of a
// run, where it was not known, and returns the questions that it changed.
func (s *Store) NameAgent(ctx context.Context, runID, toolUseID, agent string) (named []beckon.Question, err error) {
	err = s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		named, err = updateQuestions(ctx, tx, "agent = ? WHERE run_id = ? AND tool_use_id = ? AND agent = ''",
			agent, runID, toolUseID)
		return err
	})
	return named, err
}

// Offer writes what an open permission would allow always; else: beckon.ErrConflict.
func (s *Store) Offer(ctx context.Context, id, always string, lasting []string) (beckon.Question, error) {
	return s.changeQuestion(ctx, id, transition{
		from: "settlement = 'open' AND kind = 'permission'", args: []any{always, table.JSON(lasting)},
		set: "permission = json_set(permission, '$.always', ?, '$.lasting', json(?))",
	})
}

// Assume writes what the agent says that it assumed into a question that is
// settled, and returns what it became.
func (s *Store) Assume(ctx context.Context, id, assumption string) (beckon.Question, error) {
	return s.changeQuestion(ctx, id,
		transition{from: "NOT " + openCondition, set: "assumption = ?", args: []any{assumption}})
}

// Orphan makes an open question orphaned, stops its clock, and returns what it
// became. One that is not open is beckon.ErrConflict.
func (s *Store) Orphan(ctx context.Context, id string, why *reason.Reason) (beckon.Question, error) {
	return s.changeQuestion(ctx, id,
		transition{from: "settlement = 'open'", set: orphaning, args: []any{table.Optional(&why)}})
}

// afterAnswer keeps the rule that the answer makes, and drops the draft that it was:
// what was typed at the desk and answered from elsewhere was not sent.
func afterAnswer(a *beckon.Answer) func(context.Context, *sql.Tx, string) error {
	return func(ctx context.Context, tx *sql.Tx, id string) error {
		if a == nil {
			return nil
		}
		if a.By == beckon.ByUser || a.By == "" {
			if err := dropDraft(ctx, tx, id); err != nil {
				return err
			}
		}
		if !a.Standing {
			return nil
		}
		return keepRule(ctx, tx, id, *a)
	}
}
