package repeat

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/store"
)

// bench is a Repeater with a clock that the test holds, over a real store.
type bench struct {
	*testing.T
	*Repeater
	store   *store.Store
	project beckon.Project
	now     time.Time
	refusal error // of the board
}

func begin(t *testing.T) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b := &bench{T: t, store: s, now: time.Now().Add(100 * time.Hour)}
	b.project = beckon.Project{Name: "kestrel", Key: "KES", Dir: t.TempDir(), Mode: beckon.ModeAuto, Policy: beckon.Wait, WaitMs: beckon.DefaultWaitMs}
	if err := s.AddProject(t.Context(), &b.project); err != nil {
		t.Fatal(err)
	}
	b.Repeater = New(Config{Kept: s.Templates, Projects: s.Projects, Now: func() time.Time { return b.now }, Create: func(ctx context.Context, n beckon.NewTask) (beckon.Task, error) {
		if b.refusal != nil {
			return beckon.Task{}, b.refusal
		}
		task := beckon.Task{ProjectID: n.ProjectID, Title: n.Title, Status: n.Status, TemplateID: n.TemplateID, Mode: beckon.ModeAuto, Policy: beckon.Wait}
		return task, s.CreateTask(ctx, &task)
	}})
	return b
}

// nightly keeps a template that makes a card each hour.
func (b *bench) hourly(missed beckon.Missed) beckon.Template {
	b.Helper()
	t, err := b.Save(b.Context(), beckon.Template{
		ProjectID: b.project.ID, Name: "deps", Task: beckon.NewTask{Title: "Update the dependencies"}, Schedule: "0 * * * *", Missed: missed,
	})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func (b *bench) read(id string) beckon.Template {
	b.Helper()
	t, err := b.Kept.One(b.Context(), id)
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// cards are the titles' statuses, the oldest first.
func (b *bench) cards() []beckon.Task {
	b.Helper()
	list, err := b.store.TasksOf(b.Context(), b.project.ID)
	if err != nil {
		b.Fatal(err)
	}
	return list
}

// over puts the newest card into Done.
func (b *bench) over() {
	b.Helper()
	for _, card := range b.cards() {
		if _, err := b.store.UpdateTask(b.Context(), card.ID, func(t *beckon.Task) error { t.Status = beckon.Done; return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func TestATimeMakesOneCardAndTheNextTimeTheNext(t *testing.T) {
	t.Parallel()
	b := begin(t)
	one := b.hourly(beckon.MissedOnce)
	if one.NextAt <= b.now.UnixMilli() || one.NextAt > b.now.Add(time.Hour).UnixMilli() {
		t.Fatalf("next at %s", time.UnixMilli(one.NextAt))
	}
	if wait, some := b.round(t.Context()); len(b.cards()) != 0 || !some || wait <= 0 || wait > longest {
		t.Errorf("%d cards before the time, waits %s (%t)", len(b.cards()), wait, some)
	}
	b.now = time.UnixMilli(one.NextAt).Add(time.Second)
	b.round(t.Context())
	b.round(t.Context())
	now := b.read(one.ID)
	if len(b.cards()) != 1 || b.cards()[0].Status != beckon.Queued || now.NextAt != one.NextAt+time.Hour.Milliseconds() || now.Refusal != nil {
		t.Fatalf("cards %+v, template %+v", b.cards(), now)
	}
	b.over()
	b.now = time.UnixMilli(now.NextAt)
	b.round(t.Context())
	if len(b.cards()) != 2 {
		t.Errorf("%d cards after the second time", len(b.cards()))
	}
}

func TestNoCardIsMadeWhileTheLastIsNotOver(t *testing.T) {
	t.Parallel()
	b := begin(t)
	one := b.hourly(beckon.MissedOnce)
	first, err := b.Repeater.Run(t.Context(), one.ID)
	if err != nil {
		t.Fatal(err)
	}
	b.now = time.UnixMilli(one.NextAt)
	b.round(t.Context())
	now := b.read(one.ID)
	if len(b.cards()) != 1 || now.Refusal == nil || now.Refusal.Code != reason.Code(problem.RepeatWaits) || now.Refusal.Args["key"] != first.Key || now.NextAt <= b.now.UnixMilli() {
		t.Errorf("%d cards, template %+v", len(b.cards()), now)
	}
	if _, err := b.Repeater.Run(t.Context(), one.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("asked for by hand: %v", err)
	}
}

func TestWhatWasMissedIsMadeUpForOnceOrSkipped(t *testing.T) {
	t.Parallel()
	for missed, want := range map[beckon.Missed]int{beckon.MissedOnce: 1, beckon.MissedSkip: 0} {
		b := begin(t)
		one := b.hourly(missed)
		b.now = b.now.Add(10 * time.Hour) // asleep
		b.round(t.Context())
		b.round(t.Context())
		now := b.read(one.ID)
		if len(b.cards()) != want || now.NextAt <= b.now.UnixMilli() || (missed == beckon.MissedSkip) != (now.Refusal != nil) {
			t.Errorf("%s: %d cards, template %+v", missed, len(b.cards()), now)
		}
	}
}

func TestAKillBetweenTheCardAndItsTemplateMakesNoSecondCard(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.now = time.Now().Add(-2 * time.Hour) // the store dates its cards itself
	one := b.hourly(beckon.MissedOnce)
	b.now = time.UnixMilli(one.NextAt)
	if _, err := b.makeCard(t.Context(), one, one.NextAt); err != nil { // and the template still says so
		t.Fatal(err)
	}
	b.over()
	b.round(t.Context())
	if now := b.read(one.ID); len(b.cards()) != 1 || now.NextAt == one.NextAt || now.Refusal != nil {
		t.Errorf("%d cards, template %+v", len(b.cards()), now)
	}
}

func TestAPausedTemplateAndOneWithoutAScheduleMakeNothingByThemselves(t *testing.T) {
	t.Parallel()
	b := begin(t)
	one := b.hourly(beckon.MissedOnce)
	one.Paused = true
	if _, err := b.Save(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	other, err := b.Save(t.Context(), beckon.Template{ProjectID: b.project.ID, Name: "release", Task: beckon.NewTask{Title: "Release"}})
	if err != nil || other.NextAt != 0 {
		t.Fatal(other, err)
	}
	b.now = b.now.Add(24 * time.Hour)
	if _, some := b.round(t.Context()); len(b.cards()) != 0 || some {
		t.Errorf("cards %+v, looks again: %t", b.cards(), some)
	}
	if task, err := b.RunNamed(t.Context(), "release", "kes"); err != nil || task.Key != "KES-1" {
		t.Errorf("asked for by name: %+v, %v", task, err)
	}
	if _, err := b.RunNamed(t.Context(), "nothing", ""); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestWhatTheBoardRefusesIsSaidAndTriedAtTheNextTime(t *testing.T) {
	t.Parallel()
	b := begin(t)
	one := b.hourly(beckon.MissedOnce)
	b.refusal = b.project.CheckTrust()
	b.now = time.UnixMilli(one.NextAt)
	b.round(t.Context())
	now := b.read(one.ID)
	if now.Refusal == nil || now.Refusal.Code != reason.Code(problem.Untrusted) {
		t.Fatalf("template %+v", now)
	}
	b.refusal, b.now = nil, time.UnixMilli(now.NextAt)
	b.round(t.Context())
	if now := b.read(one.ID); len(b.cards()) != 1 || now.Refusal != nil {
		t.Errorf("%d cards, template %+v", len(b.cards()), now)
	}
}

func TestWhatIsNoTemplateIsRefused(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.hourly(beckon.MissedOnce)
	good := beckon.Template{ProjectID: b.project.ID, Name: "other", Task: beckon.NewTask{Title: "Do"}}
	for want, edit := range map[problem.Kind]func(*beckon.Template){
		problem.TemplateName:  func(t *beckon.Template) { t.Name = "Two words" },
		problem.TemplateTaken: func(t *beckon.Template) { t.Name = "deps" },
		problem.NoTitle:       func(t *beckon.Template) { t.Task.Title = " " },
	} {
		bad := good
		edit(&bad)
		_, err := b.Save(t.Context(), bad)
		if kind, _ := problem.From(err); kind != want {
			t.Errorf("%+v: %v, want %s", bad, err, want)
		}
	}
	for _, schedule := range []string{"@daily", "* * * * * *", "61 * * * *", "0 7", "x", "0 0 31 2 *"} {
		bad := good
		bad.Schedule = schedule
		_, err := b.Save(t.Context(), bad)
		if kind, _ := problem.From(err); kind != problem.Schedule {
			t.Errorf("%q: %v", schedule, err)
		}
	}
}

func TestTimesAreThoseOfTheWallThroughSummerTime(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ schedule, after, want string }{
		{"0 7 * * 1-5", "2026-03-27 08:00", "2026-03-30 07:00"}, // over the weekend in which the clocks go forward
		{"0 7 * * *", "2026-10-24 08:00", "2026-10-25 07:00"},   // and back
		{"30 2 * * *", "2026-03-29 00:00", "2026-03-30 02:30"},  // a time that this day has not
	} {
		after, err := time.ParseInLocation("2006-01-02 15:04", c.after, berlin)
		if err != nil {
			t.Fatal(err)
		}
		got, err := next(c.schedule, after)
		if err != nil || got.Format("2006-01-02 15:04") != c.want {
			t.Errorf("%s after %s is %s, want %s (%v)", c.schedule, c.after, got, c.want, err)
		}
	}
}
