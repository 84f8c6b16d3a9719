package kube

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/tests/timeout"
)

// TestTheFirstProcessOfAPodReapsAndEnds: an agent's processes become its children when
// those that began them are gone, and a pod that is deleted does not wait for it.
func TestTheFirstProcessOfAPodReapsAndEnds(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"dash", "bash", "busybox sh"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			name, rest, _ := strings.Cut(shell, " ")
			if _, err := exec.LookPath(name); err != nil {
				t.Skip(err)
			}
			namespace := []string{"-rpf"}
			if os.Getuid() == 0 {
				namespace = []string{"-pf"}
			}
			if err := exec.Command("unshare", append(namespace, "true")...).Run(); err != nil {
				t.Skip(err)
			}
			// An orphan ends a little after it became the first process's.
			orphan := `(sleep 0.3 &) ; exec ` + shell + ` -c "$1"`
			cmd := exec.Command("unshare", append(namespace, strings.Fields(name+" "+rest+" -c")...)...)
			cmd.Args = append(cmd.Args, orphan, "sh", asleep)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Process.Kill() }()
			first := 0
			until(t, "the orphan is reaped", func() bool {
				if _, err := fmt.Sscan(children(cmd.Process.Pid), &first); err != nil {
					return false
				}
				mine := strings.Fields(children(first))
				return len(mine) == 1 && strings.HasPrefix(commandOf(mine[0]), "sleep\x003600")
			})
			began := time.Now()
			if err := syscall.Kill(first, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil || time.Since(began) > timeout.For(5*time.Second) {
				t.Errorf("%v after %s", err, time.Since(began))
			}
		})
	}
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(timeout.For(20 * time.Second)); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 20 s", what)
		}
	}
}

func children(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // it may be gone
	return string(text)
}

func commandOf(pid string) string {
	text, _ := os.ReadFile("/proc/" + pid + "/cmdline")
	return string(text)
}
