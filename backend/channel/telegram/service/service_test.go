package service

import (
	"errors"
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
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
		s := New(Parts{Token: func() (string, error) { return "", c.err }, Changed: func() {}})
		if err := s.Start(t.Context()); !errors.Is(err, c.err) {
			t.Errorf("%v, want %v", err, c.err)
		}
		if says, _ := s.Trouble(); says != c.says || s.State().On {
			t.Errorf("%v: says %q", c.err, says)
		}
	}
}
