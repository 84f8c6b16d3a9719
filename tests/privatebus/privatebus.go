// Package privatebus starts a D-Bus for one test, with nobody on it but what the test puts
// there: the user's own is never spoken to.
package privatebus

import (
	"os/exec"
	"strings"
	"testing"

	"beckon/tests/missing"
)

// Start starts a bus that ends with the test, and has the variable env lead to it. It returns the
// bus's address. Without dbus-daemon the test is over, see missing.Test.
func Start(t *testing.T, env string) (address string) {
	t.Helper()
	daemon := exec.CommandContext(t.Context(), "dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		missing.Test(t, "there is no dbus-daemon: "+err.Error())
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	line := make([]byte, 256)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(string(line[:n]))
	t.Setenv(env, address)
	return address
}
