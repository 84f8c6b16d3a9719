package store

import (
	"testing"

	"beckon/backend/beckon"
)

func TestSettingsSurviveARestartAndNewOnesHaveDefaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	ctx := t.Context()
	fresh, err := s.Settings.Load(ctx)
	same(t, fresh, beckon.DefaultSettings(), err)

	saved := beckon.Settings{Slots: 7, Language: "de", Theme: "dark"}
	saved.Notify = saved.Notify.Whole() // each kind has a row once it was read
	if err := s.Settings.Save(ctx, beckon.Settings{Slots: 1, SingleKeys: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.Settings.Save(ctx, saved); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	got, err := s.Settings.Load(ctx)
	same(t, got, saved, err)

	// As after an upgrade from a Beckon that did not know the field.
	if _, err := s.write.ExecContext(ctx, "DELETE FROM setting WHERE key = 'singleKeys'"); err != nil {
		t.Fatal(err)
	}
	saved.SingleKeys = true
	got, err = s.Settings.Load(ctx)
	same(t, got, saved, err)
}
