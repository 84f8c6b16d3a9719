package telegram

import (
	"context"
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/access"
	"beckon/backend/store"
	"beckon/backend/store/away"
)

var (
	_ Pairs = Paired{}
	_ Book  = Told{}
)

const serviceMira = 501

func TestWhoShowsTheCodeIsPairedOnTheDisk(t *testing.T) {
	t.Parallel()
	s, err := store.Open(context.WithoutCancel(t.Context()), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := Paired{s.Paired, s.Told, &access.Codes{}, func(context.Context) error { return nil }}
	code, _, err := p.Codes.Issue()
	if err != nil {
		t.Fatal(err)
	}
	who, chat := away.Person{ID: serviceMira, Name: "@mira"}, away.Chat{ID: serviceMira, Private: true}
	if err := p.Pair(t.Context(), "WRONG", who, chat); !errors.Is(err, beckon.ErrInvalid) {
		t.Error(err)
	}
	if err := p.Pair(t.Context(), code, who, chat); err != nil {
		t.Error(err)
	}
	if got, err := p.Person(t.Context(), serviceMira); err != nil || got.Rights != (remote.Rights{Questions: true}) {
		t.Errorf("%+v, %v", got, err)
	}
}
