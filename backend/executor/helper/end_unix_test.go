//go:build !windows

package helper

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"beckon/tests/timeout"
)

var errOver = errors.New("it is over")

// endIt runs a script by play, ends it once it has begun, and returns what it printed and
// what the file named is then. The script says that it has begun by "touch $BEGUN".
func endIt(t *testing.T, play func(context.Context, *exec.Cmd) (string, error), script string) (printed, file string) {
	t.Helper()
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Env = append(os.Environ(), "BEGUN="+filepath.Join(dir, "begun"), "FILE="+filepath.Join(dir, "file"))
	ctx, end := context.WithCancelCause(t.Context())
	go func() {
		for late := time.Now().Add(timeout.For(10 * time.Second)); time.Now().Before(late); time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
				break
			}
		}
		end(errOver)
	}()
	printed, err := play(ctx, cmd)
	if !errors.Is(err, errOver) {
		t.Errorf("it ends with %v, want %v", err, errOver)
	}
	text, err := os.ReadFile(filepath.Join(dir, "file"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return printed, string(text)
}

func alone(ctx context.Context, cmd *exec.Cmd) (string, error) {
	out, _, err := Run(ctx, cmd, nil, 1000)
	return string(out), err
}

func whole(ctx context.Context, cmd *exec.Cmd) (string, error) {
	out, _, err := RunWhole(ctx, cmd, 1000)
	return string(out), err
}

func TestWhoIsEndedMayFinish(t *testing.T) {
	printed, _ := endIt(t, alone, `trap 'sleep 0.2; echo finished; exit' TERM; touch $BEGUN; while :; do sleep 0.01; done`)
	if printed != "finished\n" {
		t.Errorf("it printed %q", printed)
	}
}

func TestWhoDoesNotEndIsKilled(t *testing.T) {
	if printed, _ := endIt(t, alone, `trap 'echo asked' TERM; touch $BEGUN; while :; do sleep 0.01; done`); printed != "asked\n" {
		t.Errorf("it printed %q", printed)
	}
}

// TestWhatIsLeftOfAGroupMayFinish after the one that leads it.
func TestWhatIsLeftOfAGroupMayFinish(t *testing.T) {
	_, file := endIt(t, whole, `sh -c 'trap "sleep 0.2; echo finished >$FILE; exit" TERM; touch $BEGUN; while :; do sleep 0.01; done' >/dev/null 2>&1 & trap exit TERM; wait`)
	if file != "finished\n" {
		t.Errorf("it wrote %q", file)
	}
}
