//go:build linux

package observe

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"beckon/backend/agent/claude/sessionfile"
	"beckon/tests/timeout"
)

// patience is how long a test waits for an event.
var patience = timeout.For(20 * time.Second)

// stage is a root with sessions, and a watcher.
type stage struct {
	t      testing.TB
	root   string
	w      *Watcher
	events chan Event
}

// watch opens a watcher on a new root. change may change its options.
func watch(t *testing.T, change func(*Options)) *stage {
	t.Helper()
	s := &stage{t: t, root: filepath.Join(t.TempDir(), "claude"), events: make(chan Event, 1000)}
	s.open(change)
	return s
}

func (s *stage) open(change func(*Options)) {
	s.t.Helper()
	o := Options{Roots: []string{s.root}, Notify: func(e Event) { s.events <- e }, times: usual(), named: func() []string { return nil }}
	if change != nil {
		change(&o)
	}
	w, err := Open(o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.w = w
	s.t.Cleanup(func() { _ = w.Close() })
}

// agent is a process with a presence file.
type agent struct {
	*stage
	p   sessionfile.Presence
	cmd *exec.Cmd
}

// start starts a process that stands for the CLI; it says nothing yet.
func (s *stage) start(env ...string) *agent {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "sleep", "600")
	cmd.Env, cmd.Dir = append([]string{"PATH=" + os.Getenv("PATH")}, env...), s.t.TempDir()
	return s.run(cmd)
}

// run runs what stands for the CLI.
func (s *stage) run(cmd *exec.Cmd) *agent {
	s.t.Helper()
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	return &agent{s, sessionfile.Presence{
		PID: cmd.Process.Pid, SessionID: fmt.Sprintf("00000000-0000-4000-8000-%012d", cmd.Process.Pid), CWD: cmd.Dir,
		StartedAt: time.Now().UnixMilli(), ProcStart: strings.Fields(string(stat))[21], Version: "2.1.197", Entrypoint: "cli", Name: "kestrel",
	}, cmd}
}

func (a *agent) kill() { _ = a.cmd.Process.Kill(); _ = a.cmd.Wait() }

func (a *agent) presence() string {
	return filepath.Join(a.root, "sessions", fmt.Sprint(a.p.PID)+".json")
}

// says writes the presence file in place, as the CLI does.
func (a *agent) says(status Status) *agent {
	a.t.Helper()
	a.p.Status, a.p.StatusUpdatedAt = string(status), time.Now().UnixMilli()
	raw, err := json.Marshal(a.p)
	if err != nil {
		a.t.Fatal(err)
	}
	a.put(a.presence(), raw)
	return a
}

func (s *stage) put(name string, raw []byte) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, raw, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (a *agent) file() string {
	return filepath.Join(a.root, "projects", sessionfile.Folder(a.p.CWD), a.p.SessionID+".jsonl")
}

// writes appends to the session file.
func (a *agent) writes(text string) {
	a.t.Helper()
	appendTo(a.t, a.file(), text)
}

func appendTo(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func stamp() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }

// calls is a line with a call of a tool.
func useLine(id, tool, input string) string {
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]},"type":"assistant","uuid":"u-%s","timestamp":%q}`+"\n", id, tool, input, id, stamp())
}

const ask = `{"questions":[{"question":"Which?","header":"H","multiSelect":false,"options":[{"label":"A","description":"a"},{"label":"B","description":"b"}]}]}`

func answerLine(id string) string {
	return fmt.Sprintf(`{"parentUuid":"x","isSidechain":false,"promptId":"p","type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"answered","tool_use_id":%q}]},"timestamp":%q,"toolUseResult":{"questions":[{"question":"Which?"}],"answers":{"Which?":"B"},"annotations":{}}}`+"\n", id, stamp())
}

func textLine(text string) string {
	return fmt.Sprintf(`{"parentUuid":"x","isSidechain":false,"message":{"id":"m","role":"assistant","content":[{"type":"text","text":%q}]},"type":"assistant","timestamp":%q}`+"\n", text, stamp())
}

// next waits for an event of a kind that fits.
func (s *stage) next(kind EventKind, fits func(Event) bool) Event {
	s.t.Helper()
	deadline := time.After(patience)
	var seen []string
	for {
		select {
		case e := <-s.events:
			if e.Kind == kind && (fits == nil || fits(e)) {
				return e
			}
			seen = append(seen, fmt.Sprintf("%s %s %s", e.Kind, e.Session.Status, e.How))
		case <-deadline:
			s.t.Fatalf("no event %s; there were %q", kind, seen)
		}
	}
}

// Sessions returns what lives, and what ended so lately that no event said that it left.
func (w *Watcher) Sessions() []Session {
	w.mu.Lock()
	defer w.mu.Unlock()
	oldest := time.Now().Add(-w.o.times.listed).UnixMilli()
	return slices.DeleteFunc(slices.Clone(w.known), func(s Session) bool { return s.Ended > 0 && s.Ended <= oldest })
}

// sessions has the watcher look at everything, waits for that, and returns the list.
func (s *stage) sessions() []Session {
	s.t.Helper()
	before := 0
	s.w.do(func() { w := s.w; w.scan, before = true, w.looks })
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		looked := false
		s.w.do(func() { looked = !s.w.scan && s.w.looks > before })
		if looked {
			return s.w.Sessions()
		}
		if time.Now().After(end) {
			s.t.Fatal("the watcher does not look")
		}
	}
}

// TestASessionIsSeenFromItsStartToItsEnd, in folders that did not exist when the
// watch began.
func TestASessionIsSeenFromItsStartToItsEnd(t *testing.T) {
	t.Parallel()
	s := watch(t, func(o *Options) { o.times.listed = time.Second })
	a := s.start("TMUX=/tmp/t/default,12,0", "TMUX_PANE=%3").says(Idle)
	e := s.next(Appeared, nil)
	got := e.Session
	if got.PID != a.p.PID || got.SessionID != a.p.SessionID || got.CWD != a.p.CWD || got.Name != "kestrel" || got.Version != "2.1.197" ||
		got.Entrypoint != "cli" || got.Status != Idle || got.Started != a.p.StartedAt || got.Root != s.root || got.Terminal != (Terminal{"/tmp/t/default", "%3"}) {
		t.Errorf("appeared %+v", got)
	}
	a.writes(textLine("Hello."))
	s.next(Changed, func(e Event) bool { return e.Session.Last.Text == "Hello." })
	a.says(Busy)
	s.next(Changed, func(e Event) bool { return e.Session.Status == Busy })
	a.writes(useLine("q1", "AskUserQuestion", ask))
	written := time.Now()
	e = s.next(Opened, nil)
	if e.Ask.ID != "q1" || e.Ask.Kind != AskQuestion || !e.Ask.MayShow || string(e.Ask.Input) != ask || len(e.Session.Asks) != 1 {
		t.Errorf("opened %+v", e)
	}
	t.Logf("opened after %v", time.Since(written))
	a.writes(answerLine("q1"))
	e = s.next(Settled, nil)
	if e.How != Answered || len(e.Answers) != 1 || e.Answers[0] != (sessionfile.Answer{Question: "Which?", Answer: "B"}) || len(e.Session.Asks) != 0 {
		t.Errorf("settled %+v", e)
	}
	if err := os.Remove(a.presence()); err != nil {
		t.Fatal(err)
	}
	s.next(Ended, nil)
	if list := s.w.Sessions(); len(list) != 1 || list[0].Ended == 0 {
		t.Errorf("just ended: %+v", list)
	}
	s.next(Left, nil)
	if list := s.w.Sessions(); len(list) != 0 {
		t.Errorf("still listed: %+v", list)
	}
	if got, ok := s.w.Find(a.p.SessionID); !ok || got.Last.Text != "Hello." {
		t.Errorf("its last state is %+v, %v", got, ok)
	}
}

// TestASessionThatRanBeforeIsSeenWithWhatItWaitsFor.
func TestASessionThatRanBeforeIsSeenWithWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	a := s.start().says(Busy)
	a.writes(textLine("Let me write."))
	a.writes(useLine("w1", "Write", `{"file_path":"x","content":"y"}`))
	a.says(Waiting)
	s.open(nil)
	if e := s.next(Opened, nil); e.Ask.Kind != AskPermission || e.Ask.Tool != "Write" || e.Session.Last.Text != "Let me write." {
		t.Errorf("opened %+v", e)
	}
	a.says(Busy)
	if e := s.next(Settled, nil); e.How != Allowed {
		t.Errorf("settled %+v", e)
	}
}

// TestTheLastStateIsForgottenInTheEnd, and no sooner.
func TestTheLastStateIsForgottenInTheEnd(t *testing.T) {
	t.Parallel()
	s := watch(t, func(o *Options) { o.times.listed, o.times.kept = time.Millisecond, 500*time.Millisecond })
	a := s.start().says(Idle)
	s.next(Appeared, nil)
	a.kill()
	s.next(Left, nil)
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		got, ok := s.w.Find(a.p.SessionID)
		if !ok {
			break
		}
		if time.Now().After(end) || got.Ended == 0 {
			t.Fatalf("still found: %+v", got)
		}
	}
	a.says(Idle) // its process is gone, and so is what was known of it
	if list := s.sessions(); len(list) != 0 {
		t.Errorf("listed %+v", list)
	}
	kept := 0
	s.w.do(func() { kept = len(s.w.sessions) })
	if kept != 0 {
		t.Errorf("%d sessions are kept in memory", kept)
	}
}

// TestACheckReadsTheFilesAtThatMoment: a key is typed by what it says.
func TestACheckReadsTheFilesAtThatMoment(t *testing.T) {
	t.Parallel()
	s := watch(t, func(o *Options) { o.add = func(string) error { return nil } }) // no event helps
	a := s.start().says(Busy)
	s.sessions()
	id := s.next(Appeared, nil).Session.ID
	check := func(want bool, settled bool) {
		t.Helper()
		if open, result := s.w.Check(id, "b1"); open != want || (result != nil) != settled {
			t.Errorf("open %v, result %+v; want %v, %v", open, result, want, settled)
		}
	}
	check(false, false)
	a.writes(useLine("b1", "Bash", `{"command":"ls"}`))
	check(false, false)
	a.says(Waiting)
	check(true, false)
	a.says(Busy)
	check(false, false)
	a.says(Waiting)
	check(true, false)
	a.writes(answerLine("b1"))
	check(false, true)
	a.kill()
	check(false, true)
	if open, result := s.w.Check("gone", "b1"); open || result != nil {
		t.Error("a session that nobody knows has an open question")
	}
}

// TestAKilledSessionLeavesNoQuestionOpen: the presence file stays, and nobody says
// anything.
func TestAKilledSessionLeavesNoQuestionOpen(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	a := s.start().says(Busy)
	a.writes(useLine("q1", "AskUserQuestion", ask))
	s.next(Opened, nil)
	a.kill()
	if e := s.next(Settled, nil); e.How != Gone || len(e.Session.Asks) != 0 || e.Session.Ended == 0 {
		t.Errorf("settled %+v", e)
	}
	s.next(Ended, nil)
}

// TestClearGoesOnInTheSameRow with the new session's file.
func TestClearGoesOnInTheSameRow(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	a := s.start().says(Busy)
	a.writes(useLine("q1", "AskUserQuestion", ask))
	first := s.next(Opened, nil).Session
	a.p.SessionID = "11111111-0000-4000-8000-000000000000"
	a.says(Idle)
	if e := s.next(Settled, nil); e.How != Interrupted || e.Ask.ID != "q1" {
		t.Errorf("settled %+v", e)
	}
	a.writes(textLine("Another."))
	e := s.next(Changed, func(e Event) bool { return e.Session.Last.Text == "Another." })
	if e.Session.ID != first.ID || e.Session.SessionID != a.p.SessionID || e.Session.File == first.File {
		t.Errorf("after /clear %+v", e.Session)
	}
}

// TestASubAgentsQuestionIsNamed, and the call that started it is none.
func TestASubAgentsQuestionIsNamed(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	a := s.start().says(Busy)
	a.writes(useLine("t1", "Agent", `{"description":"look"}`))
	sub := filepath.Join(strings.TrimSuffix(a.file(), ".jsonl"), "subagents", "agent-a9")
	s.put(sub+".meta.json", []byte(`{"agentType":"Explore","description":"look around","toolUseId":"t1"}`))
	appendTo(t, sub+".jsonl", useLine("b1", "Bash", `{"command":"ls"}`))
	a.says(Waiting)
	e := s.next(Opened, nil)
	if e.Ask.ID != "b1" || e.Ask.Agent != (Agent{"a9", "Explore", "look around"}) || len(e.Session.Asks) != 1 || !slices.Equal(e.Session.Agents, []Agent{e.Ask.Agent}) {
		t.Errorf("opened %+v", e)
	}
	appendTo(t, sub+".jsonl", useLine("b2", "Bash", `{"command":"ls"}`))
	appendTo(t, sub+".jsonl", answerLine("b1"))
	if e := s.next(Settled, nil); e.Ask.ID != "b1" {
		t.Errorf("settled %+v", e)
	}
	appendTo(t, a.file(), answerLine("t1"))
	s.next(Changed, func(e Event) bool { return len(e.Session.Agents) == 0 })
}

// TestTheCallThatStartedASubAgentIsNoneEvenBeforeItsFileIsThere: the status is
// written before the lines are.
func TestTheCallThatStartedASubAgentIsNoneEvenBeforeItsFileIsThere(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	a := s.start().says(Busy)
	s.next(Appeared, nil)
	a.writes(useLine("t1", "Agent", `{"description":"look"}`))
	a.says(Waiting)
	s.next(Changed, func(e Event) bool { return e.Session.Status == Waiting })
	sub := filepath.Join(strings.TrimSuffix(a.file(), ".jsonl"), "subagents", "agent-a9")
	s.put(sub+".meta.json", []byte(`{"agentType":"Explore","description":"look around","toolUseId":"t1"}`))
	appendTo(t, sub+".jsonl", useLine("b1", "Bash", `{"command":"ls"}`))
	if e := s.next(Opened, nil); e.Ask.ID != "b1" {
		t.Errorf("opened %+v", e.Ask)
	}
}

// TestASubAgentThatIsToBeAllowedIsAskedAbout, once nothing else explains why its
// session waits.
func TestASubAgentThatIsToBeAllowedIsAskedAbout(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	a := s.start().says(Busy)
	a.writes(useLine("t1", "Agent", `{"description":"look"}`))
	a.says(Waiting)
	if e := s.next(Opened, nil); e.Ask.ID != "t1" {
		t.Errorf("opened %+v", e.Ask)
	}
}

// only waits until a session is seen, and checks that it is the only one.
func (s *stage) only(a *agent) (seen Session) {
	s.t.Helper()
	e := s.next(Appeared, nil)
	if e.Session.PID != a.p.PID {
		s.t.Errorf("appeared %+v", e.Session)
	}
	if list := s.sessions(); len(list) != 1 {
		s.t.Errorf("listed %+v", list)
	}
	return e.Session
}

// TestBeckonsOwnRunsAreNotListed: by their session, and by the mark that all that
// the supervisor started has.
func TestBeckonsOwnRunsAreNotListed(t *testing.T) {
	t.Parallel()
	var own *agent
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	own = s.start().says(Idle)
	s.start("BECKON_PROCESS=abc").says(Idle)
	other := s.start().says(Idle)
	s.open(func(o *Options) { o.Ours = func(id string) bool { return id == own.p.SessionID } })
	s.only(other)
}

// TestWrongPresenceFilesShowNoSession and stop nothing.
func TestWrongPresenceFilesShowNoSession(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	dead := s.start().says(Idle)
	dead.kill()
	reused := s.start()
	reused.p.ProcStart = "1"
	reused.says(Idle)
	foreign := s.start()
	foreign.p.PID = 1
	foreign.says(Idle)
	dir := filepath.Join(s.root, "sessions")
	for name, text := range map[string]string{
		"10.json": "", "11.json": "{", "12.json": `[]`, "13.json": `{"pid":13,"sessionId":"../../etc","cwd":"/"}`, "14.json": strings.Repeat(" ", 10<<20),
		"../15.json": "{}", "x.json": "{}", "-1.json": "{}",
	} {
		s.put(filepath.Join(dir, name), []byte(text))
	}
	linked := s.start().says(Idle)
	moved := filepath.Join(t.TempDir(), "elsewhere.json")
	if err := os.Rename(linked.presence(), moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(moved, linked.presence()); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "16.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfifo", filepath.Join(dir, "17.json")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.open(nil)
	right := s.start().says(Idle)
	s.only(right)
}

// TestAHalfWrittenPresenceFileIsReadAgain, and what it said last holds until then.
func TestAHalfWrittenPresenceFileIsReadAgain(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	a := s.start().says(Idle)
	s.next(Appeared, nil)
	whole, err := os.ReadFile(a.presence())
	if err != nil {
		t.Fatal(err)
	}
	s.put(a.presence(), whole[:len(whole)/2])
	if list := s.sessions(); len(list) != 1 || list[0].Status != Idle || list[0].Ended != 0 {
		t.Errorf("half written: %+v", list)
	}
	a.says(Waiting)
	s.next(Changed, func(e Event) bool { return e.Session.Status == Waiting })
}

// TestLinesAreReadOnceHoweverTheyCome: in halves, huge, after a truncation, in a file
// that took the place of another.
func TestLinesAreReadOnceHoweverTheyCome(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	a := s.start().says(Busy)
	said := func(text string) {
		s.t.Helper()
		s.next(Changed, func(e Event) bool { return e.Session.Last.Text == text })
	}
	s.next(Appeared, nil)
	line := textLine("In halves.")
	a.writes(line[:20])
	s.sessions()
	a.writes(line[20 : len(line)-1])
	s.sessions()
	a.writes("\n")
	said("In halves.")

	whole := textLine("Without a line feed.")
	a.writes(whole[:len(whole)-1])
	said("Without a line feed.")
	a.writes("\n" + textLine("And on."))
	said("And on.")

	huge := useLine("w1", "Write", `{"file_path":"x","content":"`+strings.Repeat("y", 5<<20)+`"}`)
	a.writes(huge)
	a.says(Waiting)
	if e := s.next(Opened, nil); e.Ask.ID != "w1" || len(e.Ask.Input) > 1<<20 {
		t.Errorf("opened %s with %d bytes", e.Ask.ID, len(e.Ask.Input))
	}
	a.writes(answerLine("w1"))
	s.next(Settled, nil)

	if err := os.WriteFile(a.file(), []byte(textLine("Truncated.")), 0o600); err != nil {
		t.Fatal(err)
	}
	said("Truncated.")
	next := a.file() + ".new"
	s.put(next, []byte(strings.Repeat(textLine("Filler."), 50)+textLine("Replaced.")))
	if err := os.Rename(next, a.file()); err != nil {
		t.Fatal(err)
	}
	said("Replaced.")
}

// TestAFirstLookReadsTheEndOfALargeFile to whole lines: a huge line that begins
// before it included.
func TestAFirstLookReadsTheEndOfALargeFile(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	a := s.start().says(Busy)
	a.writes(useLine("old", "AskUserQuestion", ask))
	for range 4 {
		a.writes(strings.Repeat(textLine("Filler."), 2000))
	}
	a.writes(useLine("w1", "Write", `{"file_path":"x","content":"`+strings.Repeat("y", 1<<20)+`"}`))
	a.writes(textLine("After."))
	a.says(Waiting)
	s.open(nil)
	if e := s.next(Opened, nil); e.Ask.ID != "w1" || len(e.Session.Asks) != 1 || e.Session.Last.Text != "After." {
		t.Errorf("opened %+v of %d, last %q", e.Ask.ID, len(e.Session.Asks), e.Session.Last.Text)
	}
}

// TestOnlyPlainFilesOfTheUserAreRead: no links, pipes or folders in their place.
func TestOnlyPlainFilesOfTheUserAreRead(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	a := s.start().says(Busy)
	s.next(Appeared, nil)
	elsewhere := filepath.Join(t.TempDir(), "secret.jsonl")
	s.put(elsewhere, []byte(textLine("A secret.")))
	if err := os.MkdirAll(filepath.Dir(a.file()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, a.file()); err != nil {
		t.Fatal(err)
	}
	s.sessions()
	if err := os.Remove(a.file()); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfifo", a.file()).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.sessions()
	if err := os.Remove(a.file()); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(a.file(), 0o700); err != nil {
		t.Fatal(err)
	}
	s.sessions()
	if err := os.Remove(a.file()); err != nil {
		t.Fatal(err)
	}
	// The whole folder behind a link.
	real := filepath.Join(t.TempDir(), "folder")
	s.put(filepath.Join(real, filepath.Base(a.file())), []byte(textLine("A secret.")))
	if err := os.Remove(filepath.Dir(a.file())); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Dir(a.file())); err != nil {
		t.Fatal(err)
	}
	if list := s.sessions(); len(list) != 1 || list[0].Last.Text != "" {
		t.Errorf("listed %+v", list)
	}
	if err := os.Remove(filepath.Dir(a.file())); err != nil {
		t.Fatal(err)
	}
	a.writes(textLine("Its own."))
	s.next(Changed, func(e Event) bool { return e.Session.Last.Text == "Its own." })
}

// TestNothingIsLookedAtWhileNothingLives: neither at an empty root, nor after the
// last session ended.
func TestNothingIsLookedAtWhileNothingLives(t *testing.T) {
	t.Parallel()
	s := watch(t, func(o *Options) {
		o.times.beat, o.times.poll, o.times.listed = 10*time.Millisecond, 10*time.Millisecond, 20*time.Millisecond
	})
	quiet := func() bool {
		var due time.Time
		s.w.do(func() { due = s.w.due(time.Now(), time.Time{}) })
		return due.IsZero()
	}
	s.sessions()
	if !quiet() {
		t.Error("something is due with nothing there")
	}
	a := s.start().says(Idle)
	s.next(Appeared, nil)
	if quiet() {
		t.Error("nobody looks after a session")
	}
	a.kill()
	s.next(Left, nil)
	s.sessions()
	if !quiet() {
		t.Error("something is due after the last session")
	}
}

// TestWithoutWatchesFilesAreLookedAt: limits on watches are shared with editors.
func TestWithoutWatchesFilesAreLookedAt(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	a := s.start().says(Busy)
	a.writes(textLine("One."))
	s.open(func(o *Options) {
		o.times.poll = 100 * time.Millisecond
		o.add = func(string) error { return os.NewSyscallError("inotify_add_watch", os.ErrPermission) }
	})
	s.next(Appeared, nil)
	a.writes(useLine("q1", "AskUserQuestion", ask))
	s.next(Opened, nil)
	if state := s.w.State(); state.Polled[filepath.Join(s.root, "sessions")] == "" {
		t.Errorf("the state is %+v", state)
	}
	b := s.start().says(Idle)
	s.next(Appeared, func(e Event) bool { return e.Session.PID == b.p.PID })
}

// TestFilesOnANetworkAreLookedAt: their folders take a watch, and no event comes of
// what another machine writes.
func TestFilesOnANetworkAreLookedAt(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	a := s.start().says(Busy)
	a.writes(textLine("One."))
	s.open(func(o *Options) {
		o.times.poll = 100 * time.Millisecond
		o.add = func(string) error { return nil }
		o.silent = func(string) bool { return true }
	})
	s.next(Appeared, nil)
	a.writes(useLine("q1", "AskUserQuestion", ask))
	s.next(Opened, nil)
	a.writes(answerLine("q1"))
	s.next(Settled, nil)
	if why := s.w.State().Polled[filepath.Join(s.root, "sessions")]; !strings.Contains(why, "file system") {
		t.Errorf("it is looked at because %q", why)
	}
}

// TestARootThatIsMadeWhileItIsLookedForIsRead, although no event tells of it.
func TestARootThatIsMadeWhileItIsLookedForIsRead(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, root: filepath.Join(t.TempDir(), "claude"), events: make(chan Event, 100)}
	a := s.start()
	made := sync.OnceFunc(func() { a.says(Idle) })
	s.open(func(o *Options) { o.add = func(string) error { made(); return nil } })
	if e := s.next(Appeared, nil); e.Session.PID != a.p.PID {
		t.Errorf("appeared %+v", e.Session)
	}
}

// TestEventsThatWereLostAreMadeUpFor: the system's queue of events has an end.
func TestEventsThatWereLostAreMadeUpFor(t *testing.T) {
	t.Parallel()
	s := watch(t, func(o *Options) { o.add = func(string) error { return nil } }) // and no event comes
	a := s.start().says(Busy)
	a.writes(useLine("q1", "AskUserQuestion", ask))
	s.w.files.Errors <- fsnotify.ErrEventOverflow
	s.next(Appeared, nil)
	if e := s.next(Opened, nil); e.Ask.ID != "q1" {
		t.Errorf("opened %+v", e.Ask)
	}
}

// TestOnlyFoldersThatMatterAreWatched, and not the files in them.
func TestOnlyFoldersThatMatterAreWatched(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	a := s.start().says(Idle)
	a.writes(textLine("Its own."))
	for i := range 100 {
		for j := range 20 {
			s.put(filepath.Join(s.root, "projects", fmt.Sprint("-other-", i), fmt.Sprint(j, ".jsonl")), nil)
		}
	}
	s.open(nil)
	s.next(Appeared, nil)
	var got []string
	s.w.do(func() { got = s.w.files.WatchList() })
	slices.Sort(got)
	want := []string{filepath.Join(s.root, "projects"), filepath.Dir(a.file()), filepath.Join(s.root, "sessions")}
	if !slices.Equal(got, want) {
		t.Errorf("watched %q, want %q", got, want)
	}
	a.kill()
	s.next(Ended, nil)
	s.sessions()
	s.w.do(func() { got = s.w.files.WatchList() })
	if len(got) != 2 {
		t.Errorf("after its end watched %q", got)
	}
}

// TestFilesOfOtherUsersAreNotBelieved.
func TestFilesOfOtherUsersAreNotBelieved(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	foreign, right := s.start().says(Idle), s.start().says(Idle)
	right.writes(textLine("A stranger's."))
	for _, name := range []string{foreign.presence(), right.file()} {
		if err := os.Chown(name, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	s.open(nil)
	if seen := s.only(right); seen.Last.Text != "" {
		t.Errorf("a stranger's file was read: %+v", seen)
	}
}

// TestAProcessOfAnotherUserIsNoSession, whatever the user's own files say of it.
func TestAProcessOfAnotherUserIsNoSession(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	cmd := exec.CommandContext(t.Context(), "sleep", "600")
	cmd.Dir, cmd.SysProcAttr = "/", &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	s.run(cmd).says(Idle)
	right := s.start().says(Idle)
	s.open(nil)
	s.only(right)
}

// TestARunThatBeckonLearnsToBeItsOwnLeavesTheList.
func TestARunThatBeckonLearnsToBeItsOwnLeavesTheList(t *testing.T) {
	t.Parallel()
	var own atomic.Bool
	s := watch(t, func(o *Options) { o.Ours = func(string) bool { return own.Load() } })
	s.start().says(Idle)
	s.next(Appeared, nil)
	own.Store(true)
	s.next(Left, nil)
	if list := s.sessions(); len(list) != 0 {
		t.Errorf("listed %+v", list)
	}
}

// TestASessionThatBeckonTookOverLeavesTheListAtOnce, also one that has ended.
func TestASessionThatBeckonTookOverLeavesTheListAtOnce(t *testing.T) {
	t.Parallel()
	var own atomic.Bool
	s := watch(t, func(o *Options) {
		o.times.beat = time.Hour
		o.Ours = func(string) bool { return own.Load() }
	})
	a := s.start().says(Idle)
	s.next(Appeared, nil)
	if err := os.Remove(a.presence()); err != nil {
		t.Fatal(err)
	}
	s.next(Ended, nil)
	own.Store(true)
	s.w.Disown()
	if list := s.w.Sessions(); len(list) != 0 {
		t.Errorf("listed %+v", list)
	}
	s.next(Left, nil)
}

// TestEverythingIsLookedAtAgainSeldomHoweverOftenItIsAskedFor: at once, and then once
// for all that was asked meanwhile.
func TestEverythingIsLookedAtAgainSeldomHoweverOftenItIsAskedFor(t *testing.T) {
	t.Parallel()
	var looks atomic.Int32
	s := watch(t, func(o *Options) {
		o.times.rescan = time.Hour
		o.named = func() []string { looks.Add(1); return nil }
	})
	s.sessions()
	until := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: never", what)
			}
		}
	}
	before := looks.Load()
	s.w.Rescan()
	until("the first look", func() bool { return looks.Load() == before+1 })
	for range 1000 {
		s.w.Rescan()
	}
	var due time.Time
	until("the next look is due", func() bool {
		heard := len(s.w.asked) == 0
		s.w.do(func() { due = s.w.due(time.Now(), time.Time{}) })
		return heard && !due.IsZero()
	})
	if wait := time.Until(due); wait < 30*time.Minute || wait > time.Hour || looks.Load() != before+1 {
		t.Errorf("it looked %d times more, and looks again in %s", looks.Load()-before-1, wait)
	}
	if s.w.do(func() { s.w.lookAtDue(time.Now()) }); looks.Load() != before+1 { // as an event has it do
		t.Error("it looked sooner")
	}
	s.w.do(func() { s.w.rescans = s.w.rescans.Add(-time.Hour) })
	until("the next look", func() bool { return looks.Load() == before+2 })
	s.w.do(func() { due = s.w.due(time.Now(), time.Time{}) })
	if !due.IsZero() || looks.Load() != before+2 {
		t.Errorf("it looked %d times more, and looks again at %s", looks.Load()-before-2, due)
	}
}

// TestARootThatIsNoLongerReadTakesItsSessionsAlong.
func TestARootThatIsNoLongerReadTakesItsSessionsAlong(t *testing.T) {
	t.Parallel()
	s := watch(t, nil)
	s.start().says(Idle)
	s.next(Appeared, nil)
	s.w.SetRoots(nil)
	s.next(Left, nil)
	if list := s.sessions(); len(list) != 0 || len(s.w.State().Roots) != 0 {
		t.Errorf("listed %+v of %+v", list, s.w.State())
	}
}

// TestARootInTheEnvironmentOfAProcessIsWatched: one of two sessions has its own.
func TestARootInTheEnvironmentOfAProcessIsWatched(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, root: t.TempDir(), events: make(chan Event, 100)}
	other := &stage{t: t, root: t.TempDir()}
	one, two := s.start().says(Idle), other.start("CLAUDE_CONFIG_DIR="+other.root).says(Idle)
	s.open(func(o *Options) {
		o.named = func() []string { // of all that this machine has, what this test made
			return slices.DeleteFunc(ProcessRoots(), func(dir string) bool { return dir != other.root })
		}
	})
	found := map[int]bool{}
	for range 2 {
		found[s.next(Appeared, nil).Session.PID] = true
	}
	if !found[one.p.PID] || !found[two.p.PID] {
		t.Errorf("found %v", found)
	}
	third := other.start().says(Idle) // in a root that is known by now
	s.next(Appeared, func(e Event) bool { return e.Session.PID == third.p.PID })

	// What Beckon's own agents were given is no folder of the user's.
	own := &stage{t: t, root: t.TempDir()}
	own.start("CLAUDE_CONFIG_DIR="+own.root, "BECKON_PROCESS=abc").says(Idle)
	if roots := ProcessRoots(); !slices.Contains(roots, other.root) || slices.Contains(roots, own.root) {
		t.Errorf("the folders are %q", roots)
	}
}
