package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store/intent"
)

func TestWhatGitWasAboutToDoIsKnownAfterARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	ctx := t.Context()
	p := addProject(t, s, "KES")
	open, over, deleted := addTask(t, s, p.ID), addTask(t, s, p.ID), addTask(t, s, p.ID)
	err := errors.Join(
		s.Intents.Put(ctx, open.ID, intent.Merge), s.Intents.Put(ctx, open.ID, intent.Update), s.Intents.Put(ctx, over.ID, intent.Merge),
		s.Intents.Drop(ctx, over.ID), s.Intents.Drop(ctx, over.ID), s.Intents.Put(ctx, deleted.ID, intent.Resolve), s.DeleteTask(ctx, deleted.ID), s.Close())
	if err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	all, err := s.Intents.All(ctx)
	same(t, all, map[string]intent.Kind{open.ID: intent.Update}, err)
	if err := s.Intents.Put(ctx, deleted.ID, intent.Merge); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("of a task that is gone: %v", err)
	}
}
