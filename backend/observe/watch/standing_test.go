package watch

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/timeout"
)

// TestAStandingAnswerIsLookedForOnceTheHookWaits, in whichever order what it takes
// comes, and never for what a terminal or its keys answer.
func TestAStandingAnswerIsLookedForOnceTheHookWaits(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 8)
	s := NewStanding(StandingConfig{Answer: func(_ context.Context, id, projectID string) error {
		asked <- id + " in " + projectID
		return nil
	}, Projects: func(context.Context) ([]beckon.Project, error) {
		return []beckon.Project{{ID: "all", Dir: "/src"}, {ID: "kestrel", Dir: "/src/kestrel"}}, nil
	}})
	session := func(dir, repo, id string, way beckon.AnswerWay) {
		s.OnSession(beckon.OutsideSession{ID: id, Dir: dir, Repo: repo, Asks: []beckon.OutsideAsk{{QuestionID: id, Way: way}}})
	}
	question := func(id string, settlement beckon.Settlement) {
		s.OnQuestion(beckon.Question{ID: id, Origin: "elsewhere", Settlement: settlement})
	}
	expect := func(want string) {
		t.Helper()
		select {
		case got := <-asked:
			if got != want {
				t.Errorf("looked for %q, want %q", got, want)
			}
		case <-time.After(timeout.For(30 * time.Second)):
			t.Errorf("not looked for %q", want)
		}
	}
	session("/src/kestrel/plan", "", "terminal", beckon.WayTerminal)
	question("terminal", beckon.Open)
	session("/src/kestrel", "", "keys", beckon.WayKeys)
	question("keys", beckon.Open)
	s.OnQuestion(beckon.Question{ID: "own", Settlement: beckon.Open})
	session("/src/kestrel", "", "own", beckon.WayHook)
	session("/src/kestrel", "", "settled", beckon.WayHook)
	question("settled", beckon.Withdrawn)
	session("/src/kestrel-old", "", "outer", beckon.WayHook)
	question("outer", beckon.Open)
	expect("outer in all")

	question("hook", beckon.Open)
	session("/src/kestrel/plan", "", "hook", beckon.WayTerminal)
	session("/src/kestrel/plan", "", "hook", beckon.WayHook)
	expect("hook in kestrel")
	session("/src/kestrel/plan", "", "hook", beckon.WayHook)

	question("worktree", beckon.Open)
	session("/tmp/fix", "", "worktree", beckon.WayHook) // in no project, as far as is known
	session("/tmp/fix", "/src/kestrel", "worktree", beckon.WayHook)
	expect("worktree in kestrel")
	if len(asked) > 0 {
		t.Errorf("also looked for %q", <-asked)
	}
}

// TestNothingIsAnsweredOnceTheStoreMayBeClosed: Close waits for the answer that is being
// given, and none is looked for afterwards.
func TestNothingIsAnsweredOnceTheStoreMayBeClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int32
		s := NewStanding(StandingConfig{Answer: func(context.Context, string, string) error {
			time.Sleep(time.Minute)
			given.Add(1)
			return nil
		}, Projects: func(context.Context) ([]beckon.Project, error) {
			return []beckon.Project{{ID: "all", Dir: "/src"}}, nil
		}})
		ask := func(id string) {
			s.OnQuestion(beckon.Question{ID: id, Origin: "elsewhere", Settlement: beckon.Open})
			s.OnSession(beckon.OutsideSession{ID: id, Dir: "/src", Asks: []beckon.OutsideAsk{{QuestionID: id, Way: beckon.WayHook}}})
		}
		ask("before")
		s.Close()
		if given.Load() != 1 {
			t.Error("an answer is still being given")
		}
		ask("after")
		synctest.Wait()
		time.Sleep(time.Hour)
		if given.Load() != 1 {
			t.Error("an answer was looked for afterwards")
		}
	})
}
