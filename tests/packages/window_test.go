//go:build packages

package packages

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/timeout"
)

// deaf is how long a question that has just come takes no answer, and more.
const deaf = time.Second

// screen is a desktop on which the installed program is used.
type screen struct {
	t   *testing.T
	env []string
}

// newScreen is one for which the package is installed below root, as far as the triggers
// of other packages would have taken it up.
func newScreen(t *testing.T, home *client.Home, root string) screen {
	t.Helper()
	said(t, "", "update-desktop-database", filepath.Join(root, "usr/share/applications"))
	env := home.Env(
		"DISPLAY="+client.Screen(t), "XDG_DATA_DIRS="+filepath.Join(root, "usr/share")+":/usr/share",
		"PATH="+filepath.Join(root, "usr/bin")+":"+os.Getenv("PATH"), "TMPDIR="+t.TempDir(),
	)
	return screen{t, env}
}

// start starts a command, and ends it with the test by asking it to.
func (s screen) start(name string, args ...string) {
	s.t.Helper()
	cmd := exec.Command("dbus-run-session", append([]string{"--", name}, args...)...)
	cmd.Env, cmd.SysProcAttr = s.env, &syscall.SysProcAttr{Setpgid: true}
	var log client.Log
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if s.t.Failed() {
			s.t.Logf("it said:\n%s\nthe titles are %q", &log, s.titles())
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		stubborn := time.AfterFunc(timeout.For(20*time.Second), func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		defer stubborn.Stop()
		_ = cmd.Wait() // the session ends as its program was asked to
	})
}

// tool runs one of the desktop's tools.
func (s screen) tool(name string, args ...string) string {
	cmd := exec.CommandContext(s.t.Context(), name, args...)
	cmd.Env = s.env
	text, _ := cmd.Output() // xdotool fails where it finds nothing
	return strings.TrimSpace(string(text))
}

func (s screen) titles() (all []string) {
	for id := range strings.FieldsSeq(s.tool("xdotool", "search", "--onlyvisible", "--name", ".")) {
		all = append(all, s.tool("xdotool", "getwindowname", id))
	}
	return all
}

func (s screen) until(what string, look func() bool) {
	s.t.Helper()
	for end := time.Now().Add(timeout.For(time.Minute)); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if look() {
			return
		}
	}
	s.t.Fatalf("%s: not within a minute", what)
}

// untilTitled waits for a window of that title.
func (s screen) untilTitled(title string) {
	s.t.Helper()
	s.until("the title "+title, func() bool { return slices.Contains(s.titles(), title) })
}

// colours is how many there are on the screen; a window that is blank has one.
func (s screen) colours() int {
	n, _ := strconv.Atoi(s.tool("import", "-window", "root", "-format", "%k", "info:-"))
	return n
}

// press presses a key in the window.
func (s screen) press(key string) {
	id := s.tool("xdotool", "search", "--onlyvisible", "--name", "Beckon$")
	s.tool("xdotool", "windowfocus", "--sync", id)
	s.tool("xdotool", "key", key)
}

// TestInstalledWindowTakesLinksAndAnswers: a task is started and its agent asks, in the
// window of what the package installed. The desktop knows whose beckon:// links are: one
// leads that window from its settings, where no key answers, to the inbox, where one does.
func TestInstalledWindowTakesLinksAndAnswers(t *testing.T) {
	t.Parallel()
	root := install(t)
	home := client.NewHome(t, filepath.Join(root, "usr/bin/beckon"), "-- script --\nask Which side? | Left | Right\nwrite side.txt ${answer}\ntext Done.\n")
	repo := client.Repository(t, map[string]string{"README.md": "# sample\n"})
	p := client.Serve(t, home.Bin, home.Env(), "-claude", home.At("claude"))
	project := client.Must[beckon.Project](p, "AddProject", beckon.NewProject{Dir: repo, Name: "sample", Key: "PKG", Base: "main", Trusted: true})
	client.Must[beckon.Task](p, "CreateTask", beckon.NewTask{ProjectID: project.ID, Title: "Choose", Status: beckon.Backlog, Policy: beckon.Wait})
	p.Close()

	s := newScreen(t, home, root)
	if is := s.tool("xdg-mime", "query", "default", "x-scheme-handler/beckon"); is != "beckon.desktop" {
		t.Errorf("links are opened by %q", is)
	}
	s.start("beckon", "-claude", home.At("claude"))
	s.untilTitled("Beckon")
	s.until("a painted page", func() bool { return s.colours() > 200 })
	s.press("j")
	s.press("q") // queues the card, which starts it
	s.untilTitled("(1) Beckon")
	s.press("ctrl+comma")
	time.Sleep(deaf)
	s.press("2")
	time.Sleep(deaf)
	if titles := s.titles(); !slices.Contains(titles, "(1) Beckon") {
		t.Errorf("it was answered in the settings; the titles are %q", titles)
	}
	open := exec.CommandContext(t.Context(), "xdg-open", "beckon://inbox")
	open.Env = s.env
	if text, err := open.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	// The link may take its time, and a question that it has just shown takes no key.
	s.until("the answer", func() bool {
		s.press("2")
		return slices.Contains(s.titles(), "Beckon")
	})
	s.until("the commit", func() bool {
		return strings.Contains(client.Git(t, repo, "log", "--all", "--format=%s"), "Choose")
	})
	branch := strings.TrimSpace(client.Git(t, repo, "for-each-ref", "--format=%(refname)", "refs/heads/beckon"))
	if text := client.Git(t, repo, "show", branch+":side.txt"); text != "Right" {
		t.Errorf("the agent wrote %q, want what the key answered", text)
	}
}

// TestInstalledWindowShowsTheDemo: without an account two agents ask, keys answer one of
// them, and the title counts one question less.
func TestInstalledWindowShowsTheDemo(t *testing.T) {
	t.Parallel()
	root := install(t)
	s := newScreen(t, client.NewHome(t, filepath.Join(root, "usr/bin/beckon"), ""), root)
	s.start("beckon", "demo")
	s.untilTitled("(2) Beckon")
	s.until("a painted page", func() bool { return s.colours() > 200 })
	s.press("ctrl+j") // the more urgent of the two: a choice, or a form of two
	s.until("the answer", func() bool {
		s.press("1")
		s.press("Return")
		return slices.Contains(s.titles(), "(1) Beckon")
	})
}

// TestInstalledWindowSaysWhyItDoesNotStart: who starts it from a menu sees nothing of what
// it prints, as after a downgrade, whose data stays as it is.
func TestInstalledWindowSaysWhyItDoesNotStart(t *testing.T) {
	t.Parallel()
	root := install(t)
	home := client.NewHome(t, filepath.Join(root, "usr/bin/beckon"), "")
	home.Serve().Close()
	database := filepath.Join(home.Data(), "beckon.db")
	table(t, database, "PRAGMA user_version = 99")
	newer, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	s := newScreen(t, home, root)
	s.start("beckon", home.Args()...)
	s.untilTitled("Beckon did not start")
	s.until("a painted text", func() bool { return s.colours() > 50 })
	if left, err := os.ReadFile(database); err != nil || !bytes.Equal(left, newer) {
		t.Errorf("its data was changed, %v", err)
	}
}
