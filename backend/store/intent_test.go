package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
)

func TestWhatGitWasAboutToDoIsKnownAfterARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	ctx := t.Context()
	p := addProject(t, s, "KES")
	open, over, deleted := addTask(t, s, p.ID), addTask(t, s, p.ID), addTask(t, s, p.ID)
	err := errors.Join(
		s.Intents.Save(ctx, open.ID, IntentMerge), s.Intents.Save(ctx, open.ID, IntentUpdate),
		s.Intents.Save(ctx, over.ID, IntentMerge),
		s.Intents.Drop(ctx, over.ID), s.Intents.Drop(ctx, over.ID), s.Intents.Save(ctx, deleted.ID, IntentResolve),
		s.DeleteTask(ctx, deleted.ID), s.Close())
	if err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	all, err := s.Intents.All(ctx)
	same(t, all, map[string]IntentKind{open.ID: IntentUpdate}, err)
	err = s.Intents.SaveTurn(ctx, over.ID, IntentAgain, 17)
	step, err2 := s.Intents.Turn(ctx, over.ID)
	same(t, step, int64(17), errors.Join(err, err2))
	step, err = s.Intents.Turn(ctx, open.ID)
	same(t, step, int64(0), err)
	if err := s.Intents.Save(ctx, deleted.ID, IntentMerge); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("of a task that is gone: %v", err)
	}
}
