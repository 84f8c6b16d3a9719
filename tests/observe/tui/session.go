//go:build linux

package tui

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/races"
)

// Spec says what to open. Its zero value is a TUI in a repository of its own at
// 120x40 whose model has nothing to say.
type Spec struct {
	Turns []fixture.Turn
	Rules []fixture.Rule
	Dir   string // where it works; empty: a new repository
	// Root is CLAUDE_CONFIG_DIR; empty: the variable is unset.
	Root          string
	Width, Height int
	Env, Args     []string // in addition
	// Bare leaves no shell in the pane when the TUI exits.
	Bare bool
}

// Session is a TUI in a pane.
type Session struct {
	*Machine
	Dir, Root string
	Pane      string // such as %0
	PID       int    // of claude
}

// Open starts a TUI in a window of its own and waits until its prompt is drawn
// and its presence file is written.
func (m *Machine) Open(spec Spec) *Session {
	m.t.Helper()
	s := m.Start(spec)
	s.See("❯")
	s.Until("a presence file that says idle", func() bool {
		s.PID = s.presence().PID
		return s.presence().Status == "idle"
	})
	return s
}

// Start is Open for a TUI that need not come to its prompt; PID is not set.
func (m *Machine) Start(spec Spec) *Session {
	m.t.Helper()
	s := &Session{Machine: m, Dir: spec.Dir, Root: cmp.Or(spec.Root, m.root())}
	if s.Dir == "" {
		s.Dir = client.Repository(m.t, map[string]string{"README.md": "# sample\n"})
	}
	m.Trust(s.Root, s.Dir)
	s.Pane = m.Tmux(s.command(spec)...)
	return s
}

// command is how tmux opens the window.
func (s *Session) command(spec Spec) []string {
	s.t.Helper()
	model := s.t.TempDir()
	env := []string{
		"ANTHROPIC_BASE_URL=" + fixture.Model(s.t, model, fixture.Script{Turns: spec.Turns, Rules: spec.Rules}, filepath.Join(model, "api.ndjson")),
		"ANTHROPIC_API_KEY=" + apiKey, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
		"TMPDIR=" + s.t.TempDir(),
		races.Env, // of a Beckon that is a hook
	}
	if spec.Root != "" {
		env = append(env, "CLAUDE_CONFIG_DIR="+spec.Root)
	}
	args := []string{
		"new-session", "-d", "-P", "-F", "#{pane_id}", "-c", s.Dir,
		"-x", strconv.Itoa(cmp.Or(spec.Width, 120)), "-y", strconv.Itoa(cmp.Or(spec.Height, 40)),
	}
	for _, e := range append(env, spec.Env...) {
		args = append(args, "-e", e)
	}
	script := `"$@"; exec sh`
	if spec.Bare {
		script = `exec "$@"`
	}
	return slices.Concat(args, []string{"sh", "-c", script, "sh", fixture.Claude()}, spec.Args)
}

// Presence is what a test reads of a presence file.
type Presence struct {
	PID       int    `json:"pid"`
	SessionID string `json:"sessionId"`
	CWD       string `json:"cwd"`
	Status    string `json:"status"`
}

// Presence returns what the session's presence file says.
func (s *Session) Presence() Presence {
	s.t.Helper()
	return s.presence()
}

// presence waits for the file of the session that works in Dir.
func (s *Session) presence() (p Presence) {
	s.t.Helper()
	s.Until("a presence file", func() bool {
		files, _ := filepath.Glob(filepath.Join(s.Root, "sessions", "*.json")) // the pattern is valid
		for _, file := range files {
			text, err := os.ReadFile(file)
			if p = (Presence{}); err == nil && json.Unmarshal(text, &p) == nil && p.CWD == s.Dir && (s.PID == 0 || s.PID == p.PID) {
				return true
			}
		}
		return false
	})
	return p
}

// Press sends keys to the pane as tmux names them, each in a call of its own.
func (s *Session) Press(keys ...string) {
	s.t.Helper()
	for _, key := range keys {
		s.Tmux("send-keys", "-t", s.Pane, key)
	}
}

// Type sends text to the pane, letter by letter.
func (s *Session) Type(text string) {
	s.t.Helper()
	s.Tmux("send-keys", "-t", s.Pane, "-l", "--", text)
}

// Say types a prompt, waits until it is drawn, and sends it.
func (s *Session) Say(prompt string) {
	s.t.Helper()
	s.Type(prompt)
	s.See(prompt)
	s.Press("Enter")
}

// Screen returns the visible part of the pane.
func (s *Session) Screen() string {
	s.t.Helper()
	return s.Tmux("capture-pane", "-p", "-t", s.Pane)
}

// See waits until all of the words are on the screen.
func (s *Session) See(words ...string) {
	s.t.Helper()
	s.Until("the screen has "+strings.Join(words, ", "), func() bool {
		screen := s.Screen()
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(screen, w) })
	})
}

// Until waits for a condition, and shows the screen where it does not come.
func (s *Session) Until(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(Patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.SkipUnwritten()
			s.t.Fatalf("not in %v: %s; the screen is\n%s", Patience, what, s.Screen())
		}
	}
}

// Ask is the input of AskUserQuestion for one question.
func Ask(question string, labels ...string) map[string]any {
	options := make([]map[string]any, len(labels))
	for i, label := range labels {
		options[i] = map[string]any{"label": label, "description": "About " + label}
	}
	return map[string]any{"questions": []any{map[string]any{
		"question": question, "header": "Choice", "multiSelect": false, "options": options,
	}}}
}
