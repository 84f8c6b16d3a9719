package real

import (
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// asksWhich is what a model says that asks which database to take.
var asksWhich = fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which database?", "Store", "SQLite", "Postgres", "Files"))}

// changed is what a model reads of a change.
const changed = "The user has changed that answer"

// change gives the question another answer than the one after so many changes.
func change(s *fixture.Fixture, q beckon.Question, changes int, label string) {
	client.Must[any](s.Program, "ChangeAnswer", q.ID, changes, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{label}}}})
}

// heardChange waits until the model is known to have the answer after so many
// changes, and returns the question's runs when the last of them is over.
func heardChange(t *testing.T, s *fixture.Fixture, taskID string, changes int) []beckon.Run {
	t.Helper()
	s.Until("the change is acknowledged", patience, func() bool {
		q := client.Must[[]beckon.Question](s.Program, "Questions", taskID)[0]
		return q.Delivered != 0 && len(q.Earlier) == changes
	})
	s.InReview(taskID)
	runs := client.Must[[]beckon.Run](s.Program, "Runs", taskID)
	for _, run := range runs {
		if run.Session != runs[0].Session {
			t.Errorf("runs %+v; want one session", runs)
		}
	}
	return runs
}

// toldLast holds that the model's last request has this answer as the one that
// holds, behind so many changes that it was told of.
func toldLast(t *testing.T, s *fixture.Fixture, label string, changes int) {
	t.Helper()
	last := string(newest(t, s).Messages)
	i := strings.LastIndex(last, changed)
	if i < 0 || !strings.HasPrefix(last[i:], changed+`. What holds now is:\n\"Which database?\" → \"`+label+`\"`) {
		t.Errorf("the model was not told %s last: %.8000s", label, last)
	}
	if n := strings.Count(last, changed); n != changes {
		t.Errorf("the model was told of %d changes, want %d: %.8000s", n, changes, last)
	}
}

// TestAChangedAnswerReachesTheSessionOnce: the turn that goes by the first answer is
// cut, whatever it is at, and the next one begins with the change.
func TestAChangedAnswerReachesTheSessionOnce(t *testing.T) {
	t.Parallel()
	for name, busy := range map[string]fixture.Turn{"text": atLength, "tool": bash("until test -e never; do sleep 2.5; done"), "question": {
		"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which port?", "Port", "1", "2")),
	}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fixture.New(t, asksWhich, busy, fixture.Turn{"text": "Postgres it is."})
			task := s.Create(beckon.NewTask{Title: "Choose"})
			q := s.Asked(task.ID, "Which database?")
			s.Answer(q, "SQLite")
			switch name {
			case "text":
				doing(s, task.ID, beckon.Writing)
			case "tool":
				runs(s, "sleep 2.5")
			default:
				s.Asked(task.ID, "Which port?")
			}
			change(s, q, 0, "Postgres")
			if runs := heardChange(t, s, task.ID, 1); len(runs) != 1 || runs[0].Outcome != beckon.Succeeded {
				t.Errorf("runs %+v; want one that succeeded", runs)
			}
			s.Heard("[Request interrupted by user")
			toldLast(t, s, "Postgres", 1)
		})
	}
}

// TestAnAnswerIsChangedTwiceInTheMomentOfItsKey, before the first can have been
// heard: the model goes by the last.
func TestAnAnswerIsChangedTwiceInTheMomentOfItsKey(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, asksWhich, fixture.Turn{"text": "Noted."}, fixture.Turn{"text": "Noted."}, fixture.Turn{"text": "Noted."})
	task := s.Create(beckon.NewTask{Title: "Choose"})
	q := s.Asked(task.ID, "Which database?")
	s.Answer(q, "SQLite")
	change(s, q, 0, "Postgres")
	change(s, q, 1, "Files")
	heardChange(t, s, task.ID, 2)
	last := string(newest(t, s).Messages)
	if i := strings.LastIndex(last, changed); i < 0 || !strings.HasPrefix(last[i:], changed+`. What holds now is:\n\"Which database?\" → \"Files\"`) {
		t.Errorf("the model was not told Files last: %.8000s", last)
	}
	for _, r := range client.Must[[]beckon.Run](s.Program, "Runs", task.ID) {
		if !slices.Contains([]beckon.Outcome{beckon.Succeeded}, r.Outcome) {
			t.Errorf("run %d: %s, %s", r.Number, r.Outcome, r.Reason)
		}
	}
}

// TestAnAnswerIsChangedWhoeverIsDead: after the run's end, after its claude was killed
// by kill -9 on the first answer, and in the moment in which Beckon is.
func TestAnAnswerIsChangedWhoeverIsDead(t *testing.T) {
	t.Parallel()
	done := fixture.Turn{"text": "Done."}
	t.Run("after the end", func(t *testing.T) {
		t.Parallel()
		s := fixture.New(t, asksWhich, done, done)
		task := s.Create(beckon.NewTask{Title: "Choose"})
		q := s.Asked(task.ID, "Which database?")
		s.Answer(q, "SQLite")
		s.InReview(task.ID)
		change(s, q, 0, "Postgres")
		if runs := heardChange(t, s, task.ID, 1); len(runs) != 2 {
			t.Errorf("%d runs, want one that was resumed", len(runs))
		}
		toldLast(t, s, "Postgres", 1)
	})
	t.Run("claude", func(t *testing.T) {
		t.Parallel()
		s := fixture.New(t, asksWhich, bash("sleep 60"), done)
		task := s.Create(beckon.NewTask{Title: "Choose"})
		q := s.Asked(task.ID, "Which database?")
		s.Answer(q, "SQLite")
		doing(s, task.ID, beckon.Executing)
		s.WrittenDown("sleep 60")
		killAgents(t, s.Task(task.ID).Worktree)
		change(s, q, 0, "Postgres")
		heardChange(t, s, task.ID, 1)
		toldLast(t, s, "Postgres", 1)
	})
	t.Run("beckon", func(t *testing.T) {
		t.Parallel()
		s := fixture.New(t, asksWhich, bash("sleep 60"), done, done)
		task := s.Create(beckon.NewTask{Title: "Choose"})
		q := s.Asked(task.ID, "Which database?")
		s.Answer(q, "SQLite")
		doing(s, task.ID, beckon.Executing)
		s.WrittenDown("sleep 60")
		change(s, q, 0, "Postgres")
		s.Slay()
		heardChange(t, s, task.ID, 1)
		toldLast(t, s, "Postgres", 1)
	})
}
