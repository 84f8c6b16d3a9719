package desktop

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNVIDIAsDriverGetsNoSharedBuffersUnlessTheUserSaysSo(t *testing.T) {
	driver := filepath.Join(t.TempDir(), "version")
	if err := os.WriteFile(driver, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(t.TempDir(), "version")
	for _, c := range []struct{ driver, set, want string }{{driver, "", "1"}, {driver, "0", "0"}, {none, "", ""}, {none, "1", "1"}} {
		t.Setenv(sharedBuffers, c.set)
		if c.set == "" {
			if err := os.Unsetenv(sharedBuffers); err != nil {
				t.Fatal(err)
			}
		}
		avoidBlankWindow(c.driver)
		if got := os.Getenv(sharedBuffers); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
