// Package client drives `beckon serve` from outside, as a browser would: it
// starts the built program, exchanges the one-time token for the cookie and the
// key, and calls /rpc. It knows nothing of what is inside.
package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/races"
	"beckon/tests/timeout"
)

// patience is how long anything but a person's answer may take, on a slow machine that
// has much to do besides. It ends what hangs.
var patience = timeout.For(90 * time.Second)

// Program is a running `beckon serve`.
type Program struct {
	URL  string // the link that it printed, good for one visit
	MCP  string // the URL of its MCP server
	Base string // http://127.0.0.1:PORT
	Cmd  *exec.Cmd

	t      testing.TB
	stdout *bufio.Reader
	client *http.Client
	key    string
	logs   Log
}

// Log keeps what a program says on its outputs.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// String returns what was said so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Serve starts the program at bin with args after "serve" and exactly the
// environment env, visits it, and ends it with the test.
func Serve(t testing.TB, bin string, env []string, args ...string) *Program {
	t.Helper()
	p := Launch(t, bin, env, args...)
	p.enter()
	return p
}

// Launch is Serve for who wants to make the first visit, by URL; nothing can
// be called. It returns once the program listens.
func Launch(t testing.TB, bin string, env []string, args ...string) *Program {
	t.Helper()
	cmd := exec.Command(bin, append([]string{"serve"}, args...)...)
	cmd.Env = append(slices.Clone(env), races.Env)
	p := &Program{Cmd: cmd, t: t}
	cmd.Stderr = &p.logs
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	p.stdout = bufio.NewReader(stdout)
	p.hear()
	return p
}

// SignInAgain signs in by the next link that the program prints.
func (p *Program) SignInAgain() {
	p.t.Helper()
	p.hear()
	p.enter()
}

// hear reads the line that says where Beckon is.
func (p *Program) hear() {
	p.t.Helper()
	var where struct{ URL, MCP string }
	late := time.AfterFunc(patience, func() { _ = p.Cmd.Process.Kill() }) // which ends the read
	defer late.Stop()
	line, err := p.stdout.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &where)
	}
	if err != nil {
		p.t.Fatalf("serve said %q: %v\n%s", line, err, &p.logs)
	}
	u, err := url.Parse(where.URL)
	if err != nil {
		p.t.Fatal(err)
	}
	p.URL, p.MCP, p.Base = where.URL, where.MCP, "http://"+u.Host
}

// enter exchanges the link for the cookie and the key.
func (p *Program) enter() {
	p.t.Helper()
	jar, _ := cookiejar.New(nil) // never fails without options
	p.client = &http.Client{Jar: jar, Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // to the page, which is of no interest here
	}}
	res, err := p.client.Get(p.URL)
	if err != nil {
		p.t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		p.t.Fatalf("the address answers %s", res.Status)
	}
	p.key = res.Header.Get("Beckon-Key")
}

// Close asks the program to end and waits until it has.
func (p *Program) Close() {
	if p.Cmd.ProcessState != nil {
		return
	}
	_ = p.Cmd.Process.Signal(syscall.SIGTERM)
	gone := time.AfterFunc(patience, func() {
		p.t.Errorf("serve did not end in %s", patience)
		_ = p.Cmd.Process.Kill()
	})
	defer gone.Stop()
	if err := p.Cmd.Wait(); err != nil {
		p.t.Errorf("serve ended with %v\n%s", err, &p.logs)
	}
	if p.t.Failed() {
		p.t.Logf("serve's log:\n%s", &p.logs)
	}
}

// Key returns what calls need besides the cookie.
func (p *Program) Key() string { return p.key }

// Cookies returns what a browser needs to be let in without the link, besides
// the key.
func (p *Program) Cookies() []*http.Cookie {
	u, err := url.Parse(p.Base)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.client.Jar.Cookies(u)
}

// Logs returns what the program wrote to stderr so far.
func (p *Program) Logs() string { return p.logs.String() }

// Error is what /rpc answers when it refuses.
type Error struct{ Code, Message, Problem string }

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Call calls a bound method. The result is of the type T.
func Call[T any](p *Program, method string, args ...any) (T, error) {
	var result T
	if args == nil {
		args = []any{}
	}
	body, err := json.Marshal(args)
	if err != nil {
		return result, err
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, p.Base+"/rpc/"+method, bytes.NewReader(body))
	if err != nil {
		return result, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Beckon-Key", p.key)
	res, err := p.client.Do(req)
	if err != nil {
		return result, err
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusBadRequest {
		refusal := new(Error)
		if err := json.NewDecoder(res.Body).Decode(refusal); err != nil {
			return result, fmt.Errorf("%s: %s: %w", method, res.Status, err)
		}
		return result, refusal
	}
	if err := json.NewDecoder(res.Body).Decode(&result); err != nil && err != io.EOF {
		return result, fmt.Errorf("%s: %w", method, err)
	}
	return result, nil
}

// Must calls a bound method that may not fail.
func Must[T any](p *Program, method string, args ...any) T {
	p.t.Helper()
	result, err := Call[T](p, method, args...)
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", method, err, &p.logs)
	}
	return result
}

// Until calls look every few milliseconds until it says true, and fails the
// test when that takes longer than within. What has taken long already is looked at less
// often: where many tests wait at a time, looking takes time from what they wait for.
func (p *Program) Until(what string, within time.Duration, look func() bool) {
	p.t.Helper()
	began := time.Now()
	for time.Since(began) < within {
		if look() {
			return
		}
		time.Sleep(max(20*time.Millisecond, min(time.Since(began)/20, 250*time.Millisecond)))
	}
	p.t.Fatalf("%s: not within %s\n%s", what, within, &p.logs)
}

// State returns the whole state, however many parts it comes in.
func (p *Program) State() []beckon.Event {
	p.t.Helper()
	f := Must[beckon.Frame](p, "Attach", "driveclient")
	all := f.Events
	for f.More != "" {
		f = Must[beckon.Frame](p, "AttachMore", f.More)
		all = append(all, f.Events...)
	}
	return all
}

// Task returns the task as it is now.
func (p *Program) Task(id string) beckon.Task {
	p.t.Helper()
	for _, e := range p.State() {
		if e.Task != nil && e.Task.ID == id {
			return *e.Task
		}
	}
	p.t.Fatalf("there is no task %s", id)
	return beckon.Task{}
}

// Asked waits for the open question of a task that holds text, and returns it.
func (p *Program) Asked(taskID, text string) beckon.Question {
	p.t.Helper()
	var found beckon.Question
	p.Until("question "+text, patience, func() bool {
		for _, q := range Must[[]beckon.Question](p, "Questions", taskID) {
			raw, _ := json.Marshal(q)
			if q.Settlement == beckon.Open && strings.Contains(string(raw), text) {
				found = q
				return true
			}
		}
		p.failed(taskID)
		return false
	})
	return found
}

// failed ends the test when the task's agent has failed, with its words.
func (p *Program) failed(taskID string) {
	p.t.Helper()
	for _, r := range Must[[]beckon.Run](p, "Runs", taskID) {
		if r.Outcome == beckon.Failed || r.Outcome == beckon.Lost {
			p.t.Fatalf("the run %s: %s\n%s\n%s", r.Outcome, r.Reason, r.Detail, &p.logs)
		}
	}
}

// Answer chooses labels, one for each item of the question.
func (p *Program) Answer(q beckon.Question, labels ...string) {
	p.t.Helper()
	a := beckon.Answer{}
	for _, label := range labels {
		a.Items = append(a.Items, beckon.ItemAnswer{Labels: []string{label}})
	}
	Must[any](p, "AnswerQuestion", q.ID, a)
}

// InReview waits until the task is in review with its run over: the card is there a
// moment before its run says how it ended.
func (p *Program) InReview(taskID string) beckon.Task {
	p.t.Helper()
	var task beckon.Task
	p.Until("review", patience, func() bool {
		task = p.Task(taskID)
		return task.Status == beckon.Review && !slices.ContainsFunc(Must[[]beckon.Run](p, "Runs", taskID), func(r beckon.Run) bool {
			return r.Kind == beckon.TaskRun && r.Phase != beckon.Ended
		})
	})
	return task
}

// Repository makes a git repository with one commit in a new folder.
func Repository(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	Git(t, dir, "init", "-q", "-b", "main")
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-q", "-m", "first")
	return dir
}

// Git runs git in dir, apart from the machine's own configuration, and returns
// what it said.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@localhost", "GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@localhost",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
