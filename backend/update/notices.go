package update

import (
	"os"
	"path/filepath"
)

// NoticesFile is where a package put the licences of what others made, empty where none did.
func NoticesFile() string {
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	return noticesOf(program)
}

// noticesOf looks where the packages of each system have them: in the documents of Linux, in
// the resources of an app, beside the program on Windows.
func noticesOf(program string) string {
	for _, dir := range []string{"../../share/doc/beckon", "../Resources", "."} {
		file := filepath.Join(filepath.Dir(program), dir, "third-party-notices.txt")
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return ""
}
