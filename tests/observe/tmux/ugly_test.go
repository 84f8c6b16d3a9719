//go:build linux

package tmux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/observe/dialog"
	"beckon/backend/observe/tmux"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

// meddler is a pane to which something happens before one of the keys, after
// the check for it.
type meddler struct {
	*tmux.Pane
	before int // the number of the key, from 1
	do     func()
	keys   int
}

func (m *meddler) Key(ctx context.Context, key string) error {
	m.meddle()
	return m.Pane.Key(ctx, key)
}

func (m *meddler) Paste(ctx context.Context, text string) error {
	m.meddle()
	return m.Pane.Paste(ctx, text)
}

func (m *meddler) meddle() {
	if m.keys++; m.keys == m.before {
		m.do()
	}
}

func refusedAs(t *testing.T, err error, want dialog.Reason) {
	t.Helper()
	if !errors.Is(err, dialog.Because(want)) {
		t.Errorf("%v; want it refused as %s", err, want)
	}
}

// asking opens a session that asks which database it should use.
func asking(t *testing.T, spec tui.Spec) (*tui.Session, *tmux.Pane, dialog.Pending) {
	t.Helper()
	spec.Rules = append(spec.Rules, rule("it", "AskUserQuestion", asks(database)))
	s := tui.NewMachine(t).Open(spec)
	s.Say("do it now")
	p, on := pending(t, s, "AskUserQuestion"), pane(t, s)
	shown(t, s, on, p)
	return s, on, p
}

// TestNeverAKeyIntoAShell (T3): claude dies between two keys, and a shell is in
// its pane.
func TestNeverAKeyIntoAShell(t *testing.T) {
	t.Parallel()
	for before := 1; before <= 3; before++ { // the row, the text, Enter
		t.Run(strconv.Itoa(before), func(t *testing.T) {
			t.Parallel()
			s, on, p := asking(t, tui.Spec{})
			m := &meddler{Pane: on, before: before, do: func() {
				if err := syscall.Kill(s.PID, syscall.SIGKILL); err != nil {
					t.Error(err)
				}
				s.Until("the shell is there", func() bool { return syscall.Kill(s.PID, 0) != nil })
				s.See("Killed")
			}}
			err := new(dialog.Typist).Answer(t.Context(), m, p, reply(beckon.ItemAnswer{Other: "touch typed-into-the-shell"}))
			refusedAs(t, err, dialog.Gone)
			// What had been typed would be in front of these. The dead claude left the
			// terminal raw.
			s.Type("echo $((6*7))")
			s.Press("C-j")
			s.See("42")
			if files, _ := filepath.Glob(filepath.Join(s.Dir, "typed*")); len(files) > 0 {
				t.Errorf("the shell ran it: %v", files)
			}
			if left := s.Tmux("list-buffers"); left != "" {
				t.Errorf("what was not typed is still in a buffer: %s", left)
			}
		})
	}
}

// TestASessionThatIsNotInFrontGetsNoKey: stopped by Ctrl-Z or a debugger.
func TestASessionThatIsNotInFrontGetsNoKey(t *testing.T) {
	t.Parallel()
	s, on, p := asking(t, tui.Spec{})
	if err := syscall.Kill(s.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.Until("it is stopped", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.PID))
		return err == nil && strings.HasPrefix(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " T")
	})
	refusedAs(t, new(dialog.Typist).Answer(t.Context(), on, p, reply(picks("SQLite"))), dialog.Gone)
	if err := syscall.Kill(s.PID, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := new(dialog.Typist).Answer(t.Context(), on, p, reply(picks("SQLite"))); err != nil {
		t.Errorf("after it went on: %v", err)
	}
}

// TestAPaneThatWouldPassKeysElsewhereGetsNone: copy mode, before the answer and in
// the middle of it; and panes that are synchronized.
func TestAPaneThatWouldPassKeysElsewhereGetsNone(t *testing.T) {
	t.Parallel()
	s, on, p := asking(t, tui.Spec{})
	answer := reply(beckon.ItemAnswer{Other: "Use DuckDB"})

	s.Tmux("copy-mode", "-t", s.Pane)
	refusedAs(t, new(dialog.Typist).Answer(t.Context(), on, p, answer), dialog.CopyMode)
	// The server itself refuses a key for which it was too late to look.
	refusedAs(t, on.Key(t.Context(), "3"), dialog.CopyMode)
	refusedAs(t, on.Paste(t.Context(), "typed"), dialog.CopyMode)
	s.Tmux("send-keys", "-t", s.Pane, "-X", "cancel")
	middle := &meddler{Pane: on, before: 2, do: func() { s.Tmux("copy-mode", "-t", s.Pane) }}
	refusedAs(t, new(dialog.Typist).Answer(t.Context(), middle, p, answer), dialog.CopyMode)
	s.Tmux("send-keys", "-t", s.Pane, "-X", "cancel")
	if screen := s.Screen(); strings.Contains(screen, "DuckDB") {
		t.Errorf("the text came through copy mode:\n%s", screen)
	}

	neighbour := s.Tmux("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", s.Pane, "-l", "5", "cat")
	s.Tmux("set-option", "-w", "-t", s.Pane, "synchronize-panes", "on")
	refusedAs(t, new(dialog.Typist).Answer(t.Context(), on, p, answer), dialog.Synchronized)
	refusedAs(t, on.Key(t.Context(), "3"), dialog.CopyMode)
	s.Tmux("set-option", "-w", "-t", s.Pane, "synchronize-panes", "off")
	late := &meddler{Pane: on, before: 1, do: func() { s.Tmux("set-option", "-w", "-t", s.Pane, "synchronize-panes", "on") }}
	if err := new(dialog.Typist).Answer(t.Context(), late, p, answer); err == nil {
		t.Error("it was typed although the neighbour hears it")
	}
	if heard := strings.TrimSpace(s.Tmux("capture-pane", "-p", "-t", neighbour)); heard != "" {
		t.Errorf("the neighbour heard %q", heard)
	}
	s.Tmux("set-option", "-w", "-t", s.Pane, "synchronize-panes", "off")
	shown(t, s, on, p)
	if err := new(dialog.Typist).Answer(t.Context(), on, p, answer); err != nil {
		t.Errorf("in the end: %v; the screen is\n%s", err, s.Screen())
	}
}

// TestAPaneThatIsMadeSmallerGetsNoMore, and is answered once it is large again.
func TestAPaneThatIsMadeSmallerGetsNoMore(t *testing.T) {
	t.Parallel()
	s := tui.NewMachine(t).Open(tui.Spec{Rules: []fixture.Rule{rule("it", "AskUserQuestion", asks(features))}})
	s.Say("do it now")
	p, on := pending(t, s, "AskUserQuestion"), pane(t, s)
	shown(t, s, on, p)
	resize := func(width, height int) {
		s.Tmux("resize-window", "-t", s.Pane, "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
	}
	resize(40, 10)
	s.Until("it is drawn small", func() bool { return !strings.Contains(s.Screen(), "Which features") })
	refusedAs(t, new(dialog.Typist).Answer(t.Context(), on, p, reply(picks("Auth"))), dialog.TooSmall)
	resize(120, 40)
	shown(t, s, on, p)
	middle := &meddler{Pane: on, before: 2, do: func() {
		resize(40, 10)
		s.Until("it is drawn small", func() bool { return !strings.Contains(s.Screen(), "Which features") })
	}}
	// The second key was checked before the resize, so that the third is refused.
	err := new(dialog.Typist).Answer(t.Context(), middle, p, reply(picks("Auth", "Export")))
	refusedAs(t, err, dialog.TooSmall)
	resize(80, 24)
	shown(t, s, on, p)
	// It goes on from what is ticked.
	if err := new(dialog.Typist).Answer(t.Context(), on, p, reply(picks("Auth", "Export"))); err != nil {
		t.Errorf("made larger: %v; the screen is\n%s", err, s.Screen())
	}
	if got, _ := p.Settled(); got.Answers["Which features do you want?"] != "Auth, Export" {
		t.Errorf("answered %+v", got)
	}
}

// lagging is a pane that draws a key long after it came, as a busy machine does.
type lagging struct {
	*meddler
	lag    time.Duration
	before dialog.Screen
	until  time.Time
}

func (l *lagging) Key(ctx context.Context, key string) error {
	err := l.meddler.Key(ctx, key)
	l.until = time.Now().Add(l.lag)
	return err
}

func (l *lagging) Screen(ctx context.Context) (dialog.Screen, error) {
	if time.Now().Before(l.until) {
		return l.before, nil
	}
	screen, err := l.meddler.Screen(ctx)
	l.before = screen
	return screen, err
}

// TestAnAnswerInTheTerminalAtTheSameMoment wins, and leaves no digit in the prompt
// line (T4), where the terminal is slow too.
func TestAnAnswerInTheTerminalAtTheSameMoment(t *testing.T) {
	t.Parallel()
	for name, lag := range map[string]time.Duration{"quick": 0, "slow": 1500 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answeredThereFirst(t, lag)
		})
	}
}

func answeredThereFirst(t *testing.T, lag time.Duration) {
	s, on, p := asking(t, tui.Spec{})
	m := &lagging{lag: lag, meddler: &meddler{Pane: on, before: 1, do: func() {
		s.Press("1")
		s.Until("it is answered", func() bool { _, ok := p.Settled(); return ok })
		s.See("❯\u00a0")
	}}}
	err := new(dialog.Typist).Answer(t.Context(), m, p, reply(picks("SQLite")))
	var r *dialog.Refusal
	if !errors.As(err, &r) || r.Reason != dialog.Answered || r.There.Answers["Which database should we use?"] != "PostgreSQL" {
		t.Errorf("%v; want it answered in the terminal", err)
	}
	s.Until("the prompt line is empty", func() bool {
		lines := strings.Split(s.Screen(), "\n")
		for i := len(lines) - 1; i >= 0; i-- {
			if words, ok := strings.CutPrefix(lines[i], "❯"); ok {
				return strings.TrimSpace(words) == ""
			}
		}
		return false
	})
	refusedAs(t, new(dialog.Typist).Answer(t.Context(), on, p, reply(picks("SQLite"))), dialog.Answered)
}

// TestARaceWithTheTerminalHasOneWinner (T2, T4): keys of Beckon and of the person
// come within the same few milliseconds, ten times. Two digits that the TUI reads
// at once are no key for it: the question stays open, and neither side won.
func TestARaceWithTheTerminalHasOneWinner(t *testing.T) {
	t.Parallel()
	const tries = 10
	var rules []fixture.Rule
	for i := range tries {
		rules = append(rules, rule(fmt.Sprintf("try%d", i), "AskUserQuestion", asks(database)))
	}
	s := tui.NewMachine(t).Open(tui.Spec{Rules: rules})
	on := pane(t, s)
	won, lost := 0, 0
	for i := range tries {
		s.Say(fmt.Sprintf("do try%d now", i))
		p := pending(t, s, "AskUserQuestion")
		shown(t, s, on, p)
		rival := make(chan struct{})
		go func() {
			defer close(rival)
			time.Sleep(time.Duration(i) * 4 * time.Millisecond)
			s.Press("1")
		}()
		err := new(dialog.Typist).Answer(t.Context(), on, p, reply(picks("SQLite")))
		<-rival
		if errors.Is(err, dialog.Because(dialog.NotTaken)) && p.Open() {
			lost++
			err = new(dialog.Typist).Answer(t.Context(), on, p, reply(picks("SQLite")))
		}
		got, _ := p.Settled()
		switch answer := got.Answers["Which database should we use?"]; {
		case err == nil && answer == "SQLite":
			won++
		case errors.Is(err, dialog.Because(dialog.Answered)) && answer == "PostgreSQL":
		default:
			t.Errorf("try %d: %v, and the record has %q", i, err, answer)
		}
		idle(t, s)
		// The person's own digit may be there, Beckon's may not.
		s.Until("no digit of Beckon's is in the prompt line", func() bool { return !strings.Contains(s.Screen(), "❯\u00a02") })
		s.Press("BSpace")
	}
	t.Logf("Beckon was first %d times of %d; %d times both keys were lost", won, tries, lost)
}

// TestOnlyTheQuestionOnTheScreenIsAnswered (Q7): of two that are open in one
// session, the other one after it.
func TestOnlyTheQuestionOnTheScreenIsAnswered(t *testing.T) {
	t.Parallel()
	s := tui.NewMachine(t).Open(tui.Spec{Rules: []fixture.Rule{{When: "do it now", Times: 1, Turn: fixture.Turn{"blocks": []map[string]any{
		{"tool": "AskUserQuestion", "input": asks(database)}, {"tool": "AskUserQuestion", "input": asks(features)},
	}}}}})
	s.Say("do it now")
	both, on := open(t, s, "AskUserQuestion", 2), pane(t, s)
	both[0].Others, both[1].Others = []beckon.Question{both[1].Question}, []beckon.Question{both[0].Question}
	first, other := both[1], both[0] // the last is shown first
	shown(t, s, on, first)
	if _, err := dialog.CheckScreen(t.Context(), on, other); !errors.Is(err, dialog.Because(dialog.OtherDialog)) {
		t.Errorf("the other one looks answerable: %v", err)
	}
	refusedAs(t, new(dialog.Typist).Answer(t.Context(), on, other, reply(picks("SQLite"))), dialog.OtherDialog)
	if err := new(dialog.Typist).Answer(t.Context(), on, first, reply(picks("Export"))); err != nil {
		t.Errorf("the first: %v; the screen is\n%s", err, s.Screen())
	}
	other.Others = nil
	shown(t, s, on, other)
	if err := new(dialog.Typist).Answer(t.Context(), on, other, reply(picks("SQLite"))); err != nil {
		t.Errorf("the other: %v; the screen is\n%s", err, s.Screen())
	}
	for i, want := range []map[string]string{{"Which database should we use?": "SQLite"}, {"Which features do you want?": "Export"}} {
		got, _ := both[i].Settled()
		if fmt.Sprint(got.Answers) != fmt.Sprint(want) {
			t.Errorf("answered %v, want %v", got.Answers, want)
		}
	}
}

// TestAPaneIsFoundByItsProcess: two servers whose panes have one name, and a
// session in a tmux that is itself in a pane of the other.
func TestAPaneIsFoundByItsProcess(t *testing.T) {
	t.Parallel()
	one, two := tui.NewMachine(t).Open(tui.Spec{}), tui.NewMachine(t).Open(tui.Spec{})
	if one.Pane != two.Pane {
		t.Fatalf("panes %s and %s", one.Pane, two.Pane)
	}
	for _, s := range []*tui.Session{one, two} {
		if id := pane(t, s).ID(); id != s.Socket+" "+s.Pane {
			t.Errorf("found %s, want %s %s", id, s.Socket, s.Pane)
		}
	}
	outer := one.Tmux("new-window", "-d", "-P", "-F", "#{pane_id}", "env", "-u", "TMUX", "tmux", "-S", two.Socket, "attach")
	one.Until("the other server is seen in a pane", func() bool {
		return strings.Contains(one.Tmux("capture-pane", "-p", "-t", outer), "? for shortcuts")
	})
	on := pane(t, two)
	if id := on.ID(); id != two.Socket+" "+two.Pane {
		t.Errorf("nested: found %s, want %s %s", id, two.Socket, two.Pane)
	}
	// A5: it is made the one that is seen, in its own server.
	other := two.Tmux("new-window", "-P", "-F", "#{pane_id}", "cat")
	if err := on.Show(t.Context()); err != nil {
		t.Errorf("not shown: %v", err)
	}
	if active := two.Tmux("display-message", "-p", "#{pane_id}"); active != two.Pane || active == other {
		t.Errorf("%s is seen, want %s", active, two.Pane)
	}
	if _, err := tmux.Find(t.Context(), tmux.Process{PID: two.PID, Started: "1"}); !errors.Is(err, dialog.Because(dialog.Gone)) {
		t.Errorf("a process with a number used again: %v", err)
	}
	// What the hook says counts, but is checked as well.
	wrong := tmux.Process{PID: two.PID, Socket: one.Socket}
	if found, err := tmux.Find(t.Context(), wrong); err == nil && found.ID() != two.Socket+" "+two.Pane {
		t.Errorf("a wrong report led to %s", found.ID())
	}
}

// TestWhatWasOnlyStartedFromAPaneIsNotInIt: a terminal of its own has the
// variables too.
func TestWhatWasOnlyStartedFromAPaneIsNotInIt(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	file := filepath.Join(t.TempDir(), "pid")
	m.Tmux("new-session", "-d", "script", "-qc", "sh -c 'echo $$ > "+file+"; exec sleep 1000'", "/dev/null")
	// While the shell becomes the program that it starts, the kernel has no environment of it.
	var pid int
	var env []byte
	inPane := func() bool { return strings.Contains(string(env), "TMUX="+m.Socket) }
	for end := time.Now().Add(tui.Patience); !inPane() && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		env, _ = os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	}
	if !inPane() {
		t.Fatalf("process %d has no variable of the pane: %q", pid, env)
	}
	_, err := tmux.Find(t.Context(), tmux.Process{PID: pid})
	refusedAs(t, err, dialog.NotInTmux)
}

// TestForeignSocketsAreIgnored (S-f): of another user, and in a folder where
// others can put one.
func TestForeignSocketsAreIgnored(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	s, on, p := asking(t, tui.Spec{})
	dir := filepath.Dir(s.Socket)
	for name, change := range map[string]func(){
		"a socket of another user": func() { chown(t, s.Socket, 65534) },
		"a folder of another user that all may write to": func() {
			chown(t, dir, 65534)
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		},
	} {
		change()
		_, err := tmux.Find(t.Context(), tmux.Process{PID: s.PID})
		if !errors.Is(err, dialog.Because(dialog.NotInTmux)) {
			t.Errorf("%s: %v", name, err)
		}
		chown(t, s.Socket, 0)
		chown(t, dir, 0)
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := new(dialog.Typist).Answer(t.Context(), on, p, reply(picks("SQLite"))); err != nil {
		t.Error(err)
	}
}

func chown(t *testing.T, path string, uid int) {
	t.Helper()
	if err := os.Chown(path, uid, -1); err != nil {
		t.Fatal(err)
	}
}

// TestAServerThatHangsHoldsNobodyUp: a socket that answers nothing.
func TestAServerThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "beckon-hang-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "tmux"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	m := tui.NewMachine(t)
	m.Tmux("new-session", "-d", "sleep", "1000")
	pid, err := strconv.Atoi(m.Tmux("display-message", "-p", "#{pane_pid}"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = tmux.Find(t.Context(), tmux.Process{PID: pid, Socket: filepath.Join(dir, "tmux")})
	refusedAs(t, err, dialog.NotInTmux)
}
