package observe

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFilesOfAnEarlierProcessAreLeft, but not one of this process whose time is behind the
// clock by a tick of the kernel.
func TestFilesOfAnEarlierProcessAreLeft(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	s := &session{Session: Session{SessionID: "s", Started: now.UnixMilli()}, folder: "p", agents: map[string]*file{}}
	folder := filepath.Join(dir, s.agentsFolder())
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, written := range map[string]time.Time{"agent-a1.jsonl": now.Add(-4 * time.Millisecond), "agent-a2.jsonl": now.Add(-time.Minute)} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, written, written); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s.enlist(root)
	if s.agents[filepath.Join(s.agentsFolder(), "agent-a1.jsonl")] == nil || len(s.agents) != 1 {
		t.Errorf("it follows %v", s.agents)
	}
}
