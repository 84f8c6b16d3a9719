package spare

import (
	"context"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/timeout"
)

// repo says what it was asked for.
type repo chan string

func (r repo) FillSpares(_ context.Context, base string) error { r <- "fill " + base; return nil }

func (r repo) ClearSpares(context.Context) error { r <- "clear"; return nil }

func (r repo) next(t *testing.T) string {
	t.Helper()
	select {
	case done := <-r:
		return done
	case <-time.After(timeout.For(10 * time.Second)):
		t.Fatal("nothing was done")
		return ""
	}
}

func TestSparesFollowTheProject(t *testing.T) {
	t.Parallel()
	r, k := make(repo, 10), NewKeeper()
	k.rest = 0
	p := beckon.Project{ID: "p", Git: true, Trusted: true, Base: "main"}
	k.Start(func(beckon.Project) KeeperRepo { return r }, []beckon.Project{p})
	for i, c := range []struct {
		change func()
		want   string
	}{
		{func() {}, "clear"}, // what was left of a time when it was on
		{func() { p.Scripts = beckon.ScriptSet{Spare: true} }, "fill main"},
		{func() { p.Base = "trunk" }, "fill trunk"},
		{func() { k.OnEvent(beckon.Event{Task: &beckon.Task{ID: "t", ProjectID: "p", Worktree: "/w"}}) }, "fill trunk"},
		{func() { p.Trusted = false }, "clear"},
		{func() { p.Trusted = true }, "fill trunk"},
		{func() { k.OnEvent(beckon.Event{Gone: "p"}) }, "clear"},
	} {
		c.change()
		if now := p; c.want != "clear" || i == 4 {
			k.OnEvent(beckon.Event{Project: &now})
		}
		if got := r.next(t); got != c.want {
			t.Errorf("step %d: %s, want %s", i, got, c.want)
		}
	}
	k.Close()
	k.OnEvent(beckon.Event{Task: &beckon.Task{ID: "u", ProjectID: "p", Worktree: "/v"}})
	time.Sleep(20 * time.Millisecond)
	if len(r) > 0 {
		t.Error("it works on after Close")
	}
}
