package desktop

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"beckon/backend/beckon"
)

func TestOnlyFoldersAreShownOutside(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.desktop")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", file, filepath.Join(t.TempDir(), "gone")} {
		if err := ShowFolder(path); !errors.Is(err, beckon.ErrNotFound) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if program, args := fileManager("darwin", "/w/Calculator.app"); program != "open" || !slices.Equal(args, []string{"-R", "/w/Calculator.app"}) {
		t.Errorf("on macOS a folder would be started: %s %q", program, args)
	}
}
