//go:build linux

package observe

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/agent/process"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const line = `{"type":"user","uuid":"u","timestamp":"2026-01-02T03:04:05Z","sessionId":"s","cwd":%q,"version":"2.1.197","entrypoint":"cli","message":{"role":"user","content":%q}}` + "\n"

func id(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// writePast writes a session file, as old as that.
func writePast(t *testing.T, root, folder, name, text string, age time.Duration) {
	t.Helper()
	path := filepath.Join(root, "projects", folder, name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
	at := time.Now().Add(-age)
	must(t, os.Chtimes(path, at, at))
}

// opens has a process say that it has a session open.
func opens(t *testing.T, root, session string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sleep", "600")
	cmd.Env, cmd.Dir = env, t.TempDir()
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(root, "sessions"), 0o700))
	text := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%q,"startedAt":%d,"procStart":%q}`, cmd.Process.Pid, session, cmd.Dir, time.Now().UnixMilli(), strings.Fields(string(stat))[21])
	must(t, os.WriteFile(filepath.Join(root, "sessions", fmt.Sprint(cmd.Process.Pid)+".json"), []byte(text), 0o600))
	return cmd
}

// TestWhatEndedTodayIsFoundByItsFile, also what was killed before anybody looked;
// and nothing that is open, old, empty, or no plain file of a session.
func TestWhatEndedTodayIsFoundByItsFile(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writePast(t, root, "-src-a", id(1)+".jsonl", fmt.Sprintf(line, "/src/a", "first"), time.Hour)
	writePast(t, root, "-src-b", id(2)+".jsonl", fmt.Sprintf(line, "/src/b", "before")+fmt.Sprintf(line, "/src/b/sub", "second"), time.Minute)
	writePast(t, root, "-src-b", id(3)+".jsonl", fmt.Sprintf(line, "/src/b", "open"), time.Minute)
	writePast(t, root, "-src-b", id(4)+".jsonl", fmt.Sprintf(line, "/src/b", "old"), 25*time.Hour)
	writePast(t, root, "-src-b", id(5)+".jsonl", `{"type":"mode"}`+"\n", time.Minute)
	writePast(t, root, "-src-b", "notes.jsonl", fmt.Sprintf(line, "/src/b", "no session"), time.Minute)
	writePast(t, root, "-src-b", id(6)+".jsonl", fmt.Sprintf(line, "not/whole", "strange"), time.Minute)
	must(t, os.Symlink(filepath.Join(root, "projects", "-src-a", id(1)+".jsonl"), filepath.Join(root, "projects", "-src-b", id(7)+".jsonl")))
	must(t, syscall.Mkfifo(filepath.Join(root, "projects", "-src-b", id(8)+".jsonl"), 0o600))
	must(t, os.Mkdir(filepath.Join(root, "projects", "-src-b", id(9)+".jsonl"), 0o700))
	opens(t, root, id(3))
	killed := opens(t, root, id(1))
	must(t, killed.Process.Kill())
	_ = killed.Wait()

	list := Past{}.Sessions([]string{root, filepath.Join(root, "nowhere")}, time.Now().Add(-24*time.Hour), 10)
	if len(list) != 2 || list[0].ID != id(2) || list[1].ID != id(1) {
		t.Fatalf("found %+v", list)
	}
	if s := list[0]; s.CWD != "/src/b" || s.Last.Text != "second" || !s.Last.User || s.Version != "2.1.197" || s.Entrypoint != "cli" || s.Ended == 0 || s.Root != root {
		t.Errorf("found %+v", s)
	}
	if list := (Past{}).Sessions([]string{root}, time.Now().Add(-24*time.Hour), 1); len(list) != 1 || list[0].ID != id(2) {
		t.Errorf("of all the newest is %+v", list)
	}
}

// TestASessionIsOpenWhileItsProcessLives, and not for what Beckon itself started.
func TestASessionIsOpenWhileItsProcessLives(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	open := opens(t, root, id(1))
	opens(t, root, id(2), process.Mark+"=1")
	must(t, os.WriteFile(filepath.Join(root, "sessions", "1.json"), []byte(`{"pid":1,`), 0o600))
	for i := range 200 { // none of them is waited for
		broken := filepath.Join(root, "sessions", fmt.Sprint(i+2)+".json")
		must(t, os.WriteFile(broken, []byte("{"), 0o600))
		must(t, os.Chtimes(broken, time.Now(), time.Now().Add(-time.Hour)))
	}
	m := Past{}
	if !m.Open([]string{root}, id(1)) || m.Open([]string{root}, id(2)) || m.Open([]string{root}, id(3)) || m.Open(nil, id(1)) {
		t.Error("an open session is not known, or another one is")
	}
	must(t, open.Process.Kill())
	_ = open.Wait()
	if m.Open([]string{root}, id(1)) {
		t.Error("what was killed is open")
	}
}
