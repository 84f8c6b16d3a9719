//go:build window

package window

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/tests/client"
)

func TestWhatShowsNoWindowLoadsNoWebKit(t *testing.T) {
	bin, err := filepath.Abs("../../build/bin/beckon")
	if err != nil {
		t.Fatal(err)
	}
	p := client.Launch(t, bin, []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, "-data", t.TempDir(), "-claude", "none")
	if loadsWebKit(t, p.Cmd.Process.Pid) {
		t.Error("serve loads WebKit")
	}
}

// loadsWebKit reports whether a process has WebKit's libraries in its memory.
func loadsWebKit(t *testing.T, pid int) bool {
	t.Helper()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(maps), "libwebkit")
}
