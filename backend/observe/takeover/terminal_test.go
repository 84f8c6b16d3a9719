//go:build linux

package takeover

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
)

// TestATerminalGoesThereWhateverTheFolderIsCalled: real shells read the command.
func TestATerminalGoesThereWhateverTheFolderIsCalled(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	script := "#!/bin/sh\nprintf '%s\\n%s\\n%s' \"$PWD\" \"$CLAUDE_CONFIG_DIR\" \"$*\"\n"
	must(t, process.WriteProgram(filepath.Join(bin, "claude"), script))
	for _, name := range []string{"plain", "with space", "it's", `back\slash'`, "$(touch x)`id`", "-dash", "~", "semi;colon&", "new\nline", "\"quoted\"", "é*?[a]!"} {
		dir := filepath.Join(t.TempDir(), name)
		must(t, os.Mkdir(dir, 0o700))
		c := command{dir: dir, configDir: dir, session: "11111111-1111-4111-8111-111111111111", fork: true}
		for _, shell := range []string{"sh", "bash", "zsh", "fish"} {
			path, err := exec.LookPath(shell)
			if err != nil {
				continue
			}
			cmd := exec.CommandContext(t.Context(), path, "-c", c.posix())
			cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + bin}
			out, err := cmd.CombinedOutput()
			if want := dir + "\n" + dir + "\n--resume " + c.session + " --fork-session"; err != nil || string(out) != want {
				t.Errorf("%s: %s\ngives %q, %v", shell, c.posix(), out, err)
			}
		}
	}
}

func TestPowerShellTakesNoQuoteOfAFolderForItsOwn(t *testing.T) {
	t.Parallel()
	c := command{dir: `C:\it's ’$x`, configDir: `D:\c`, session: "s"}
	want := `Set-Location -LiteralPath 'C:\it''s ’’$x' -ErrorAction Stop; $env:CLAUDE_CONFIG_DIR = 'D:\c'; claude --resume s`
	if got := c.powerShell(); got != want {
		t.Errorf("got %s", got)
	}
}

func TestATerminalGetsACopyWhileAnAgentHasTheSession(t *testing.T) {
	t.Parallel()
	p := newScene(t)
	s := p.said(p.Project.Dir, "Fix the upload.", "Yes.")
	task, err := p.Taker.Continue(t.Context(), s.id, false)
	must(t, err)
	run := p.tell(task.ID, "go on")
	live, err := p.TerminalCommand(t.Context(), run.ID)
	if err != nil || !strings.HasSuffix(live, "claude --resume "+s.id+" --fork-session") || !strings.Contains(live, p.Project.Dir) {
		t.Errorf("while it runs: %q, %v", live, err)
	}
	must(t, p.Runner.Stop(t.Context(), task.ID))
	p.Until("the run has ended", func() bool { return p.Runs[task.ID].Phase == beckon.Ended })
	p.await("its end is recorded", func() bool {
		ended, err := p.Store.Run(t.Context(), run.ID)
		return err == nil && ended.Ended > 0
	})
	over, err := p.TerminalCommand(t.Context(), run.ID)
	if err != nil || over != strings.TrimSuffix(live, " --fork-session") {
		t.Errorf("once it has ended: %q, %v", over, err)
	}
	if _, err := p.TerminalCommand(t.Context(), "nobody's"); err == nil {
		t.Error("a run that does not exist has a command")
	}
}
