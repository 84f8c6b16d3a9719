//go:build linux || darwin

package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestALoginShellsKeyIsTaken: a key that the user's ~/.profile exports is not in the
// environment of a command by ssh, though claude has it in the user's terminal there.
func TestALoginShellsKeyIsTaken(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	profile := "echo Welcome\nprintf 'to this host'\necho\nexport PATH=/opt/claude/bin:$PATH ANTHROPIC_API_KEY='one\ntwo=three' CLAUDE_CODE_USE_BEDROCK=1 ANTHROPIC_MODEL= OTHER_SECRET=no\n"
	if err := os.WriteFile(filepath.Join(home, ".profile"), []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SHELL", bash)
	t.Setenv("HOME", home)
	t.Setenv("PATH", "/usr/bin:/bin")
	given := []string{"PATH=/usr/bin:/bin", "ANTHROPIC_API_KEY=of sshd's"}
	got := LoginEnviron(t.Context(), given)
	added := slices.Sorted(slices.Values(got[len(given):]))
	want := []string{"ANTHROPIC_API_KEY=one\ntwo=three", "CLAUDE_CODE_USE_BEDROCK=1"}
	if len(added) != 3 || !slices.Equal(got[:len(given)], given) || !slices.Equal(added[:2], want) || !strings.HasPrefix(added[2], "PATH=/opt/claude/bin:") {
		t.Errorf("it has %q, want %q and PATH besides", got, want)
	}
	t.Setenv("SHELL", filepath.Join(home, "no shell"))
	if got := LoginEnviron(t.Context(), given); !slices.Equal(got, given) {
		t.Errorf("without a shell: %q", got)
	}
}
