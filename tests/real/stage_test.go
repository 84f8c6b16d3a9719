package real

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/drive"
)

// stage is a running Beckon with the real CLI, and a model that follows a
// script.
type stage struct {
	*drive.Program
	t      *testing.T
	dir    string // the project
	apiLog string // what the model was sent
}

// turn is a turn of the model's script; see tests/mockapi/README.md.
type turn map[string]any

// set starts the scripted model, Beckon, and a trusted project.
func set(t *testing.T, turns ...turn) (*stage, beckon.Project) {
	t.Helper()
	home := t.TempDir()
	s := &stage{t: t, apiLog: filepath.Join(home, "api.ndjson")}
	s.dir = drive.Repository(t, map[string]string{"README.md": "# sample\n"})
	env := []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home, "TMPDIR=" + t.TempDir(),
		"ANTHROPIC_BASE_URL=" + s.model(home, turns), "ANTHROPIC_API_KEY=sk-test",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
	}
	s.Program = drive.Serve(t, os.Getenv(beckonEnv), env, "-data", filepath.Join(home, "data"), "-claude", os.Getenv(claudeEnv))
	p := drive.Must[beckon.Project](s.Program, "AddProject", beckon.NewProject{Dir: s.dir, Trusted: true})
	return s, p
}

// model starts the scripted Messages API and returns its address.
func (s *stage) model(home string, turns []turn) string {
	s.t.Helper()
	script, err := json.Marshal(map[string]any{"turns": turns})
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

// create puts a task on the board and starts it.
func (s *stage) create(p beckon.Project, n beckon.NewTask) beckon.Task {
	s.t.Helper()
	n.ProjectID, n.Status = p.ID, beckon.Running
	return drive.Must[beckon.Task](s.Program, "CreateTask", n)
}

// told returns all that the model was sent.
func (s *stage) told() string {
	s.t.Helper()
	log, err := os.ReadFile(s.apiLog)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(log)
}

// heard fails the test unless the model was sent text.
func (s *stage) heard(text string) {
	s.t.Helper()
	quoted, _ := json.Marshal(text)
	inner := string(quoted[1 : len(quoted)-1]) // as it stands inside a JSON string
	if told := s.told(); !strings.Contains(told, inner) {
		s.t.Errorf("the model was never told %q; the API's log:\n%.6000s", text, told[max(0, len(told)-6000):])
	}
}
