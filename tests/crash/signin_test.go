//go:build unix

package crash

import (
	"os"
	"syscall"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// A user who lost the link, or was signed out, need not end the agents.
func TestANewLinkIsPrintedWithoutANewStart(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home}
	p := client.Serve(t, beckonBin, env, "-data", home+"/data", "-claude", "none")
	first := p.URL
	if err := p.Cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	p.SignInAgain()
	if p.URL == first {
		t.Error("the link is the first one")
	}
	client.Must[beckon.Frame](p, "Attach", "abcdefgh12345678")
}
