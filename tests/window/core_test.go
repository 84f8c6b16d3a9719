//go:build window

package window

import (
	"os"
	"path/filepath"
	"strconv"
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
	maps, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.Cmd.Process.Pid), "maps"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(maps), "/beckon-core") || strings.Contains(string(maps), "libwebkit") {
		t.Errorf("serve runs as %.400s…; want beckon-core without WebKit", maps)
	}
}
