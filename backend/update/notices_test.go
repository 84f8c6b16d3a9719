package update

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAboutFindsTheLicences of others, where the packages of each system put them.
func TestAboutFindsTheLicences(t *testing.T) {
	t.Parallel()
	for program, file := range map[string]string{
		"usr/lib/beckon/beckon-core":       "usr/share/doc/beckon/third-party-notices.txt",
		"Beckon.app/Contents/MacOS/beckon": "Beckon.app/Contents/Resources/third-party-notices.txt",
		"Programs/Beckon/beckon.exe":       "Programs/Beckon/third-party-notices.txt",
	} {
		root := t.TempDir()
		program, file = filepath.Join(root, program), filepath.Join(root, file)
		if got := noticesOf(program); got != "" {
			t.Errorf("without any it finds %s", got)
		}
		for _, path := range []string{program, file} {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := noticesOf(program); got != file {
			t.Errorf("of %s it finds %q", program, got)
		}
	}
}
