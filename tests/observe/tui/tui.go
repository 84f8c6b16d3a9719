//go:build linux

// Package tui runs the real Claude Code TUI in a tmux server of its own, with a
// home that passes onboarding and a model that follows a script. A package of
// tests has this as its TestMain, which builds Beckon and the model and goes into
// a network namespace that has nothing but loopback:
//
//	func TestMain(m *testing.M) { tui.Main(m) }
//
// A Machine is a home and a tmux server. A Session is one TUI in a pane:
//
//	m := tui.NewMachine(t)
//	s := m.Open(tui.Spec{Turns: []fixture.Turn{
//		{"text": "Let me ask.", "tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")},
//		{"text": "Noted."},
//	}})
//	s.Say("ask me")               // typed into the prompt, and Enter
//	s.See("Which database?")      // waits for the screen; fails with the screen
//	s.Press("2")                  // tmux send-keys, one key a call
//	s.See("Noted.")
//
// Each session has a model of its own, so that sessions that run at once follow
// their own scripts. Root, Dir, PID, Pane and Socket say where things are: what a
// test hands to what it tests. Tmux runs any command on the server (copy-mode,
// set synchronize-panes, resize-window, a second pane). When the TUI exits, a
// shell is in its pane unless Spec.Bare is set. All is gone when the test ends.
//
// A TUI needs 3 to 4 s to come up on two cores, more when they are busy: wait
// with See and Until, never sleep.
package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/tests/fixture"
	"beckon/tests/missing"
	"beckon/tests/timeout"
)

// Patience is how long the fixture waits for a screen or a file.
var Patience = timeout.For(60 * time.Second)

// apiKey is what the CLI takes for a key; its end is what a home approves.
const apiKey = "sk-test"

// Main is a TestMain's whole body: it runs the tests where only loopback is.
func Main(m *testing.M) {
	if _, err := exec.LookPath("tmux"); err != nil {
		missing.Stage("the tests with the real TUI", err)
	}
	fixture.Main(m, fixture.RealCLI)
}

// Machine is a home with a tmux server.
type Machine struct {
	Home   string
	Socket string // of the tmux server

	t testing.TB
}

// NewMachine makes a home and names a tmux server, which the first session starts.
func NewMachine(t testing.TB) *Machine {
	t.Helper()
	// A socket's path has about 100 bytes, too few for t.TempDir's names.
	dir, err := os.MkdirTemp("", "beckon-tui-")
	if err != nil {
		t.Fatal(err)
	}
	m := &Machine{Home: filepath.Join(dir, "home"), Socket: filepath.Join(dir, "tmux"), t: t}
	if err := os.Mkdir(m.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.clean(dir) })
	return m
}

// clean ends the server, whose panes hang up on what runs in them, waits for
// that, and removes the files.
func (m *Machine) clean(dir string) {
	_, _ = m.tmux("kill-server")
	for end := time.Now().Add(timeout.For(5 * time.Second)); len(m.living()) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			m.t.Log("a session does not heed the end of its terminal")
			for _, pid := range m.living() {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		m.t.Errorf("remove the home: %v", err)
	}
}

// living lists what was started in the server's panes, by the variable that
// tmux gives them.
func (m *Machine) living() (pids []int) {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, file := range environs {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00TMUX="+m.Socket+",")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Tmux runs a command on the server and returns what it prints.
func (m *Machine) Tmux(args ...string) string {
	m.t.Helper()
	out, err := m.tmux(args...)
	if err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return out
}

func (m *Machine) tmux(args ...string) (string, error) {
	// Not the test's context, which has ended when its cleanups run.
	ctx, stop := context.WithTimeout(context.Background(), timeout.For(10*time.Second))
	defer stop()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", m.Socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = []string{"HOME=" + m.Home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/sh"}
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

// Trust prepares a config root: onboarding is over, the key approved, and a
// folder trusted. Each of them would show its dialog.
func (m *Machine) Trust(root, dir string) {
	m.t.Helper()
	file := filepath.Join(root, ".claude.json")
	if root == m.root() { // without the variable the file lies beside the root
		file = filepath.Join(m.Home, ".claude.json")
	}
	config := map[string]any{}
	switch text, err := os.ReadFile(file); {
	case err == nil:
		if err := json.Unmarshal(text, &config); err != nil {
			m.t.Fatal(err)
		}
	case !errors.Is(err, os.ErrNotExist):
		m.t.Fatal(err)
	}
	config["hasCompletedOnboarding"] = true
	config["customApiKeyResponses"] = map[string]any{"approved": []string{apiKey}, "rejected": []string{}}
	projects, ok := config["projects"].(map[string]any)
	if !ok {
		projects = map[string]any{}
	}
	projects[dir] = map[string]any{"hasTrustDialogAccepted": true}
	config["projects"] = projects
	text, err := json.Marshal(config)
	if err == nil {
		err = os.MkdirAll(root, 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *Machine) root() string { return filepath.Join(m.Home, ".claude") }
