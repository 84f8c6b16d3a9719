// Package crash kills Beckon and its agents with SIGKILL at every step of a
// question's life, and looks at what a person finds afterwards.
package crash

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/timeout"
)

// patience is how long a test waits for what no person delays.
var patience = timeout.For(30 * time.Second)

// scripts are what the agent plays: it asks, and writes down what it hears in
// the same turn, or in the message that resumes it.
var scripts = map[string]string{
	"ask.txtar": `-- script --
run touch asking
ask_user {"question":"Which colour?","options":["Red","Blue"]}
run echo "${answer}" > heard.txt
text I heard it.
`,
	"resumed.txtar": `-- script --
resume: yes
write resumed.txt ${message}
text Thank you.
`,
}

var beckonBin, agentBin, acpBin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "beckon-crash-")
	if err != nil {
		panic(err)
	}
	beckonBin, agentBin = filepath.Join(dir, "beckon"), filepath.Join(dir, "claude")
	acpBin = filepath.Join(dir, "acpagent")
	for name, bin := range map[string]string{"beckon": beckonBin, "beckon/tests/acpagent/cmd": acpBin} {
		build := exec.Command("go", "build", "-ldflags=-w", "-o", bin, name)
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false") // as it ships: it is compiled already
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", name, err, out)
			os.Exit(1)
		}
	}
	// Beckon plays the agent, too; by a name of its own the agents are found.
	if err := os.Symlink(beckonBin, agentBin); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// victim is a Beckon that will be killed, and its task.
type victim struct {
	*client.Program
	t       *testing.T
	project beckon.Project
	task    beckon.Task
	args    []string
	env     []string
}

// raise starts Beckon, with more of an environment, and a task whose agent asks.
func raise(t *testing.T, env ...string) *victim {
	t.Helper()
	home := t.TempDir()
	plays := filepath.Join(home, "scripts")
	if err := os.Mkdir(plays, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(plays, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// The variable is the agent's; Beckon itself would play if it had it.
	agent := filepath.Join(home, "claude")
	wrapper := fmt.Sprintf("#!/bin/sh\nBECKON_AGENT_SCRIPTS=%s exec %s \"$@\"\n", plays, agentBin)
	if err := os.WriteFile(agent, []byte(wrapper), 0o700); err != nil {
		t.Fatal(err)
	}
	v := &victim{
		t: t, args: []string{"-data", filepath.Join(home, "data"), "-claude", agent},
		env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home, "CLAUDE_CONFIG_DIR=" + filepath.Join(home, "config"), "TMPDIR=" + t.TempDir()},
	}
	v.env = append(v.env, env...)
	v.Program = client.Serve(t, beckonBin, v.env, v.args...)
	v.project = client.Must[beckon.Project](v.Program, "AddProject",
		beckon.NewProject{Dir: client.Repository(t, map[string]string{"a.txt": "a\n"}), Trusted: true})
	v.task = client.Must[beckon.Task](v.Program, "CreateTask", beckon.NewTask{ProjectID: v.project.ID, Title: "Ask", Status: beckon.Running})
	return v
}

// slain kills Beckon as a crash would and starts it again.
func (v *victim) slain() {
	v.t.Helper()
	_ = v.Cmd.Process.Kill()
	_ = v.Cmd.Wait()
	v.Program = client.Serve(v.t, beckonBin, v.env, v.args...)
}

// recorded reports whether an agent wrote down that it heard an answer or a
// message: one that is resumed knows it without being told.
func (v *victim) recorded(answer string) bool {
	v.t.Helper()
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(v.args[1]), "config", "projects", "*", "*.jsonl")) // the pattern is valid
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			v.t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, answer) {
				return true
			}
		}
	}
	return false
}

// wrote tells what the agent wrote into a file of its worktree, "" for none.
func (v *victim) wrote(name string) string {
	v.t.Helper()
	text, _ := os.ReadFile(filepath.Join(v.Task(v.task.ID).Worktree, name))
	return string(text)
}

// question returns the one question of the task, or false for none; two would
// be a question shown twice.
func (v *victim) question() (beckon.Question, bool) {
	v.t.Helper()
	qs := client.Must[[]beckon.Question](v.Program, "Questions", v.task.ID)
	if len(qs) > 1 {
		v.t.Fatalf("the question is there %d times: %+v", len(qs), qs)
	}
	if len(qs) == 0 {
		return beckon.Question{}, false
	}
	return qs[0], true
}

// answerReaches answers a question that a crash left over, and waits until the
// resumed agent has it, once.
func (v *victim) answerReaches(q beckon.Question) {
	v.t.Helper()
	if q.Settlement != beckon.Orphaned {
		v.t.Fatalf("after the crash the question is %s (%s), want orphaned", q.Settlement, q.Reason)
	}
	v.Answer(q, "Blue")
	v.resumedWith("Blue")
}

// resumedWith waits for the run that the answer resumed.
func (v *victim) resumedWith(answer string) {
	v.t.Helper()
	v.Until("the resumed agent's notes", patience, func() bool { return v.wrote("resumed.txt") != "" })
	got := v.wrote("resumed.txt")
	if !strings.Contains(got, "Which colour?") || strings.Count(got, answer) != 1 {
		v.t.Errorf("the agent was resumed with %q; want the question, and %s once", got, answer)
	}
	v.InReview(v.task.ID)
	q, _ := v.question()
	if q.Settlement != beckon.Answered || q.Delivered == 0 {
		v.t.Errorf("the row says %s, delivered %d; want an answer that was delivered", q.Settlement, q.Delivered)
	}
}

// rounds is how often each race is run; the moment of the kill is random.
const rounds = 6

func each(t *testing.T, story func(t *testing.T, delay time.Duration)) {
	for round := range rounds {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			t.Parallel()
			story(t, time.Duration(rand.Int64N(int64(40*time.Millisecond))))
		})
	}
}

// TestBeckonDiesAsTheAgentAsks: whether the row was made or not, the question
// is never there twice, and one that is there can be answered.
func TestBeckonDiesAsTheAgentAsks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, delay time.Duration) {
		v := raise(t)
		v.Until("the agent is about to ask", patience, func() bool {
			_, err := os.Stat(filepath.Join(v.Task(v.task.ID).Worktree, "asking"))
			return err == nil
		})
		time.Sleep(delay)
		v.slain()
		if q, ok := v.question(); ok {
			v.answerReaches(q)
		}
	})
}

func TestBeckonDiesWhileTheQuestionIsShown(t *testing.T) {
	t.Parallel()
	v := raise(t)
	shown := v.Asked(v.task.ID, "Which colour?")
	v.slain()
	q, ok := v.question()
	if !ok || q.ID != shown.ID {
		t.Fatalf("the question that was shown is gone: %+v", q)
	}
	v.answerReaches(q)
}

// TestBeckonDiesAsTheAnswerIsGiven: an answer that was accepted is not lost,
// and one that was not leaves the question open.
func TestBeckonDiesAsTheAnswerIsGiven(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, delay time.Duration) {
		v := raise(t)
		q := v.Asked(v.task.ID, "Which colour?")
		accepted := make(chan bool, 1)
		old := v.Program
		go func() {
			_, err := client.Call[any](old, "AnswerQuestion", q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Red"}}}})
			accepted <- err == nil
		}()
		time.Sleep(delay)
		v.slain()
		wasAccepted := <-accepted
		q, ok := v.question()
		if !ok {
			t.Fatal("the question is gone")
		}
		if q.Settlement == beckon.Orphaned {
			if wasAccepted {
				t.Fatal("an answer that was accepted is gone")
			}
			v.answerReaches(q)
			return
		}
		if q.Settlement != beckon.Answered || q.Answer.Items[0].Labels[0] != "Red" {
			t.Fatalf("the row says %+v; want the answer Red", q)
		}
		v.hearsOnResume("Red")
	})
}

// hearsOnResume wants the agent to have the answer: from the turn that was cut
// short, or from the message that resumes it, which no person sees to where
// the answer was not heard.
func (v *victim) hearsOnResume(answer string) {
	v.t.Helper()
	v.Until("the resumed agent's notes", patience, func() bool {
		if q, _ := v.question(); q.Delivered != 0 && v.Task(v.task.ID).Status == beckon.Review && v.wrote("resumed.txt") == "" {
			_, _ = client.Call[beckon.Task](v.Program, "MoveTask", v.task.ID, beckon.Running, 0)
		}
		return v.wrote("resumed.txt") != ""
	})
	heard, resumed := v.wrote("heard.txt"), v.wrote("resumed.txt")
	if !strings.Contains(heard+resumed, answer) && !v.recorded(answer) {
		v.t.Errorf("the agent never had the answer: in its turn %q, resumed with %q", heard, resumed)
	}
	if strings.Count(resumed, answer) > 1 {
		v.t.Errorf("the agent was resumed with %q: the answer more than once", resumed)
	}
	v.InReview(v.task.ID)
}

func TestBeckonDiesWhenTheAnswerWasDelivered(t *testing.T) {
	t.Parallel()
	v := raise(t)
	v.Answer(v.Asked(v.task.ID, "Which colour?"), "Red")
	v.Until("the agent heard it", patience, func() bool { return v.wrote("heard.txt") != "" })
	v.slain()
	q, ok := v.question()
	if !ok || q.Settlement != beckon.Answered {
		t.Fatalf("the row says %+v; want the answer", q)
	}
	v.hearsOnResume("Red")
}

// TestTheAgentDiesWhileItsQuestionIsOpen kills the agent and not Beckon.
func TestTheAgentDiesWhileItsQuestionIsOpen(t *testing.T) {
	t.Parallel()
	v := raise(t)
	v.Asked(v.task.ID, "Which colour?")
	v.killAgent()
	v.InReview(v.task.ID)
	q, ok := v.question()
	if !ok {
		t.Fatal("the question is gone")
	}
	v.answerReaches(q)
}

// TestTheAgentDiesAsTheAnswerIsGiven: the answer that came too late for its
// run is there for the next.
func TestTheAgentDiesAsTheAnswerIsGiven(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, delay time.Duration) {
		v := raise(t)
		q := v.Asked(v.task.ID, "Which colour?")
		v.Answer(q, "Red")
		time.Sleep(delay)
		v.killAgent()
		v.hearsOnResume("Red")
	})
}

// killAgent kills every process that plays the agent of this victim.
func (v *victim) killAgent() { v.signalAgent(os.Kill) }

func (v *victim) signalAgent(signal os.Signal) {
	worktree := v.Task(v.task.ID).Worktree
	out, _ := exec.Command("pgrep", "-f", agentBin+" -p").Output()
	for _, line := range strings.Fields(string(out)) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			continue
		}
		if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil && cwd == worktree {
			if agent, err := os.FindProcess(pid); err == nil {
				_ = agent.Signal(signal)
			}
		}
	}
}
