//go:build window

// Package window holds Beckon's real window against what only a window can
// break: whether the page loads and paints under its own scheme and policy,
// whether bound calls, frames and keys reach it, and whether everything is
// gone when it is asked to end. It runs under Xvfb with a bus and a home of its
// own. What the page does besides is tested in a browser; see tests/browser.
package window

import (
	"fmt"
	"image/color"
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

// patience is how long anything may take, and endIn how long the end may.
var (
	patience = timeout.For(30 * time.Second)
	endIn    = timeout.For(10 * time.Second)
)

// deaf is how long a question that has just come takes no answer, and more.
const deaf = time.Second

// marigold is the colour that means "needs you", and nothing else.
var marigold = color.RGBA{0xfd, 0xb2, 0x1d, 0xff}

const script = `-- script --
text I look around first.
ask_user {"questions":[{"question":"Which side?","header":"Side","options":[{"label":"Left","description":"Where the heart is"},{"label":"Right","description":"Where it is not"}]}]}
write side.txt ${answer}
text It is done.
`

// The build that ships, and one whose page can be asked.
var builds = [][]string{
	{"make", "-s", "build"},
	{"go", "build", "-trimpath", "-buildmode=pie", "-tags", "desktop,production,webkit2_41,devtools", "-o", "build/bin/beckon-devtools", "."},
}

func TestMain(m *testing.M) {
	for _, command := range builds {
		build := exec.Command(command[0], command[1:]...)
		build.Dir = "../.."
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n%s", command, err, out)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func TestTheWindowPaintsAsksTakesAnAnswerAndLeavesNothing(t *testing.T) {
	s := newStage(t)
	repo := s.furnish("Choose a side")
	w := s.open()

	w.untilTitled("Beckon")
	w.untilPainted()
	w.press("j", "q") // queues the card, which starts it
	w.untilTitled("(1) Beckon")
	w.until("the marigold of a card that waits", func() bool { return w.look().of[marigold] > 500 })
	w.press("ctrl+j")
	time.Sleep(deaf)
	w.save("window.png")
	w.press("2")
	w.untilTitled("Beckon")
	w.until("the commit", func() bool {
		return strings.Contains(client.Git(t, repo, "log", "--all", "--format=%s"), "Choose a side")
	})
	branch := strings.TrimSpace(client.Git(t, repo, "for-each-ref", "--format=%(refname)", "refs/heads/beckon"))
	if text := client.Git(t, repo, "show", branch+":side.txt"); text != "Right" {
		t.Errorf("the agent wrote %q, want what the key answered", text)
	}
	w.untilEnded()
}

// TestAWindowThatEndsTakesItsAgentsAlong: the agent waits and has a command of
// its own in the background when the window is asked to end. The supervisor above it
// is light: there is one for each agent.
func TestAWindowThatEndsTakesItsAgentsAlong(t *testing.T) {
	s := newStage(t)
	s.Write("agents/agent.txtar", "-- script --\nrun sleep 300 & echo started\nask Which? | Left | Right\n")
	s.furnish("Leave something behind")
	w := s.open()
	w.untilPainted()
	w.press("j", "q")
	w.untilTitled("(1) Beckon")
	all := strings.Join(s.processes(), "\n")
	if !strings.Contains(all, "sleep 300") {
		t.Fatalf("the agent's command does not run:\n%s", all)
	}
	supervisors := 0
	for pid, command := range s.pids() {
		if !strings.HasPrefix(command, "beckon-supervisor ") {
			continue
		}
		if supervisors++; loadsWebKit(t, pid) {
			t.Error("a supervisor loads WebKit")
		}
	}
	if supervisors == 0 {
		t.Errorf("no supervisor is found in:\n%s", all)
	}
	w.untilEnded()
}

// stage is a home with a data folder and an agent that follows a script.
type stage struct {
	*client.Home
	t *testing.T
	// more is added to the environment of Beckon.
	more []string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	bin, err := filepath.Abs("../../build/bin/beckon")
	if err != nil {
		t.Fatal(err)
	}
	return &stage{t: t, Home: client.NewHome(t, bin, script)}
}

// furnish puts a project and a task on the board, as `serve` does, and
// returns the project's folder.
func (s *stage) furnish(title string) string {
	s.t.Helper()
	repo := client.Repository(s.t, map[string]string{"README.md": "# sample\n"})
	p := s.Serve()
	project := client.Must[beckon.Project](p, "AddProject", beckon.NewProject{Dir: repo, Name: "sample", Key: "WIN", Base: "main", Trusted: true})
	client.Must[beckon.Task](p, "CreateTask", beckon.NewTask{ProjectID: project.ID, Title: title, Status: beckon.Backlog, Policy: beckon.Wait})
	p.Close()
	return repo
}

// processes returns the command lines of all that has the stage's HOME.
func (s *stage) processes() []string {
	var list []string
	for _, line := range s.pids() {
		list = append(list, line)
	}
	return list
}

// pids returns the same by process.
func (s *stage) pids() map[int]string {
	found := map[int]string{}
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environs {
		env, err := os.ReadFile(name)
		if err != nil || !strings.Contains("\x00"+string(env), "\x00HOME="+s.At("home")+"\x00") {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		found[pid] = strings.ReplaceAll(string(line), "\x00", " ")
	}
	return found
}
