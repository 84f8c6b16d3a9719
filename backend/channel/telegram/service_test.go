package telegram

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/access"
	"beckon/backend/store"
	"beckon/tests/telegramtest"
	"beckon/tests/timeout"
)

func TestQuestionsAreNewsInTheOrderOfAsking(t *testing.T) {
	t.Parallel()
	r := &running{news: map[string]how{}, wake: make(chan struct{}, 1)}
	for _, n := range []struct {
		question string
		is       how
	}{{"b", ofTask}, {"a", known}, {"c", elsewhere}, {"a", ofTask}, {"b", known}} {
		r.changed(n.question, n.is)
	}
	if !slices.Equal(r.order, []string{"b", "a", "c"}) || r.news["a"] != ofTask || r.news["b"] != ofTask || r.news["c"] != elsewhere {
		t.Errorf("%v %v", r.order, r.news)
	}
}

func TestATokenThatCannotBeReadIsSaid(t *testing.T) {
	t.Parallel()
	locked := errors.New("the key ring is locked")
	for _, c := range []struct {
		err  error
		says remote.Trouble
	}{{locked, remote.Keyless}, {beckon.Invalid("there is none"), ""}} {
		s := NewService(Parts{Token: func() (string, error) { return "", c.err }, Changed: func() {}})
		if err := s.Start(t.Context()); !errors.Is(err, c.err) {
			t.Errorf("%v, want %v", err, c.err)
		}
		if says, _ := s.Trouble(); says != c.says || s.State().On {
			t.Errorf("%v: says %q", c.err, says)
		}
	}
}

// nothingAsked is a desk where nothing waits.
type nothingAsked struct{ Desk }

func (nothingAsked) Open(context.Context) ([]Asked, error) { return nil, nil }

// TestABotThatAnotherBeckonUsesIsLeftToIt: it polls no more, says why, and comes back
// when it is switched on again.
func TestABotThatAnotherBeckonUsesIsLeftToIt(t *testing.T) {
	t.Parallel()
	db, err := store.Open(context.WithoutCancel(t.Context()), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	theirs := telegramtest.New(t)
	s := NewService(Parts{
		Server: theirs.URL, Rows: db.Told, Pairs: db.Paired, Codes: &access.Codes{}, Desk: nothingAsked{}, Mask: func(s string) string { return s },
		Token: func() (string, error) { return telegramtest.Token, nil }, Key: func() ([]byte, error) { return []byte("a key of tests"), nil },
		Leaves: func() (bool, bool) { return false, false }, Elsewhere: func() bool { return false }, Zone: time.UTC, Changed: func() {},
	})
	t.Cleanup(s.Stop)
	theirs.Fail(telegramtest.Fault{Method: "getUpdates", Status: 409, Times: 3})
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		s.now.over.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(timeout.For(time.Minute)):
		t.Fatal("it goes on")
	}
	if says, _ := s.Trouble(); says != remote.Taken || len(theirs.Calls("getUpdates")) != 3 {
		t.Errorf("it says %q after %d polls", says, len(theirs.Calls("getUpdates")))
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	theirs.Person(serviceMira, "Mira").Type(serviceMira, "/help")
	theirs.WaitMessage(serviceMira, "private Beckon")
	if says, _ := s.Trouble(); says != "" {
		t.Errorf("once it is switched on again it says %q", says)
	}
}
