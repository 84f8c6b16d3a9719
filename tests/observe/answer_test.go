//go:build linux

package observe

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

// desk is a Beckon whose user has sessions in terminals.
type desk struct {
	*client.Program
	t    *testing.T
	home string
}

// open starts Beckon in the home of a machine, with its hook installed.
func open(t *testing.T, m *tui.Machine) *desk {
	t.Helper()
	env := []string{"HOME=" + m.Home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + m.Home, "TMPDIR=" + t.TempDir()}
	install := exec.CommandContext(t.Context(), fixture.Beckon(), "hooks", "install", "-yes")
	install.Env = env
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("install the hook: %v\n%s", err, out)
	}
	return &desk{client.Serve(t, fixture.Beckon(), env, "-claude", fixture.CLI()), t, m.Home}
}

// asked waits for the only open question, and for the hook that can answer it.
func (d *desk) asked() (q beckon.Question) {
	d.t.Helper()
	d.Until("a question with a hook", tui.Patience, func() bool {
		for _, e := range client.Must[beckon.Frame](d.Program, "Attach", "answer").Events {
			if e.Question != nil && e.Question.Settlement == beckon.Open {
				q = *e.Question
			}
			if s := e.Session; s != nil && len(s.Asks) == 1 && s.Asks[0].QuestionID == q.ID && s.Asks[0].Way == beckon.WayHook {
				return true
			}
		}
		return false
	})
	return q
}

// answered waits until a question counts as heard, and returns it.
func (d *desk) answered(id string) (q beckon.Question) {
	d.t.Helper()
	d.Until("the answer to be heard", tui.Patience, func() bool {
		for _, now := range client.Must[[]beckon.Question](d.Program, "AnsweredSince", 0) {
			if now.ID == id {
				q = now
			}
		}
		return q.Delivered != 0
	})
	return q
}

func TestAQuestionOfATerminalIsAnsweredInBeckon(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := open(t, m)
	s := m.Open(tui.Spec{Turns: []fixture.Turn{
		{"text": "Let me ask.", "tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")},
		{"text": "Noted."},
	}})
	s.Say("ask me")
	s.See("Which database?", "2. SQLite")
	q := d.asked()
	if q.Kind != beckon.Ask || q.Items[0].Options[1].Label != "SQLite" || !strings.HasSuffix(q.Origin, s.Dir) {
		t.Errorf("shown as %+v", q)
	}
	d.Answer(q, "SQLite")
	s.See("SQLite", "Noted.")
	if now := d.answered(q.ID); now.Answer.By != beckon.ByUser {
		t.Errorf("answered by %s", now.Answer.By)
	}
}

func TestAQuestionThatIsAnsweredInTheTerminalClosesInBeckon(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := open(t, m)
	s := m.Open(tui.Spec{Turns: []fixture.Turn{
		{"text": "Let me ask.", "tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")},
		{"text": "Noted."},
	}})
	s.Say("ask me")
	s.See("Which database?", "2. SQLite")
	q := d.asked()
	s.Press("1")
	s.See("Noted.")
	if now := d.answered(q.ID); now.Answer.By != beckon.ByTerminal || now.Answer.Items[0].Labels[0] != "PostgreSQL" {
		t.Errorf("kept as %+v", now.Answer)
	}
	if left := hooksOf(t, s); len(left) > 0 {
		t.Errorf("hooks that wait on: %q", left)
	}
}

func TestACommandInATerminalIsAllowedAndDeniedInBeckon(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := open(t, m)
	s := m.Open(tui.Spec{Turns: []fixture.Turn{
		{"text": "First.", "tool": "Bash", "input": map[string]any{"command": "touch first", "description": "make a file"}},
		{"text": "Second.", "tool": "Bash", "input": map[string]any{"command": "touch second", "description": "make another"}},
		{"text": "All done."},
	}})
	s.Say("go")
	first := d.asked()
	if first.Permission == nil || first.Permission.Command != "touch first" {
		t.Fatalf("shown as %+v", first)
	}
	client.Must[any](d.Program, "AnswerQuestion", first.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	d.answered(first.ID)
	second := d.asked()
	client.Must[any](d.Program, "AnswerQuestion", second.ID, beckon.Answer{Verdict: beckon.Deny, Text: "One file is enough."})
	s.See("All done.")
	if now := d.answered(second.ID); now.Answer.Text != "One file is enough." {
		t.Errorf("kept as %+v", now.Answer)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "first")); err != nil {
		t.Errorf("what was allowed was not done: %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "second")); err == nil {
		t.Error("what was denied was done")
	}
}

// hooksOf lists the hooks that wait for a session, once they had the time to
// leave.
func hooksOf(t *testing.T, s *tui.Session) (left []string) {
	t.Helper()
	s.Until("its hooks to leave", func() bool {
		left = nil
		all, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is valid
		for _, file := range all {
			text, _ := os.ReadFile(file)
			env, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "environ"))
			if strings.Contains(string(text), "\x00hook") && strings.Contains(string(env), s.Socket) {
				left = append(left, strings.ReplaceAll(string(text), "\x00", " "))
			}
		}
		return len(left) == 0
	})
	return left
}
