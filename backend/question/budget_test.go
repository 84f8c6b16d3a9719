package question

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/beckon"
)

// flooded asks n questions at once, made by which, and returns how many of
// them were refused when all others are shown.
func (r *room) flooded(t *testing.T, n int, which func(int) beckon.Question) (refused int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	t.Cleanup(func() { cancel(); all.Wait() })
	results := make(chan error, n)
	for i := range n {
		all.Go(func() {
			_, err := r.Ask(ctx, which(i))
			results <- err
		})
	}
	deadline := time.After(patience)
	for shown := 0; shown+refused < n; {
		select {
		case <-r.events:
			shown++
		case err := <-results:
			if !errors.Is(err, ErrFlood) {
				t.Fatalf("a question came back with %v", err)
			}
			refused++
		case <-deadline:
			t.Fatalf("%d are shown and %d refused of %d", shown, refused, n)
		}
	}
	return refused
}

func (r *room) recorded(t *testing.T) int {
	t.Helper()
	open, err := r.store.OpenQuestions(t.Context())
	must(t, err)
	return len(open)
}

// shows fails unless q reaches the user.
func (r *room) shows(t *testing.T, q beckon.Question) {
	t.Helper()
	if refused := r.flooded(t, 1, func(int) beckon.Question { return q }); refused != 0 {
		t.Errorf("a question of %q is refused", q.RunID)
	}
}

func TestARunThatFloodsBuriesNobodysQuestions(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	const asked = 1000
	refused := r.flooded(t, asked, func(i int) beckon.Question { return r.which(fmt.Sprint("flood ", i)) })
	most := budgets.Run.Open
	if n := r.recorded(t); refused != asked-most || n != most {
		t.Errorf("%d of %d are refused and %d recorded; want %d recorded", refused, asked, n, most)
	}
	want := beckon.Flood{TaskID: r.task.ID, Refused: refused}
	if f := r.Floods().Floods; len(f) != 1 || f[0] != want {
		t.Errorf("the floods are %+v; want %+v", f, want)
	}

	other := r.which("another run's")
	other.RunID = r.addRun(t).ID
	r.shows(t, other)
	r.shows(t, r.client(t))
}

// client returns the question of a program outside that has just come in.
func (r *room) client(t *testing.T) beckon.Question {
	t.Helper()
	run := beckon.Run{Kind: beckon.ExternalRun}
	must(t, r.store.AddRun(t.Context(), &run))
	q := r.which("from outside")
	q.TaskID, q.RunID, q.Origin = "", run.ID, "other-agent · /work"
	return q
}

func TestClientsThatFloodLeaveRoomForTasks(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	one := r.client(t)
	const asked = 100
	if refused := r.flooded(t, asked, func(int) beckon.Question { return one }); refused != asked-budgets.Client.Open {
		t.Errorf("%d of the %d questions of one client are refused; it may have %d", refused, asked, budgets.Client.Open)
	}

	clients := make([]beckon.Question, 300)
	for i := range clients {
		clients[i] = r.client(t)
	}
	r.flooded(t, len(clients), func(i int) beckon.Question { return clients[i] })
	if n := r.recorded(t); n != budgets.Clients.Open {
		t.Errorf("%d questions of clients are recorded; want %d", n, budgets.Clients.Open)
	}
	if f := r.Floods().Floods; len(f) != 1 || f[0].TaskID != "" || f[0].Origin != one.Origin {
		t.Errorf("the floods are %+v; want the clients' one", f)
	}
	r.shows(t, r.which("a task's own"))
}

func TestAllTogetherHaveABudgetToo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.ledger.budgets.All.Open = 3
	r.flooded(t, 3, func(i int) beckon.Question { return r.which(fmt.Sprint(i)) })
	other := r.which("another run's")
	other.RunID = r.addRun(t).ID
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := r.Ask(ctx, other); !errors.Is(err, ErrFlood) || !strings.Contains(err.Error(), "3 wait for the user's answer already, the most for all agents together") {
		t.Errorf("the fourth question came back with %v", err)
	}
}

// TestAnAgentThatAsksInALoopIsSlowedDown: also one that a standing answer
// serves, each time with a row.
func TestAnAgentThatAsksInALoopIsSlowedDown(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	now := time.Unix(6000, 0)
	r.ledger.now = func() time.Time { return now }
	q := r.which("Which one?")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for i := range budgets.Run.PerMinute {
		if _, err := r.Ask(stopped, q); errors.Is(err, ErrFlood) {
			t.Fatalf("question %d: %v", i, err)
		}
	}
	_, err := r.Ask(stopped, q)
	if !errors.Is(err, ErrFlood) || !strings.Contains(err.Error(), "Wait a minute") {
		t.Errorf("one question more came back with %v", err)
	}
	now = now.Add(time.Minute)
	r.shows(t, q)
}

// TestAProgramThatAsksInALoopIsSlowedDown: by its own rate, and where it comes
// in again each time, by that of all programs outside.
func TestAProgramThatAsksInALoopIsSlowedDown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		again bool // it comes in again for each question
		most  int
		who   string
	}{
		"one connection":   {false, budgets.Client.PerMinute, "one program"},
		"many connections": {true, budgets.Clients.PerMinute, "all programs outside Beckon together"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLedger(func(beckon.Event) {}, func() time.Time { return time.Unix(6000, 0) })
			ask := func(i int) error {
				q := beckon.Question{RunID: "run", Origin: "other-agent · /work"}
				if c.again {
					q.RunID = fmt.Sprint("run", i)
				}
				leave, err := l.admit(q)
				if err == nil {
					leave() // it was answered at once
				}
				return err
			}
			for i := range c.most {
				if err := ask(i); err != nil {
					t.Fatalf("question %d: %v", i, err)
				}
			}
			if err := ask(c.most); !errors.Is(err, ErrFlood) || !strings.Contains(err.Error(), "Wait a minute") || !strings.Contains(err.Error(), c.who) {
				t.Errorf("one question more came back with %v", err)
			}
			if f := l.present().Floods; len(f) != 1 || f[0].Origin != "other-agent · /work" || f[0].Refused != 1 {
				t.Errorf("the page hears of %+v", f)
			}
		})
	}
}

func TestAFloodIsOverWhenNothingIsRefusedAnyMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told atomic.Pointer[beckon.Floods]
		events := 0
		l := newLedger(func(e beckon.Event) { told.Store(e.Floods); events++ }, time.Now)
		l.budgets.Run.Open = 0
		for range 500 {
			if _, err := l.admit(beckon.Question{TaskID: "t", RunID: "r"}); !errors.Is(err, ErrFlood) {
				t.Fatal(err)
			}
			time.Sleep(time.Second / 10)
		}
		time.Sleep(pulse)
		synctest.Wait()
		if f := told.Load(); len(f.Floods) != 1 || f.Floods[0].TaskID != "t" || f.Floods[0].Refused != 500 {
			t.Errorf("clients heard of %+v", f)
		}
		if events > 55 {
			t.Errorf("%d events in 50 s", events)
		}
		time.Sleep(calm - 3*time.Second)
		if f := l.present(); len(f.Floods) != 1 {
			t.Error("the flood is over too early")
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if f := told.Load(); len(f.Floods) != 0 {
			t.Errorf("the flood is not over: %+v", f)
		}
	})
}
