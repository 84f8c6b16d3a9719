package away_test

import (
	"context"
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/store"
	"beckon/backend/store/away"

	"github.com/google/go-cmp/cmp"
)

const mira, crew, moved int64 = 501, -42, -10042

func pairedBook(t *testing.T, dir string) (away.Paired, func()) {
	t.Helper()
	s, err := store.Open(context.WithoutCancel(t.Context()), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.Paired, func() { _ = s.Close() }
}

// done fails the test where one of several changes failed.
func done(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestPairsOutliveBeckon(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	b, closed := pairedBook(t, dir)
	steer := remote.Rights{Questions: true, Steer: true}
	done(
		t, b.Add(ctx, away.Person{ID: mira, Name: "@mira"}, away.Chat{ID: mira, Name: "Mira", Language: "de", Private: true}),
		b.AddGroup(ctx, away.Chat{ID: crew, Name: "Crew", Forum: true}),
		b.Allow(ctx, crew, steer), b.AllowPerson(ctx, mira, steer), b.Answered(ctx, mira),
		b.Show(ctx, crew, []string{"p"}, []beckon.QuestionKind{beckon.Plan}), b.Mute(ctx, crew, 7),
		b.AddTopic(ctx, crew, "p", 5), b.AddTopic(ctx, crew, "q", 6), b.AddTopic(ctx, crew, "q", 0),
		// Paired again, they keep what they may.
		b.Add(ctx, away.Person{ID: mira, Name: "@mira2"}, away.Chat{ID: mira, Private: true}),
		b.AddGroup(ctx, away.Chat{ID: crew, Name: "The crew", Forum: true}),
	)
	_, err := b.Key(ctx, []byte("the first"))
	done(t, err, b.SaveOffset(ctx, 7, 3), b.SaveOffset(ctx, 7, 4), b.SaveOffset(ctx, 8, 1))
	closed()
	b, _ = pairedBook(t, dir)
	if offset, err := b.Offset(ctx, 7); err != nil || offset != 4 {
		t.Errorf("%d, %v", offset, err)
	}
	if key, err := b.Key(ctx, []byte("another")); err != nil || string(key) != "the first" {
		t.Errorf("%q, %v", key, err)
	}
	if offset, err := b.Offset(ctx, 9); err != nil || offset != 0 {
		t.Errorf("%d, %v", offset, err)
	}
	chats, err := b.Chats(ctx)
	done(t, err)
	people, err := b.People(ctx)
	done(t, err)
	if len(chats) != 2 || len(people) != 1 || people[0].Last == 0 || people[0].Since == 0 {
		t.Fatalf("%+v %+v", chats, people)
	}
	people[0].Last, people[0].Since = 0, 0
	if diff := cmp.Diff(away.Person{ID: mira, Name: "@mira2", Rights: steer}, people[0]); diff != "" {
		t.Error(diff)
	}
	group, err := b.Chat(ctx, crew)
	done(t, err)
	group.Since = 0
	want := away.Chat{
		ID: crew, Name: "The crew", Forum: true, Rights: steer, Projects: []string{"p"},
		Kinds:      []beckon.QuestionKind{beckon.Plan},
		MutedUntil: 7, Topics: map[string]int{"p": 5},
	}
	if diff := cmp.Diff(want, group); diff != "" {
		t.Error(diff)
	}
	if private, err := b.Chat(ctx, mira); err != nil || private.Rights != (remote.Rights{Questions: true}) {
		t.Errorf("who was just paired may %+v, %v", private.Rights, err)
	}
}

func TestWhoIsUnpairedIsGone(t *testing.T) {
	t.Parallel()
	b, _ := pairedBook(t, t.TempDir())
	ctx := t.Context()
	done(
		t, b.Add(ctx, away.Person{ID: mira}, away.Chat{ID: mira, Private: true}),
		b.AddGroup(ctx, away.Chat{ID: crew}), b.Unpair(ctx, mira), b.Unpair(ctx, mira),
	)
	_, err := b.Chat(ctx, mira)
	_, err2 := b.Person(ctx, mira)
	if !errors.Is(err, beckon.ErrNotFound) || !errors.Is(err2, beckon.ErrNotFound) {
		t.Errorf("%v, %v", err, err2)
	}
	done(t, b.Add(ctx, away.Person{ID: mira}, away.Chat{ID: mira, Private: true}), b.UnpairPerson(ctx, mira))
	if chats, err := b.Chats(ctx); err != nil || len(chats) != 1 {
		t.Errorf("%+v, %v", chats, err)
	}
}

func TestAGroupThatMovesKeepsItsRights(t *testing.T) {
	t.Parallel()
	b, _ := pairedBook(t, t.TempDir())
	ctx, all := t.Context(), remote.Rights{Questions: true, Plans: true, Commands: true, Steer: true, Elsewhere: true}
	done(
		t, b.AddGroup(ctx, away.Chat{ID: crew}), b.Allow(ctx, crew, all), b.AddTopic(ctx, crew, "p", 5),
		b.Move(ctx, crew, moved), b.Move(ctx, crew, moved), // the service says it twice
	)
	got, err := b.Chat(ctx, moved)
	if err != nil || got.Rights != all || len(got.Topics) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := b.Chat(ctx, crew); !errors.Is(err, beckon.ErrNotFound) {
		t.Error(err)
	}
}
