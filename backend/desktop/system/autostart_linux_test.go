package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

func TestTheSessionStartsBeckonUntilItIsTakenBack(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	path := filepath.Join(config, "autostart", "beckon.desktop")
	if err := autostartOff(); err != nil {
		t.Errorf("taking back what is not there: %v", err)
	}
	for _, program := range []string{"/old/beckon", "/opt/my apps/beckon"} { // it moved
		if err := autostartOn([]string{program, "-hidden"}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "Exec=\"/opt/my apps/beckon\" \"-hidden\"\n") {
		t.Errorf("the entry is %s, %v", text, err)
	}
	if err := autostartOff(); err != nil {
		t.Fatal(err)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) > 0 {
		t.Errorf("left behind: %v", list)
	}
}

func TestNoPathBreaksOutOfItsEntry(t *testing.T) {
	for word, want := range map[string]string{
		`plain`:          `"plain"`,
		"a\nExec=evil":   `"a\nExec=evil"`,
		"$(evil) `evil`": "\"\\\\$(evil) \\\\`evil\\\\`\"",
		`a"b\c`:          `"a\\"b\\\\c"`,
		`100%u`:          `"100%%u"`,
	} {
		if got := quoted(word); got != want {
			t.Errorf("%q is written %s, want %s", word, got, want)
		}
	}
}
