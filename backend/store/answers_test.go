package store

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestALateAnswerIsTakenOnceAndOwedUntilItIsHeard(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	open, expired := addQuestion(t, s, run), addQuestion(t, s, run)
	if _, err := s.Settle(ctx, expired.ID, beckon.Expired, nil, "too late"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AnswerLate(ctx, open.ID, *answer("x"), ""); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a late answer to an open question: %v", err)
	}
	late, err := s.AnswerLate(ctx, expired.ID, *answer("yes"), "overruled")
	if err != nil || late.Settlement != beckon.Expired || late.Reason != "too late" || late.Answer == nil {
		t.Errorf("answered late it is %+v, %v", late, err)
	}
	if _, err := s.AnswerLate(ctx, expired.ID, *answer("no"), ""); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a second late answer: %v", err)
	}
	owed, err := s.Undelivered(ctx, run.TaskID, beckon.TaskRun)
	same(t, owed, []beckon.Question{late}, err)
	ofChats, err := s.Undelivered(ctx, run.TaskID, beckon.ChatRun)
	same(t, ofChats, []beckon.Question{}, err)
	if _, err := s.MarkDelivered(ctx, expired.ID); err != nil {
		t.Fatal(err)
	}
	owed, err = s.Undelivered(ctx, run.TaskID, beckon.TaskRun)
	same(t, owed, []beckon.Question{}, err)
}

func TestTheNewestAnswerComesFirst(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	for _, at := range []int64{100, 300, 200} {
		q := addQuestion(t, s, run)
		a := answer("yes")
		a.At = at
		if _, err := s.Settle(ctx, q.ID, beckon.Answered, a, ""); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.AnsweredSince(ctx, 200)
	if err != nil || len(got) != 2 || got[0].Answer.At != 300 || got[1].Answer.At != 200 {
		t.Errorf("answered since 200: %+v, %v", got, err)
	}
}

func TestAnswersAreFoundWithoutReadingTheHistory(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	for query, index := range map[string]string{
		"SELECT id FROM question WHERE answer IS NOT NULL AND answer ->> 'at' >= 1 ORDER BY answer ->> 'at' DESC, rowid DESC": "question_answered",
		"SELECT id FROM question WHERE task_id = 'x' AND delivered = 0 AND answer IS NOT NULL":                                "question_owed",
	} {
		var id, parent, unused int
		var plan string
		err := s.read.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+query).Scan(&id, &parent, &unused, &plan)
		if err != nil || !strings.Contains(plan, index) {
			t.Errorf("the plan of %s is %q, %v", query, plan, err)
		}
	}
}
