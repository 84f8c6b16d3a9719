package forge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
)

const (
	toolIn   = time.Minute // how long a program may take
	mostRead = 4 << 20     // bytes of what it prints
	// needsLogin is the exit code of gh where it is not signed in.
	needsLogin = 4
)

// tool is gh or glab on this machine.
type tool struct{ name, path, dir string }

// find returns the open request of a branch, if there is one.
func (t tool) find(ctx context.Context, r reviewing.PullRequest) (found reviewing.PullRequest, there bool, err error) {
	if t.name == "glab" {
		return t.findOnGitLab(ctx, r)
	}
	return t.findOnGitHub(ctx, r)
}

// create opens a request.
func (t tool) create(ctx context.Context, r reviewing.PullRequest, o reviewing.PullOrder) (reviewing.PullRequest, error) {
	if t.name == "glab" {
		return t.createOnGitLab(ctx, r, o)
	}
	return t.createOnGitHub(ctx, r, o)
}

// view returns a request as it is by now.
func (t tool) view(ctx context.Context, r reviewing.PullRequest) (reviewing.PullRequest, error) {
	if t.name == "glab" {
		return t.viewOnGitLab(ctx, r)
	}
	return t.viewOnGitHub(ctx, r)
}

// read runs the program and reads the JSON that it prints.
func (t tool) read(ctx context.Context, r reviewing.PullRequest, into any, input string, args ...string) error {
	out, err := t.run(ctx, r, input, args...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(out, into); err != nil {
		return t.failed("its answer was not understood: "+err.Error(), err)
	}
	return nil
}

// run runs the program and returns what it printed.
func (t tool) run(ctx context.Context, r reviewing.PullRequest, input string, args ...string) ([]byte, error) {
	out := &limited{most: mostRead}
	err := t.runInto(ctx, r, out, input, args...)
	switch {
	case err == nil && out.over:
		err = t.failed("it printed too much", beckon.ErrUnavailable)
	case errors.Is(err, errRefused): // the programs print the answer as it came
		words := refusal(out.Bytes())
		err = &refusedError{t.failed(words, err), words}
	}
	return out.Bytes(), err
}

// runInto runs the program and has it print into out.
func (t tool) runInto(ctx context.Context, r reviewing.PullRequest, out io.Writer, input string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, toolIn)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.path, args...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "GH_SPINNER_DISABLED=1", "GLAB_CHECK_UPDATE=false",
		"NO_PROMPT=1", "NO_COLOR=1", "PAGER=", "GH_PAGER=", "GLAB_PAGER=", "GIT_TERMINAL_PROMPT=0")
	cmd.Stdin = strings.NewReader(input)
	said := &limited{most: mostRead}
	cmd.Stdout, cmd.Stderr = out, said
	cmd.WaitDelay = time.Second
	command.HideWindow(cmd)
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return t.failed("it took longer than "+toolIn.String(), ctx.Err())
	case ctx.Err() != nil:
		return ctx.Err()
	case t.signedOut(err, said.String()):
		err := fmt.Errorf("%s is not signed in to %s: run %s auth login --hostname %s in a terminal: %w", t.name, r.Server, t.name, r.Server, beckon.ErrUnavailable)
		return problem.New(problem.ForgeLogin, err, "tool", t.name, "server", r.Server)
	}
	failed := t.failed(strings.TrimSpace(said.String()), err)
	for status, means := range statuses {
		if strings.Contains(said.String(), "HTTP "+status) {
			failed = fmt.Errorf("%w: %w", failed, means)
		}
	}
	return failed
}

// errRefused is a request that the server understood and does not do.
var errRefused = errors.New("the server does not take this")

// refusedError is an errRefused with why.
type refusedError struct {
	error
	words string // the server's
}

func (r *refusedError) Unwrap() error { return r.error }

// refusal is why a server does not take something, by the body of its answer.
func refusal(body []byte) string {
	var answer struct {
		Message json.RawMessage `json:"message"` // GitLab's may be an object
		Errors  []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return string(body)
	}
	words := []string{strings.Trim(string(answer.Message), `"`)}
	for _, one := range answer.Errors {
		words = append(words, one.Message)
	}
	return strings.Join(words, ": ")
}

// statuses are those of HTTP that mean something to a caller. Both programs print them.
var statuses = map[string]error{"404": beckon.ErrNotFound, "400": errRefused, "422": errRefused}

// signedOut reports whether the program failed because nobody is signed in.
func (t tool) signedOut(err error, said string) bool {
	return t.name == "gh" && command.ExitCode(err) == needsLogin || strings.Contains(said, t.name+" auth login") || strings.Contains(said, "HTTP 401")
}

func (t tool) failed(said string, err error) error {
	said = remoteSaid(said)
	err = fmt.Errorf("%s failed: %s: %w: %w", t.name, said, err, beckon.ErrUnavailable)
	return problem.New(problem.ForgeFailed, err, "tool", t.name, "detail", said)
}

// limited keeps no more than so many bytes of what is written.
type limited struct {
	bytes.Buffer
	most int
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > l.most {
		l.over = true
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// stateOf is the state of a request in our words. GitHub writes its own in capitals.
func stateOf(said string, draft bool) reviewing.PullState {
	switch {
	case strings.EqualFold(said, "merged"):
		return reviewing.PullMerged
	case strings.EqualFold(said, "closed"):
		return reviewing.PullClosed
	case draft:
		return reviewing.PullDraft
	default:
		return reviewing.PullOpen
	}
}
