package store

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

func TestALateAnswerIsTakenOnceAndOwedUntilItIsHeard(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	open, expired := addQuestion(t, s, run), addQuestion(t, s, run)
	if _, err := s.Settle(ctx, expired.ID, beckon.Expired, nil, reason.Said("too late")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AnswerLate(ctx, open.ID, *answer("x")); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a late answer to an open question: %v", err)
	}
	late, err := s.AnswerLate(ctx, expired.ID, *answer("yes"))
	if err != nil || late.Settlement != beckon.Expired || late.Reason.String() != "too late" || late.Answer == nil {
		t.Errorf("answered late it is %+v, %v", late, err)
	}
	if _, err := s.AnswerLate(ctx, expired.ID, *answer("no")); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a second late answer: %v", err)
	}
	owed, err := s.Undelivered(ctx, run.TaskID, beckon.TaskRun)
	same(t, owed, []beckon.Question{late}, err)
	ofChats, err := s.Undelivered(ctx, run.TaskID, beckon.ChatRun)
	same(t, ofChats, []beckon.Question{}, err)
	if q, err := s.MarkDelivered(ctx, expired.ID, ""); err != nil || q.Delivered != 0 {
		t.Errorf("what the agent was told at first passes for the late answer: %+v, %v", q, err)
	}
	if err := s.SetProof(ctx, "message", late); err != nil {
		t.Fatal(err)
	}
	if _, err := s.MarkDelivered(ctx, expired.ID, "message"); err != nil {
		t.Fatal(err)
	}
	owed, err = s.Undelivered(ctx, run.TaskID, beckon.TaskRun)
	same(t, owed, []beckon.Question{}, err)
}

// TestAChangedAnswerKeepsWhatWasSaidBefore, in one order, and is not delivered by
// what delivers another of them.
func TestAChangedAnswerKeepsWhatWasSaidBefore(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	q := addAnswered(t, s, run)
	if err := s.SetProof(ctx, "first", q); err != nil {
		t.Fatal(err)
	}
	second, err := s.ChangeAnswer(ctx, q.ID, 0, *answer("no"))
	if err != nil || second.Answer.Items[0].Labels[0] != "no" || len(second.Earlier) != 1 ||
		second.Earlier[0].Items[0].Labels[0] != "yes" {
		t.Fatalf("changed it is %+v, %v", second, err)
	}
	if _, err := s.ChangeAnswer(ctx, q.ID, 0, *answer("other")); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a window that had not seen the change: %v", err)
	}
	third, err := s.ChangeAnswer(ctx, q.ID, 1, *answer("yes"))
	if err != nil || len(third.Earlier) != 2 || third.Earlier[1].Items[0].Labels[0] != "no" {
		t.Fatalf("changed again it is %+v, %v", third, err)
	}
	if err := s.SetProof(ctx, "second", second); err != nil {
		t.Fatal(err)
	}
	for _, proof := range []string{"", "first", "second"} {
		if q, err := s.MarkDelivered(ctx, q.ID, proof); err != nil || q.Delivered != 0 || q.Proof != "" {
			t.Errorf("the proof %q of an earlier answer passes for the newest: %+v, %v", proof, q, err)
		}
	}
	if err := s.SetProof(ctx, "third", third); err != nil {
		t.Fatal(err)
	}
	if q, err := s.MarkDelivered(ctx, q.ID, "third"); err != nil || q.Delivered == 0 {
		t.Errorf("heard it is %+v, %v", q, err)
	}
	if _, err := s.UpdateTask(ctx, run.TaskID, func(task *beckon.Task) error {
		task.Status = beckon.Done
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChangeAnswer(ctx, q.ID, 2, *answer("no")); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("changed on a card that is over: %v", err)
	}
}

// TestOfManyChangesOneWins: two windows change the same answer at once.
func TestOfManyChangesOneWins(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	q := addAnswered(t, s, run)
	var won atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			switch _, err := s.ChangeAnswer(t.Context(), q.ID, 0, *answer("no")); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, beckon.ErrConflict):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got, err := s.Question(t.Context(), q.ID); err != nil || won.Load() != 1 || len(got.Earlier) != 1 {
		t.Errorf("%d changes won, %d earlier answers, %v; want one each", won.Load(), len(got.Earlier), err)
	}
}

// TestAStandingAnswerFollowsItsChange: what was said by a slip does not answer the
// next question.
func TestAStandingAnswerFollowsItsChange(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	q := addQuestion(t, s, run)
	slip, stands := answer("yes"), answer("no")
	slip.Standing, stands.Standing = true, true
	if _, err := s.Settle(ctx, q.ID, beckon.Answered, slip, nil); err != nil {
		t.Fatal(err)
	}
	for changes, c := range []struct {
		to   beckon.Answer
		want string
	}{{*stands, "no"}, {*answer("yes"), ""}} {
		if _, err := s.ChangeAnswer(ctx, q.ID, changes, c.to); err != nil {
			t.Fatal(err)
		}
		rules, err := s.Rules(ctx)
		if err != nil || (c.want == "") != (len(rules) == 0) || c.want != "" && rules[0].Labels[0] != c.want {
			t.Errorf("after change %d the rules are %+v, %v; want %q", changes+1, rules, err, c.want)
		}
	}
}

func TestTheNewestAnswerComesFirst(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	for _, at := range []int64{100, 300, 200} {
		q := addQuestion(t, s, run)
		a := answer("yes")
		a.At = at
		if _, err := s.Settle(ctx, q.ID, beckon.Answered, a, nil); err != nil {
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
