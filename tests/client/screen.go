package client

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/tests/timeout"
)

// Screen starts Xvfb, on a number that it finds itself, and returns that as
// DISPLAY wants it. It ends with the test.
func Screen(t testing.TB) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset")
	x.ExtraFiles = []*os.File{write}
	if err := x.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() {
		_ = x.Process.Signal(syscall.SIGTERM)
		// It may take no notice while its last client leaves.
		stubborn := time.AfterFunc(timeout.For(5*time.Second), func() { _ = x.Process.Kill() })
		defer stubborn.Stop()
		_ = x.Wait()
	})
	if err := read.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb does not say its display: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}
