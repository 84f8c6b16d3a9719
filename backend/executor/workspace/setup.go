//go:build linux || darwin

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/executor/calls"
)

const (
	// setupIn is how long a setup command may take.
	setupIn = 30 * time.Minute
	// setupMost is how much is kept of the end of what it prints.
	setupMost = 2 << 10
	// prepared is the file, in git's folder of a worktree, that says that it was set up.
	prepared = "beckon-prepared"
)

// setUp runs the setup command of a worktree, until it succeeded once. All that it started
// ends with it, and with the link.
func (w Workspace) setUp(ctx context.Context, p calls.Setup) (nothing, error) {
	if err := mustBe(id.MatchString, p.ProjectID, p.ID); err != nil {
		return nothing{}, err
	}
	dir := w.worktree(p.Task)
	own, err := w.git(dir).GitDir(ctx)
	if err != nil {
		return nothing{}, err
	}
	done := filepath.Join(own, prepared)
	if _, err := os.Stat(done); err == nil {
		return nothing{}, nil
	}
	status, said, err := w.run(ctx, dir, p)
	switch {
	case err != nil:
		return nothing{}, err
	case status.Code != 0:
		return nothing{}, fmt.Errorf("the setup command ended with code %d: %s", status.Code, strings.TrimSpace(said))
	}
	return nothing{}, os.WriteFile(done, nil, 0o600)
}

func (w Workspace) run(ctx context.Context, dir string, p calls.Setup) (status process.Status, said string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, setupIn, fmt.Errorf("the setup command did not end within %s", setupIn))
	defer cancel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return status, "", err
	}
	defer null.Close()
	r, in, err := os.Pipe()
	if err != nil {
		return status, "", err
	}
	defer r.Close()
	child, err := process.Start(ctx, process.Spec{
		Path: "sh", Args: []string{"-c", p.Command}, Dir: dir, Env: w.Environ(p.Env), Stdin: null, Stdout: in, Stderr: in,
	})
	in.Close()
	if err != nil {
		return status, "", err
	}
	defer context.AfterFunc(ctx, func() { _ = child.Kill() })()
	last := process.Tail{Most: setupMost}
	_, copied := io.Copy(&last, r)
	status = child.Wait()
	if ctx.Err() != nil {
		return status, "", context.Cause(ctx)
	}
	return status, strings.ToValidUTF8(last.String(), "?"), errors.Join(copied)
}
