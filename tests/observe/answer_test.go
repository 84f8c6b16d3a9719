//go:build linux

package observe

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

// desk is a Beckon whose user has sessions in terminals.
type desk struct {
	*client.Program
	t    *testing.T
	last *tui.Session // that asked
}

// open starts Beckon in the home of a machine, with its hook installed, both with the
// flags.
func open(t *testing.T, m *tui.Machine, flags ...string) *desk {
	t.Helper()
	env := environment(t, m)
	install := exec.CommandContext(t.Context(), fixture.Beckon(), append([]string{"hooks", "install", "-yes"}, flags...)...)
	install.Env = env
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("install the hook: %v\n%s", err, out)
	}
	return serve(t, env, flags...)
}

func environment(t *testing.T, m *tui.Machine) []string {
	t.Helper()
	return []string{"HOME=" + m.Home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + m.Home, "TMPDIR=" + t.TempDir()}
}

func serve(t *testing.T, env []string, flags ...string) *desk {
	t.Helper()
	return &desk{Program: client.Serve(t, fixture.Beckon(), env, append(flags, "-claude", fixture.Claude())...), t: t}
}

// asked waits for the only question of a session, and for the way in which it can
// be answered.
func (d *desk) asked(s *tui.Session, way beckon.AnswerWay) (q beckon.Question) {
	d.t.Helper()
	return d.askedAll(s, way, 1)[0]
}

// askedAll waits for so many questions of a session. Sessions of other tests are
// seen too, as far as their roots are in environments.
func (d *desk) askedAll(s *tui.Session, way beckon.AnswerWay, many int) (all []beckon.Question) {
	d.t.Helper()
	d.last = s
	began, seen := time.Now(), false
	until := s.Until
	if way == beckon.WayHook {
		until = func(what string, holds func() bool) { d.Until(what, tui.Patience, holds) }
	}
	until(fmt.Sprintf("%d questions to be answered by %s", many, way), func() bool {
		all = nil
		events := client.Must[beckon.Frame](d.Program, "Attach", "answer").Events
		asks := map[string]bool{}
		for _, e := range events {
			if e.Session == nil || e.Session.Dir != s.Dir {
				continue
			}
			for _, a := range e.Session.Asks {
				asks[a.QuestionID] = a.Way == way
			}
		}
		for _, e := range events {
			if e.Question != nil && e.Question.Settlement == beckon.Open && asks[e.Question.ID] {
				all = append(all, *e.Question)
			}
		}
		if !seen && time.Since(began) > tui.Patience/2 {
			seen = true
			d.t.Logf("after %v there are %d hooks, %d questions, and asks that are so answered: %v", tui.Patience/2, len(hooks(s)), len(all), asks)
		}
		return len(all) == many && len(asks) == many
	})
	return all
}

// answered waits until a question counts as heard, and returns it.
func (d *desk) answered(id string) (q beckon.Question) {
	d.t.Helper()
	d.last.Until("the answer to be heard", func() bool {
		for _, now := range client.Must[[]beckon.Question](d.Program, "AnsweredSince", 0) {
			if now.ID == id {
				q = now
			}
		}
		return q.Delivered != 0
	})
	return q
}

// asking starts a session that asks which database it is to be.
func asking(m *tui.Machine) *tui.Session {
	s := m.Open(tui.Spec{Turns: []fixture.Turn{
		{"text": "Let me ask.", "tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")},
		{"text": "Noted."},
	}})
	s.Say("ask me")
	s.See("❯ 1. PostgreSQL", "2. SQLite", "Esc to cancel")
	return s
}

func TestAQuestionOfATerminalIsAnsweredInBeckon(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := open(t, m)
	s := asking(m)
	q := d.asked(s, beckon.WayHook)
	if q.Kind != beckon.Ask || q.Items[0].Options[1].Label != "SQLite" || !strings.HasSuffix(q.Origin, s.Dir) {
		t.Errorf("shown as %+v", q)
	}
	d.Answer(q, "SQLite")
	s.See("SQLite", "Noted.")
	if now := d.answered(q.ID); now.Answer.By != beckon.ByUser {
		t.Errorf("answered by %s", now.Answer.By)
	}
}

// TestAQuestionThatIsAnsweredInTheTerminalClosesInBeckon, here in one with a data folder of
// its own: its hook asks no other.
func TestAQuestionThatIsAnsweredInTheTerminalClosesInBeckon(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := open(t, m, "-data", filepath.Join(m.Home, "my user's data"))
	s := asking(m)
	q := d.asked(s, beckon.WayHook)
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
	first := d.asked(s, beckon.WayHook)
	if first.Permission == nil || first.Permission.Command != "touch first" {
		t.Fatalf("shown as %+v", first)
	}
	client.Must[any](d.Program, "AnswerQuestion", first.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	d.answered(first.ID)
	second := d.asked(s, beckon.WayHook)
	client.Must[any](d.Program, "AnswerQuestion", second.ID, beckon.Answer{Verdict: beckon.Deny, Text: "One file is enough."})
	s.See("All done.")
	if now := d.answered(second.ID); now.Answer.Text != "One file is enough." {
		t.Errorf("kept as %+v", now.Answer)
	}
	made(t, s, "first")
	if _, err := os.Stat(filepath.Join(s.Dir, "second")); err == nil {
		t.Error("what was denied was done")
	}
}

func TestAQuestionIsAnsweredInBeckonWithoutAHook(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := serve(t, environment(t, m))
	s := m.Open(tui.Spec{Turns: []fixture.Turn{
		{"text": "Let me ask.", "tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")},
		{"text": "Then a command.", "tool": "Bash", "input": map[string]any{"command": "touch made", "description": "make a file"}},
		{"text": "All done."},
	}})
	s.Say("ask me")
	q := d.asked(s, beckon.WayKeys)
	d.Answer(q, "SQLite")
	if now := d.answered(q.ID); now.Answer.By != beckon.ByUser || now.Answer.Items[0].Labels[0] != "SQLite" {
		t.Errorf("kept as %+v", now.Answer)
	}
	permission := d.asked(s, beckon.WayKeys)
	client.Must[any](d.Program, "AnswerQuestion", permission.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	s.See("All done.")
	d.answered(permission.ID)
	made(t, s, "made")
}

// TestNothingIsTypedWhereTheTerminalIsInAnotherMode, and the card stays open
// with what to do.
func TestNothingIsTypedWhereTheTerminalIsInAnotherMode(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	d := serve(t, environment(t, m))
	s := asking(m)
	q := d.asked(s, beckon.WayKeys)
	s.Tmux("copy-mode", "-t", s.Pane)
	choice := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}}}
	_, err := client.Call[any](d.Program, "AnswerQuestion", q.ID, choice)
	if err == nil || !strings.Contains(err.Error(), "copy mode") {
		t.Errorf("it was typed: %v", err)
	}
	s.Tmux("send-keys", "-t", s.Pane, "-X", "cancel")
	s.See("2. SQLite")
	client.Must[any](d.Program, "AnswerQuestion", q.ID, choice)
	s.See("Noted.")
	d.answered(q.ID)
}

// made checks that a command of a session ran, by the file that it makes.
func made(t *testing.T, s *tui.Session, file string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(s.Dir, file)); err != nil {
		t.Errorf("what was allowed was not done: %v", err)
	}
}

// hooksOf lists the hooks that wait for a session, once they had the time to
// leave.
func hooksOf(t *testing.T, s *tui.Session) (left []string) {
	t.Helper()
	s.Until("its hooks to leave", func() bool {
		left = hooks(s)
		return len(left) == 0
	})
	return left
}

// hooks lists the hooks of a machine's sessions that wait at this moment.
func hooks(s *tui.Session) (all []string) {
	processes, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is valid
	for _, file := range processes {
		text, _ := os.ReadFile(file)
		env, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "environ"))
		if bytes.HasSuffix(text, []byte("beckon\x00hook\x00")) && bytes.Contains(env, []byte("TMUX="+s.Socket+",")) {
			all = append(all, file)
		}
	}
	return all
}
