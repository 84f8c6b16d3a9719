package board_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

func TestAFolderThatCannotBeReadForSessionsIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused := map[string]problem.Kind{
		"": problem.Relative, "src/kestrel": problem.Relative,
		filepath.Join(dir, "gone"): problem.NoFolder, file: problem.NotFolder,
	}
	if os.Getuid() == 0 {
		others := filepath.Join(dir, "others")
		if err := os.Mkdir(others, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(others, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		refused[others] = problem.NotYours
	}
	for name, want := range refused {
		if _, err := d.Board.CheckRoot(name); err == nil || beckon.FailureOf(err).Problem != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	if clean, err := d.Board.CheckRoot(" " + dir + "/ "); err != nil || clean != dir {
		t.Errorf("%q, %v", clean, err)
	}
	s := beckon.DefaultSettings()
	s.ObserveRoots = []string{"src"}
	if err := d.Board.SaveSettings(t.Context(), s); err == nil || !strings.Contains(err.Error(), "whole path") {
		t.Errorf("settings with a relative folder: %v", err)
	}
}
