package sample

import (
	"os"
	"testing"
)

// AtHome runs a package's tests with a home of their own, so that no setting of git's of the
// person who runs them counts, and ends the program.
func AtHome(m *testing.M) {
	os.Exit(func() int {
		home, err := os.MkdirTemp("", "beckon-test-home-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(home)
		for _, key := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "TMPDIR"} {
			if err := os.Setenv(key, home); err != nil {
				panic(err)
			}
		}
		return m.Run()
	}())
}
