//go:build !windows

package language

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"runtime"
)

// system returns the system's word for the user's language.
func system() string {
	set := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	if set == "" && runtime.GOOS == "darwin" {
		// What the Finder starts has none of these.
		locale, _ := exec.CommandContext(context.Background(), "defaults", "read", "-g", "AppleLocale").Output()
		return string(locale)
	}
	return set
}
