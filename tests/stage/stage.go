package stage

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/drive"
)

// Stage is a running Beckon with the real CLI, and a model that follows a
// script.
type Stage struct {
	*drive.Program
	Dir     string // the project's
	Project beckon.Project

	t      testing.TB
	apiLog string // what the model was sent
	env    []string
	args   []string
}

// Script is what the model does: its turns, one a request, and what it does
// instead where the newest words fit a rule.
type Script struct {
	Turns []Turn `json:"turns"`
	Rules []Rule `json:"rules,omitempty"`
}

// Rule is a turn for the words that its regular expression fits.
type Rule struct {
	When string `json:"when"`
	Turn Turn   `json:"turn"`
}

// Turn is a turn of the model's script; see tests/mockapi/README.md.
type Turn map[string]any

// Set starts the scripted model, Beckon, and a trusted project.
func Set(t testing.TB, turns ...Turn) *Stage {
	t.Helper()
	return Play(t, Script{Turns: turns})
}

// SetAccount is Set for an account with a plan, whose limits the API tells.
func SetAccount(t testing.TB, turns ...Turn) *Stage {
	t.Helper()
	return SetWith(t, []string{"ANTHROPIC_API_KEY=", "CLAUDE_CODE_OAUTH_TOKEN=scripted"}, turns...)
}

// SetWith is Set with more in the environment.
func SetWith(t testing.TB, env []string, turns ...Turn) *Stage {
	t.Helper()
	return Play(t, Script{Turns: turns}, env...)
}

// Play is Set for a model that follows rules, with more in the environment.
func Play(t testing.TB, script Script, env ...string) *Stage {
	t.Helper()
	home := t.TempDir()
	s := &Stage{t: t, apiLog: filepath.Join(home, "api.ndjson")}
	s.Dir = drive.Repository(t, map[string]string{"README.md": "# sample\n"})
	s.env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home, "TMPDIR=" + t.TempDir(),
		"ANTHROPIC_BASE_URL=" + s.model(home, script), "ANTHROPIC_API_KEY=sk-test",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
	}
	s.env = append(s.env, env...)
	s.args = []string{"-data", filepath.Join(home, "data"), "-claude", os.Getenv(claudeEnv)}
	s.Program = drive.Serve(t, os.Getenv(beckonEnv), s.env, s.args...)
	s.Project = drive.Must[beckon.Project](s.Program, "AddProject", beckon.NewProject{Dir: s.Dir, Trusted: true})
	return s
}

// Slay kills Beckon as a crash would and starts it again.
func (s *Stage) Slay() {
	s.t.Helper()
	_ = s.Cmd.Process.Kill()
	_ = s.Cmd.Wait()
	s.Program = drive.Serve(s.t, os.Getenv(beckonEnv), s.env, s.args...)
}

// WrittenDown waits until claude's own session file has the words: what it only
// has in mind goes with a kill.
func (s *Stage) WrittenDown(words string) {
	s.t.Helper()
	pattern := filepath.Join(filepath.Dir(s.apiLog), ".claude", "projects", "*", "*.jsonl")
	s.Until("claude has written it down", 30*time.Second, func() bool {
		files, _ := filepath.Glob(pattern) // the pattern is valid
		return slices.ContainsFunc(files, func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && bytes.Contains(text, []byte(words))
		})
	})
}

// model starts the scripted Messages API and returns its address.
func (s *Stage) model(home string, play Script) string {
	s.t.Helper()
	script, err := json.Marshal(play)
	if err != nil {
		s.t.Fatal(err)
	}
	file, ready := filepath.Join(home, "script.json"), filepath.Join(home, "ready")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.CommandContext(s.t.Context(), os.Getenv(mockapiEnv), "-addr", "127.0.0.1:0", "-script", file, "-log", s.apiLog, "-ready", ready)
	logs := new(bytes.Buffer)
	cmd.Stderr = logs
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if url, err := os.ReadFile(ready); err == nil && len(url) > 0 {
			return strings.TrimSpace(string(url))
		}
	}
	s.t.Fatalf("the scripted model did not start: %s", logs)
	return ""
}

// Create puts a task on the project's board and starts it.
func (s *Stage) Create(n beckon.NewTask) beckon.Task {
	s.t.Helper()
	n.ProjectID, n.Status = s.Project.ID, beckon.Running
	return drive.Must[beckon.Task](s.Program, "CreateTask", n)
}

// Told returns all that the model was sent.
func (s *Stage) Told() string {
	s.t.Helper()
	log, err := os.ReadFile(s.apiLog)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(log)
}

// Heard fails the test unless the model was sent text.
func (s *Stage) Heard(text string) {
	s.t.Helper()
	quoted, _ := json.Marshal(text)
	inner := string(quoted[1 : len(quoted)-1]) // as it stands inside a JSON string
	if told := s.Told(); !strings.Contains(told, inner) {
		s.t.Errorf("the model was never told %q; the API's log:\n%.6000s", text, told[max(0, len(told)-6000):])
	}
}

// Question is a question in the shape that ask_user and AskUserQuestion
// share, with an option for each label.
func Question(text, header string, labels ...string) map[string]any {
	options := []map[string]any{}
	for _, label := range labels {
		options = append(options, map[string]any{"label": label, "description": "About " + label})
	}
	return map[string]any{"question": text, "header": header, "options": options, "multiSelect": false}
}

// Questions is the input of a call that asks them.
func Questions(list ...map[string]any) map[string]any { return map[string]any{"questions": list} }
