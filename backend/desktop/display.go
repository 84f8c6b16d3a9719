// Package desktop holds what is particular to a desktop: the window, and
// whether there is a display to show it on. It decides nothing of Beckon's; it
// knows the program only as the object whose methods the page may call.
package desktop

import (
	"os"
	"runtime"
)

// HasDisplay reports whether a window could be shown here.
func HasDisplay() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
