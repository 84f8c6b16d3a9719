package program

import (
	"path/filepath"
	"slices"
	"testing"

	"beckon/backend/external/hooks"
)

// TestAFolderThatWasJustNamedIsReadAtOnce: the page asks for its hook as soon as the
// settings are saved.
func TestAFolderThatWasJustNamedIsReadAtOnce(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	for range 20 {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		settings, err := d.p.store.Settings.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.Observe, settings.ObserveRoots = true, []string{dir}
		if err := d.SaveSettings(settings); err != nil {
			t.Fatal(err)
		}
		states, err := d.p.outside.HookStates()
		if err != nil || !slices.ContainsFunc(states, func(s hooks.State) bool { return s.Root == dir }) {
			t.Fatalf("%+v, %v; want %s among them", states, err, dir)
		}
		if roots, _ := d.p.outside.Observed(); !slices.Contains(roots, dir) {
			t.Fatalf("%q, want %s among them", roots, dir)
		}
	}
}
