package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

func answer(text string) *beckon.Answer {
	return &beckon.Answer{
		Items: []beckon.ItemAnswer{{Labels: []string{text}}}, By: "user", At: beckon.Now(),
	}
}

// A double click, two windows, an answer in the moment of the time-out.
func TestOfManyAnswersOneWins(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	q := addQuestion(t, s, run)
	const many = 100
	var winner atomic.Pointer[string]
	var conflicts atomic.Int32
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range many {
		all.Go(func() {
			to, a, text := beckon.Answered, answer(fmt.Sprint(i)), fmt.Sprint(i)
			if i%2 == 1 {
				to, a = beckon.Expired, nil
			}
			<-start
			got, err := s.Settle(deadline(t), q.ID, to, a, reason.Said(text))
			switch {
			case errors.Is(err, beckon.ErrConflict):
				conflicts.Add(1)
			case err != nil:
				t.Error(err)
			case !winner.CompareAndSwap(nil, &text):
				t.Errorf("%s and %s both settled it", *winner.Load(), text)
			case got.Settlement != to || got.Reason.String() != text:
				t.Errorf("%s settled it as %s by %s", text, got.Settlement, got.Reason)
			}
		})
	}
	close(start)
	all.Wait()
	if winner.Load() == nil || conflicts.Load() != many-1 {
		t.Fatalf("%d of %d were told of a conflict", conflicts.Load(), many)
	}
	got, err := s.Question(t.Context(), q.ID)
	if err != nil || got.Reason.String() != *winner.Load() {
		t.Errorf("the winner was %s, the row has %s, %v", *winner.Load(), got.Reason, err)
	}
}

// TestQuestionsAndAnswersAreWrittenFirst, before changes that nobody waits for and that
// have stood in line for longer.
func TestQuestionsAndAnswersAreWrittenFirst(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	q, later := addQuestion(t, s, run), someQuestion(run)
	synctest.Test(t, func(t *testing.T) {
		busy := make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			err := s.change(t.Context(), func(context.Context, *sql.Tx) error { <-busy; return nil })
			if err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		waits := func(write func() error) {
			all.Go(func() {
				if err := write(); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		seen := 0
		waits(func() error {
			return s.change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				const look = "SELECT count(*) FROM question WHERE id = ? OR id = ? AND settlement = ?"
				return tx.QueryRowContext(ctx, look, later.ID, q.ID, beckon.Answered).Scan(&seen)
			})
		})
		waits(func() error { return s.AddQuestion(t.Context(), later) })
		waits(func() error {
			_, err := s.Settle(t.Context(), q.ID, beckon.Answered, answer("yes"), nil)
			return err
		})
		close(busy)
		all.Wait()
		if seen != 2 {
			t.Errorf("the change that came first found %d of the question and the answer, want both", seen)
		}
	})
}

func TestWhoComesSecondIsToldHowTheQuestionStands(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	for _, c := range []struct {
		first  beckon.Settlement
		answer *beckon.Answer
		words  string
	}{
		{beckon.Answered, answer("yes"), "answered already"},
		{beckon.Expired, nil, "nobody answered in time"},
		{beckon.Withdrawn, nil, "does not wait"},
	} {
		q := addQuestion(t, s, run)
		settled, err := s.Settle(ctx, q.ID, c.first, c.answer, reason.Said("why"))
		if err != nil {
			t.Fatal(err)
		}
		if settled.Settled == 0 || settled.Reason.String() != "why" {
			t.Errorf("settled as %s it is %+v", c.first, settled)
		}
		_, err = s.Settle(ctx, q.ID, beckon.Answered, answer("no"), reason.Said("late"))
		if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("after %s: %v", c.first, err)
		}
		_, err = s.SetClock(ctx, q.ID, 1, 2)
		if !errors.Is(err, beckon.ErrConflict) {
			t.Errorf("the clock of one %s was set: %v", c.first, err)
		}
		got, err := s.Question(ctx, q.ID)
		same(t, got, settled, err)
	}
	if _, err := s.Settle(ctx, "none", beckon.Answered, answer("yes"), nil); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("an unknown question: %v", err)
	}
}

func TestQuestionIsSettledByAnAnswerOrWithoutOne(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	q := addQuestion(t, s, run)
	for _, c := range []struct {
		to beckon.Settlement
		a  *beckon.Answer
	}{
		{beckon.Answered, nil},
		{beckon.Expired, answer("yes")},
		{beckon.Open, nil},
		{beckon.Orphaned, nil},
		{"nonsense", nil},
	} {
		if _, err := s.Settle(t.Context(), q.ID, c.to, c.a, nil); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s with %v: %v", c.to, c.a, err)
		}
	}
	got, err := s.Question(t.Context(), q.ID)
	same(t, got, q, err)
}

func TestQuestionsOfADeadRunWaitOnAndCanOnlyBeAnswered(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	closed := addQuestion(t, s, run)
	if _, err := s.Settle(ctx, closed.ID, beckon.Expired, nil, nil); err != nil {
		t.Fatal(err)
	}
	first, second := someQuestion(run), someQuestion(run)
	first.Asked, first.Deadline, first.WaitMs = 1, 9, 8
	second.Asked, second.HeldMs = 2, 5
	if err := errors.Join(s.AddQuestion(ctx, second), s.AddQuestion(ctx, first)); err != nil {
		t.Fatal(err)
	}
	other := addQuestion(t, s, addRun(t, s, run.TaskID))

	orphaned, err := s.OrphanOpen(ctx, run.ID, reason.Said("it was killed"))
	first.Settlement, first.Reason, first.Deadline = beckon.Orphaned, reason.Said("it was killed"), 0
	second.Settlement, second.Reason, second.HeldMs = beckon.Orphaned, reason.Said("it was killed"), 0
	same(t, orphaned, []beckon.Question{first, second}, err)
	waiting, err := s.OpenQuestions(ctx)
	same(t, waiting, []beckon.Question{first, second, other}, err)

	// The dead run's connections close late and withdraw what they asked.
	_, err = s.Settle(ctx, first.ID, beckon.Withdrawn, nil, reason.Said("connection closed"))
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "ended before") {
		t.Errorf("withdrew an orphaned question: %v", err)
	}
	got, err := s.Settle(ctx, first.ID, beckon.Answered, answer("yes"), nil)
	if err != nil || got.Settlement != beckon.Answered {
		t.Errorf("answered an orphaned question: %+v, %v", got, err)
	}
	if again, err := s.OrphanOpen(ctx, run.ID, nil); err != nil || len(again) != 0 {
		t.Errorf("orphaned again: %v, %v", again, err)
	}
}

func TestDeliveryIsNotedOnceAndAfterTheAnswer(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	q := addQuestion(t, s, run)
	if _, err := s.MarkDelivered(ctx, q.ID, ""); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("delivered before it was answered: %v", err)
	}
	if _, err := s.MarkDelivered(ctx, "none", ""); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("delivered an unknown one: %v", err)
	}
	if _, err := s.Settle(ctx, q.ID, beckon.Answered, answer("yes"), nil); err != nil {
		t.Fatal(err)
	}
	first, err := s.MarkDelivered(ctx, q.ID, "")
	if err != nil || first.Delivered == 0 {
		t.Fatalf("delivered = %d, %v", first.Delivered, err)
	}
	for beckon.Now() == first.Delivered { // until another time would show
	}
	if _, err := s.MarkDelivered(ctx, q.ID, ""); err != nil {
		t.Fatal(err)
	}
	got, err := s.Question(ctx, q.ID)
	same(t, got, first, err)
}

// TestADeliveryReturnsTheRowThatItWrote, and not what another change made of it
// right after; a trigger makes that change here.
func TestADeliveryReturnsTheRowThatItWrote(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	q := addAnswered(t, s, run)
	_, err := s.write.ExecContext(ctx, `CREATE TRIGGER another AFTER UPDATE OF delivered ON question
		BEGIN UPDATE question SET assumption = 'changed since' WHERE id = new.id; END`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.MarkDelivered(ctx, q.ID, "")
	if err != nil || got.Delivered == 0 || got.Assumption != "" {
		t.Errorf("it returned delivered %d and the assumption %q, %v; want what it wrote", got.Delivered, got.Assumption, err)
	}
	if now, err := s.Question(ctx, q.ID); err != nil || now.Assumption == "" {
		t.Errorf("no other change came after it: %+v, %v", now, err)
	}
}

func TestHeldClockIsStillHeldAfterARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	run := addRun(t, s, addTask(t, s, addProject(t, s, "KES").ID).ID)
	q := addQuestion(t, s, run)
	held, err := s.SetClock(t.Context(), q.ID, 0, 90_000)
	if err != nil || held.HeldMs != 90_000 || held.Deadline != 0 {
		t.Errorf("held = %+v, %v", held, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := openStore(t, dir).Question(t.Context(), q.ID)
	same(t, got, held, err)
}

func TestHistoryOfATaskIsInItsOrder(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	late, early := someQuestion(run), someQuestion(run)
	late.Asked, early.Asked = 20, 10
	if err := errors.Join(s.AddQuestion(ctx, late), s.AddQuestion(ctx, early)); err != nil {
		t.Fatal(err)
	}
	addQuestion(t, s, addRun(t, s, addTask(t, s, mustProject(t, s).ID).ID))
	got, err := s.Questions(ctx, run.TaskID)
	same(t, got, []beckon.Question{early, late}, err)
	if err := s.AddQuestion(ctx, late); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("asked twice: %v", err)
	}
}
