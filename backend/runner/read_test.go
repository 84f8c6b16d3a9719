package runner

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinesAreHandedOnDecoded holds that nothing of a run decodes a line by
// itself: claude.Line does, once for all that read it.
func TestLinesAreHandedOnDecoded(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "claude.DecodeMessage(") {
			t.Errorf("%s decodes a line by itself", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
