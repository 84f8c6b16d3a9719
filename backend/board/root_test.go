package board_test

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestSettingsWithARelativeFolderAreRefused(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	s := beckon.DefaultSettings()
	s.ObserveRoots = []string{"src"}
	if err := d.Board.SaveSettings(t.Context(), s); err == nil || !strings.Contains(err.Error(), "whole path") {
		t.Errorf("settings with a relative folder: %v", err)
	}
}
