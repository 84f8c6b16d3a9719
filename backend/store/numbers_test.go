package store

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/numbers"
)

// TestNumbersAreOfTheirDay: what was taken, done and asked counts on the day of this computer's
// clock on which it was, and for the task, agent, model and machine that it was of.
func TestNumbersAreOfTheirDay(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := deadline(t)
	now := time.Now()
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.Local)
	before := midnight.Add(-10 * time.Minute)
	yesterday, today := before.Format(time.DateOnly), now.Format(time.DateOnly)

	late := someRun(run.TaskID)
	late.Started, late.Model = before.UnixMilli(), "opus"
	err := errors.Join(s.AddRun(ctx, &late), edit(ctx, s, late.ID, func(r *beckon.Run) { r.Spent.WorkedMs = 600_000 }),
		edit(ctx, s, run.ID, func(r *beckon.Run) { r.Model = "opus" }),
		edit(ctx, s, run.ID, func(r *beckon.Run) { r.Spent.Tokens, r.Spent.CostUSD = 1000, 0.5 }))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		to   beckon.Settlement
		rule string
	}{{beckon.Answered, ""}, {beckon.Answered, "rule"}, {beckon.Expired, ""}} {
		q := someQuestion(run)
		q.Asked, q.RuleID = max(midnight.UnixMilli(), now.UnixMilli()-60_000), one.rule
		var a *beckon.Answer
		if one.to == beckon.Answered {
			a = answer("keep Span")
		}
		if err := s.AddQuestion(ctx, q); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Settle(ctx, q.ID, one.to, a, nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err = s.UpdateTask(ctx, run.TaskID, func(task *beckon.Task) error {
		task.Status, task.Resolution, task.Landed = beckon.Done, beckon.Merged, reviewing.Landed{Way: reviewing.Squash, Commit: "c", At: before.UnixMilli()}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	n, err := s.Numbers.Of(ctx, 2, now)
	if err != nil || len(n.Days) != 2 || n.Days[0] != yesterday || n.Days[1] != today || n.Cut {
		t.Fatalf("the days are %q, %v", n.Days, err)
	}
	var got [2]numbers.Fact
	for _, f := range n.Facts {
		if f.TaskID != run.TaskID || f.Model != "opus" {
			t.Errorf("a fact of another: %+v", f)
		}
		got[map[string]int{yesterday: 0, today: 1}[f.Day]] = f
	}
	if f := got[0]; f.Runs != 1 || f.WorkedMs != 600_000 || f.Merged != 1 || f.Tokens != 0 {
		t.Errorf("yesterday has %+v", f)
	}
	f := got[1]
	if f.Tokens != 1000 || f.CostUSD != 0.5 || f.Unpriced != 0 || f.Questions != 3 || f.Answered != 2 || f.Assumed != 1 {
		t.Errorf("today has %+v", f)
	}
	// The standing answer made nobody wait; the other two questions did.
	if len(f.Answers) != 1 || f.WaitedMs < f.Answers[0] || f.WaitedMs > 3*60_000 {
		t.Errorf("today's questions waited %d ms, answered after %d", f.WaitedMs, f.Answers)
	}
	if only, err := s.Numbers.Of(ctx, 1, now); err != nil || len(only.Days) != 1 || only.Days[0] != today {
		t.Errorf("one day is %q, %v", only.Days, err)
	}
	if _, err := s.Numbers.Of(ctx, 0, now); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("no day: %v", err)
	}
}

func edit(ctx context.Context, s *Store, id string, change func(*beckon.Run)) error {
	_, err := s.UpdateRun(ctx, id, func(r *beckon.Run) error {
		change(r)
		return nil
	})
	return err
}

// TestADayIsNamedWhereItHasNoMidnight: in Santiago the clock went from 24:00 to 1:00 that night.
func TestADayIsNamedWhereItHasNoMidnight(t *testing.T) {
	t.Parallel()
	santiago, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	s, run := withRun(t)
	ctx := deadline(t)
	late := someRun(run.TaskID)
	late.Started = time.Date(2026, 9, 5, 23, 30, 0, 0, santiago).UnixMilli()
	if err := s.AddRun(ctx, &late); err != nil {
		t.Fatal(err)
	}
	n, err := s.Numbers.Of(ctx, 4, time.Date(2026, 9, 8, 10, 0, 0, 0, santiago))
	want := []string{"2026-09-05", "2026-09-06", "2026-09-07", "2026-09-08"}
	if err != nil || !slices.Equal(n.Days, want) || len(n.Facts) != 1 || n.Facts[0].Day != want[0] {
		t.Errorf("the days are %q, %v; the run counts in %v", n.Days, err, n.Facts)
	}
	n, err = s.Numbers.Of(ctx, 3, time.Date(2026, 9, 8, 10, 0, 0, 0, santiago))
	if err != nil || len(n.Facts) != 0 {
		t.Errorf("three days have %v, %v", n.Facts, err)
	}
}

// TestATokenIsOfTheQuarterOfAnHourInWhichItWasTaken, in order, whichever run took it.
func TestATokenIsOfTheQuarterOfAnHourInWhichItWasTaken(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := deadline(t)
	if err := edit(ctx, s, run.ID, func(r *beckon.Run) { r.Spent.Tokens = 1000 }); err != nil {
		t.Fatal(err)
	}
	const quarter = 900_000
	at := time.Now().UnixMilli() / quarter * quarter
	for i := range int64(60) { // the trigger knows the present only
		_, err := s.write.ExecContext(ctx, "INSERT INTO spent VALUES ('earlier', ?, '', ?, ?, '', '', ?, 0)", at-(60-i)*quarter, run.TaskID, "", i)
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Numbers.Spells(ctx, run.TaskID)
	if err != nil || len(got) != 48 || got[47].Tokens != 1000 || got[46] != (numbers.Spell{At: at - quarter, Tokens: 59}) || got[0].Tokens != 13 {
		t.Errorf("the quarters are %+v, %v", got, err)
	}
}
