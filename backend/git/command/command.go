// Package command runs git in one folder, with everything silenced that a
// repository could make it run: hooks, filters, merge drivers, fsmonitor,
// transports, editors and prompts. It knows how git is asked and what its exit
// codes say, and nothing of what the answers mean for a task.
package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
)

// allocLimit is the largest piece of memory that git may ask for in a
// repository that nobody trusts. What git reads whole, such as .gitignore, may
// be a link to a device that never ends.
const allocLimit = "512m"

// Git is how git is run in one folder.
type Git struct {
	Dir string
	// Trusted lets git run the filters and merge drivers that are configured,
	// and fetch the missing objects of a partial clone.
	Trusted bool
	// Above lets git look for the repository in the folders above Dir. Else
	// a worktree that lost its .git file would be taken for a part of
	// whatever repository happens to lie above it.
	Above bool
	// Nowhere keeps git out of any repository, that of Dir included.
	Nowhere bool
	Index   string // path of the index to use in place of the worktree's own
	Input   string
	Config  []Setting
	// Owner is the data folder of the Beckon that runs git: what it leaves behind when
	// it is killed bears its name.
	Owner string
}

// Setting is one value of git's configuration.
type Setting struct{ Key, Value string }

// In returns how git is run in another folder.
func (c Git) In(dir string) Git {
	c.Dir = dir
	return c
}

// Run runs git and returns what it printed.
func (c Git) Run(ctx context.Context, args ...string) (string, error) {
	cmd, stderr, err := c.prepare(ctx, args)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return out.String(), explain(ctx, args[0], err, stderr.String())
	}
	return out.String(), nil
}

// Line runs git and returns what it printed without the final line break.
func (c Git) Line(ctx context.Context, args ...string) (string, error) {
	out, err := c.Run(ctx, args...)
	return strings.TrimSuffix(strings.TrimSuffix(out, "\n"), "\r"), err
}

// List runs git and returns the NUL-terminated strings that it printed.
func (c Git) List(ctx context.Context, args ...string) ([]string, error) {
	out, err := c.Run(ctx, args...)
	if out == "" {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00"), err
}

// ErrEnough is what a reader of stream returns when it needs no more.
var ErrEnough = errors.New("enough")

// Stream runs git and has read take what it prints. When read returns early,
// git is ended.
func (c Git) Stream(ctx context.Context, read func(io.Reader) error, args ...string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, stderr, err := c.prepare(ctx, args)
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	if err := cmd.Start(); err != nil {
		return explain(ctx, args[0], err, "")
	}
	readErr := read(out)
	if readErr != nil {
		cancel()
	}
	err = cmd.Wait()
	switch {
	case errors.Is(readErr, ErrEnough):
		return nil
	case readErr != nil:
		return fmt.Errorf("git %s: %w", args[0], readErr)
	case err != nil:
		return explain(ctx, args[0], err, stderr.String())
	default:
		return nil
	}
}

// RunBare runs git without asking its configuration first what to silence: it
// is for what reads no repository.
func (c Git) RunBare(ctx context.Context, args ...string) (string, error) {
	cmd, stderr := c.process(ctx, nil, args)
	out, err := cmd.Output()
	if err != nil {
		return string(out), explain(ctx, args[0], err, stderr.String())
	}
	return string(out), nil
}

// prepare builds the process, with everything silenced that must not run.
func (c Git) prepare(ctx context.Context, args []string) (*exec.Cmd, *bytes.Buffer, error) {
	overrides, err := c.overrides(ctx, args)
	if err != nil {
		return nil, nil, err
	}
	cmd, stderr := c.process(ctx, overrides, args)
	return cmd, stderr, nil
}

// process builds the process. It is asked to stop before it is killed,
// because git then takes its lock files away.
func (c Git) process(ctx context.Context, overrides []Setting, args []string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager"}, args...)...)
	cmd.Dir = c.Dir
	cmd.Env = c.environment(overrides)
	if args[0] == "check-ignore" { // it refuses to be asked for literal names
		cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=0")
	}
	if c.Input != "" {
		cmd.Stdin = strings.NewReader(c.Input)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
	cmd.WaitDelay = 5 * time.Second
	HideWindow(cmd)
	return cmd, &stderr
}

// environment is ours without any GIT_ variable, which would point git at
// another repository, and with the settings, which beat those of any file.
func (c Git) environment(overrides []Setting) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(strings.ToUpper(v), "GIT_") {
			env = append(env, v)
		}
	}
	env = append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GIT_EDITOR=:",
		"GIT_OPTIONAL_LOCKS=0", "GIT_LITERAL_PATHSPECS=1")
	if !c.Above {
		env = append(env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.Dir))
	}
	if !c.Trusted {
		// No transport has the name "none", so none is allowed.
		env = append(env, "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOC_LIMIT="+allocLimit)
	}
	if c.Nowhere {
		env = append(env, "GIT_DIR="+os.DevNull)
	}
	if c.Index != "" {
		env = append(env, "GIT_INDEX_FILE="+c.Index)
	}
	settings := append(append(fixed(), overrides...), c.Config...)
	for i, s := range settings {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s.Key, "GIT_CONFIG_VALUE_"+n+"="+s.Value)
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(settings)))
}

// explain turns a failed run of git into an error with git's own words. The
// exit code stays reachable, see ExitCode.
func explain(ctx context.Context, verb string, err error, stderr string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", verb, ctx.Err())
	}
	if errors.Is(err, exec.ErrNotFound) {
		return problem.New(problem.GitMissing,
			fmt.Errorf("git was not found: install it and start Beckon again: %w", beckon.ErrUnavailable))
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) && at.Op == "chdir" && errors.Is(err, fs.ErrNotExist) {
		return problem.New(problem.FolderAway,
			fmt.Errorf("the folder %s is not there: %w", at.Path, beckon.ErrUnavailable), "dir", at.Path)
	}
	stderr = strings.TrimSpace(stderr)
	if len(stderr) > 2000 {
		stderr = stderr[:2000] + "…"
	}
	if stderr == "" {
		return fmt.Errorf("git %s: %w", verb, err)
	}
	return fmt.Errorf("git %s: %s: %w", verb, strings.ToValidUTF8(stderr, "\uFFFD"), err)
}

// ExitCode returns the code that git ended with, or -1 where it did not run.
func ExitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// Refuse is an error that wraps ErrConflict, for a reason.
func Refuse(why *reason.Reason) error { return why.Err(beckon.ErrConflict) }

// Conflict is an error that wraps ErrConflict, with words for the user.
func Conflict(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, beckon.ErrConflict)...)
}
