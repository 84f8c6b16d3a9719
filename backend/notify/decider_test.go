package notify

import (
	"fmt"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	"beckon/backend/beckon"
	"beckon/backend/beckon/notifying"
)

// desk is a decider with a task whose agent works, at a time that the test sets.
type desk struct {
	*Decider
	t   *testing.T
	now time.Time
	did []string
}

func newDesk(t *testing.T, now time.Time, change func(*notifying.Settings)) *desk {
	d := &desk{Decider: NewDecider(), t: t, now: now}
	s := beckon.DefaultSettings()
	if change != nil {
		change(&s.Notify)
	}
	d.Begin([]beckon.Event{
		{Settings: &s},
		{Task: &beckon.Task{ID: "t1", Key: "KES-1", Status: beckon.Running}},
		{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Kind: beckon.TaskRun, Phase: beckon.Working}},
	}, now)
	return d
}

func (d *desk) hear(e beckon.Event) { d.note(d.OnEvent(e, d.now)) }

// at moves the clock, and does what is due then.
func (d *desk) at(now time.Time) {
	d.now = now
	d.note(d.Tick(now))
}

func (d *desk) note(all []notifying.Notice) {
	for _, n := range all {
		text := fmt.Sprintf("%s %s %s", n.Why, n.Kind, n.ID)
		if n.Over {
			text = "over " + n.ID
		} else if n.ID == notifying.Summary {
			text = fmt.Sprintf("summary of %d and %d", n.Waiting, n.Others)
		}
		if n.Banner {
			text += " banner"
		}
		if n.Sound {
			text += " sound"
		}
		if n.Chime != "" {
			text += " " + n.Chime
		}
		d.did = append(d.did, text)
	}
}

func (d *desk) expect(what string, want ...string) {
	d.t.Helper()
	if !slices.Equal(d.did, want) {
		d.t.Errorf("%s: %q, want %q", what, d.did, want)
	}
	d.did = nil
}

func ask(id string) beckon.Event {
	return beckon.Event{Question: &beckon.Question{ID: id, TaskID: "t1", Kind: beckon.Ask, Settlement: beckon.Open}}
}

func answered(id string) beckon.Event {
	e := ask(id)
	e.Question.Settlement = beckon.Answered
	return e
}

func failed() beckon.Event {
	return beckon.Event{Run: &beckon.Run{ID: "r1", TaskID: "t1", Number: 1, Kind: beckon.TaskRun, Phase: beckon.Ended, Outcome: beckon.Failed}}
}

// only has one kind told so, and all others in no way.
func only(kind notifying.Kind, how notifying.How) func(*notifying.Settings) {
	return func(s *notifying.Settings) {
		for _, one := range notifying.Kinds {
			s.Tell[one] = notifying.Nothing
		}
		s.Tell[kind] = how
	}
}

func noon() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }

func night(s *notifying.Settings) { s.QuietFrom, s.QuietTo = 22*60, 8*60 }

func TestEachKindIsToldAsItsRowSays(t *testing.T) {
	plan, permission := ask("q"), ask("q")
	plan.Question.Kind, permission.Question.Kind = beckon.Plan, beckon.Permission
	happens := map[notifying.Kind]beckon.Event{notifying.Question: ask("q"), notifying.Plan: plan, notifying.Permission: permission, notifying.Failed: failed()}
	for kind, e := range happens {
		for other := range happens {
			d := newDesk(t, noon(), only(kind, notifying.Banner))
			d.hear(happens[other])
			if told := len(d.did) == 1; told != (other == kind) {
				t.Errorf("with banners of %s only, %s is announced: %v", kind, other, told)
			}
		}
		for how, want := range map[notifying.How]notifying.Notice{
			notifying.Both: {Banner: true, Sound: true}, notifying.Banner: {Banner: true}, notifying.Sound: {Chime: "bell"},
		} {
			d := newDesk(t, noon(), only(kind, how))
			if all := d.OnEvent(e, d.now); len(all) != 1 || all[0].Banner != want.Banner || all[0].Sound != want.Sound || all[0].Chime != want.Chime {
				t.Errorf("%s as %s has %+v", kind, how, all)
			}
		}
	}
}

// TestTheSoundOfThePageTakesThePlaceOfTheBanners: two sounds for one question are a fright.
func TestTheSoundOfThePageTakesThePlaceOfTheBanners(t *testing.T) {
	d := newDesk(t, noon(), func(s *notifying.Settings) { s.Chime = "knock" })
	d.hear(ask("q"))
	d.expect("asked", "news question q banner knock")
}

func TestWhatComesInQuietHoursIsToldOnceWhenTheyAreOver(t *testing.T) {
	evening := time.Date(2026, 3, 4, 23, 30, 0, 0, time.UTC)
	d := newDesk(t, evening, night)
	d.hear(ask("q1"))
	d.hear(ask("q2"))
	d.hear(failed())
	d.at(evening.Add(time.Hour)) // past midnight
	d.hear(answered("q2"))
	d.at(time.Date(2026, 3, 5, 7, 59, 59, 0, time.UTC))
	d.expect("while it is quiet")
	if next := d.Next(d.now); next.After(d.now.Add(time.Minute)) {
		t.Errorf("the end of the night is noticed at %s", next)
	}
	morning := time.Date(2026, 3, 5, 8, 0, 0, 0, time.UTC)
	d.at(morning)
	if want := "summary of 1 and 1"; len(d.did) != 1 || d.did[0][:len(want)] != want {
		t.Errorf("in the morning there is %q", d.did)
	}
	d.did = nil
	d.at(morning.Add(time.Hour))
	d.hear(ask("q1"))
	d.expect("later")
}

func TestANightInWhichEverythingWasSettledHasNoSummary(t *testing.T) {
	d := newDesk(t, time.Date(2026, 3, 4, 23, 0, 0, 0, time.UTC), night)
	d.hear(ask("q1"))
	d.hear(answered("q1"))
	d.at(time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC))
	d.expect("in the morning")
}

func TestQuietHoursThatAreSwitchedOffEndAtOnce(t *testing.T) {
	d := newDesk(t, time.Date(2026, 3, 4, 23, 0, 0, 0, time.UTC), night)
	d.hear(ask("q1"))
	s := d.View.Settings
	s.Notify.QuietFrom, s.Notify.QuietTo = 0, 0
	d.hear(beckon.Event{Settings: &s})
	if len(d.did) != 1 {
		t.Errorf("there is %q", d.did)
	}
}

// TestQuietHoursFollowTheClockOnTheWall in the nights in which it is moved, and when the user
// sets it.
func TestQuietHoursFollowTheClockOnTheWall(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		from, to int
		at       time.Time
		quiet    bool
	}{
		{"spring, before the hour that is left out", 2*60 + 30, 4 * 60, time.Date(2026, 3, 29, 0, 59, 0, 0, time.UTC), false},
		{"spring, the hour after it", 2*60 + 30, 4 * 60, time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC), true},
		{"spring, over", 2*60 + 30, 4 * 60, time.Date(2026, 3, 29, 2, 0, 0, 0, time.UTC), false},
		{"autumn, the hour for the first time", 2 * 60, 3 * 60, time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC), true},
		{"autumn, the hour again", 2 * 60, 3 * 60, time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC), true},
		{"autumn, over", 2 * 60, 3 * 60, time.Date(2026, 10, 25, 2, 0, 0, 0, time.UTC), false},
	} {
		d := newDesk(t, c.at.In(berlin), func(s *notifying.Settings) { s.QuietFrom, s.QuietTo = c.from, c.to })
		d.hear(ask("q"))
		if quiet := len(d.did) == 0; quiet != c.quiet {
			t.Errorf("%s: quiet is %v", c.name, quiet)
		}
	}
	d := newDesk(t, time.Date(2026, 3, 4, 23, 0, 0, 0, berlin), night)
	d.hear(ask("q"))
	d.at(time.Date(2026, 3, 4, 12, 0, 0, 0, berlin)) // the clock was wrong, and is set back
	if len(d.did) != 1 {
		t.Errorf("set to noon, there is %q", d.did)
	}
}

func TestAQuestionThatNobodyLookedAtIsToldOnceMore(t *testing.T) {
	remind := func(s *notifying.Settings) { s.RemindMinutes = 10 }
	d := newDesk(t, noon(), remind)
	d.hear(ask("q1"))
	d.hear(ask("seen"))
	d.hear(ask("settled"))
	d.LookedAt("seen")
	d.hear(answered("settled"))
	d.did = nil
	if next := d.Next(d.now); !next.Equal(noon().Add(10 * time.Minute)) {
		t.Errorf("it is due at %s", next)
	}
	d.at(noon().Add(9*time.Minute + 59*time.Second))
	d.expect("before")
	d.at(noon().Add(10 * time.Minute))
	if len(d.did) != 1 || d.did[0][:len("again question q1")] != "again question q1" {
		t.Errorf("after 10 minutes there is %q", d.did)
	}
	d.did = nil
	d.at(noon().Add(time.Hour))
	d.expect("later")
	if next := d.Next(d.now); !next.IsZero() {
		t.Errorf("something is due at %s", next)
	}

	d = newDesk(t, noon(), func(s *notifying.Settings) { only(notifying.Question, notifying.Nothing)(s); remind(s) })
	d.hear(ask("q1"))
	d.at(noon().Add(time.Hour))
	d.expect("of a kind that is not told")

	d = newDesk(t, noon(), nil)
	d.hear(ask("q1"))
	d.did = nil
	d.at(noon().Add(24 * time.Hour))
	d.expect("where no reminder is wanted")
}

// TestAReminderKeepsQuietHours and comes, counted from the summary, after them.
func TestAReminderKeepsQuietHours(t *testing.T) {
	d := newDesk(t, time.Date(2026, 3, 4, 21, 55, 0, 0, time.UTC), func(s *notifying.Settings) { night(s); s.RemindMinutes = 10 })
	d.hear(ask("before"))
	d.did = nil
	d.at(time.Date(2026, 3, 4, 22, 5, 0, 0, time.UTC))
	d.hear(ask("within"))
	d.expect("at night")
	if next := d.Next(d.now); next.Before(d.now.Add(time.Minute)) {
		t.Errorf("it looks again at %s, and does nothing then", next)
	}
	d.at(time.Date(2026, 3, 5, 8, 0, 0, 0, time.UTC))
	if len(d.did) != 2 || d.did[0][:7] != "summary" || d.did[1][:len("again question before")] != "again question before" {
		t.Errorf("in the morning there is %q", d.did)
	}
	d.did = nil
	d.at(time.Date(2026, 3, 5, 8, 10, 0, 0, time.UTC))
	if len(d.did) != 1 || d.did[0][:len("again question within")] != "again question within" {
		t.Errorf("later there is %q", d.did)
	}
}
