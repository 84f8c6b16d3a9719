// Package missing says what becomes of tests on a machine that lacks what they need: where
// the variable CI is set they fail, so that no run passes without them, and elsewhere they
// are skipped loudly. It looks for nothing itself.
package missing

import (
	"fmt"
	"io"
	"os"
	"testing"
)

// Test ends a test that cannot run on this machine, and says why.
func Test(t testing.TB, why string) {
	t.Helper()
	if inCI() {
		t.Fatal(why)
	}
	t.Skip("SKIPPED, LOUDLY: " + why)
}

// Stage ends a test program whose tests cannot run on this machine, and says why.
func Stage(tests string, why error) { os.Exit(stage(os.Stderr, tests, why)) }

// stage returns the exit code.
func stage(stderr io.Writer, tests string, why error) int {
	word, code := "SKIPPED, LOUDLY", 0
	if inCI() {
		word, code = "FAILED", 1
	}
	fmt.Fprintf(stderr, "\n%s: %s did not run: %v\n\n", word, tests, why)
	return code
}

func inCI() bool { return os.Getenv("CI") != "" }
