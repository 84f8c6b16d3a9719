//go:build window

// Package desktop holds Beckon's tray icon and notifications against a desktop
// that the tests play, on a bus of its own: whether what is shown is true,
// whether what is pressed arrives, once, and what becomes of it all where there
// is no such desktop. The window is the real one, on a screen that nobody sees.
package desktop

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/tests/client"
	"beckon/tests/timeout"
)

// patience is how long anything may take.
var patience = timeout.For(30 * time.Second)

// calm is how long a notification takes no answer, and more.
const calm = 700 * time.Millisecond

var beckonBin string

func TestMain(m *testing.M) {
	build := exec.Command("make", "-s", "build")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "make build: %v\n%s", err, out)
		os.Exit(1)
	}
	beckonBin, _ = filepath.Abs("../../build/bin/beckon") // never fails with a working folder
	os.Exit(m.Run())
}

// stage is a Beckon in its window, with one task that begins at once.
type stage struct {
	*fake
	*client.Home
	repo  string
	task  beckon.Task
	cmd   *exec.Cmd
	ended chan error
	said  client.Log
}

// set prepares a data folder with a task that waits in the queue, and an agent
// that follows script. Settings are changed by change, if it is not nil.
func set(t *testing.T, script string, change func(*beckon.Settings)) *stage {
	t.Helper()
	s := &stage{fake: &fake{t: t}, Home: client.NewHome(t, beckonBin, "-- script --\n"+script), ended: make(chan error, 1)}
	s.repo = client.Repository(t, map[string]string{"README.md": "# sample\n"})
	p := s.Serve()
	project := client.Must[beckon.Project](p, "AddProject", beckon.NewProject{Dir: s.repo, Name: "sample", Key: "TRY", Base: "main", Trusted: true})
	s.task = client.Must[beckon.Task](p, "CreateTask", beckon.NewTask{ProjectID: project.ID, Title: "Choose a side", Policy: beckon.Wait})
	if change != nil {
		settings := beckon.DefaultSettings()
		change(&settings)
		client.Must[any](p, "SaveSettings", settings)
	}
	p.Close()
	s.queue()
	return s
}

// queue puts the task where the next start of Beckon finds it.
func (s *stage) queue() {
	s.t.Helper()
	kept, err := store.Open(s.t.Context(), s.Data())
	if err != nil {
		s.t.Fatal(err)
	}
	defer kept.Close()
	if _, err := kept.UpdateTask(s.t.Context(), s.task.ID, func(t *beckon.Task) error { return t.Move(beckon.Queued) }); err != nil {
		s.t.Fatal(err)
	}
}

// open starts Beckon's window on the bus at address, where f is the desktop.
func (s *stage) open(f *fake, address string) {
	s.t.Helper()
	s.fake = f
	s.cmd = exec.Command(beckonBin, s.Args()...)
	s.cmd.Env = s.Env("DISPLAY="+client.Screen(s.t), "DBUS_SESSION_BUS_ADDRESS="+address)
	s.cmd.Stdout, s.cmd.Stderr = &s.said, &s.said
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() { s.ended <- s.cmd.Wait() }()
	s.t.Cleanup(s.close)
}

// run is set and open with a whole desktop.
func run(t *testing.T, script string, change func(*beckon.Settings)) *stage {
	t.Helper()
	s := set(t, script, change)
	address := bus(t)
	f := newFake(t, address)
	f.watch()
	f.announce()
	s.open(f, address)
	return s
}

// close ends Beckon, unless it did on its own, and shows the log of a test that
// failed.
func (s *stage) close() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(patience):
		_ = s.cmd.Process.Kill()
		s.t.Errorf("Beckon did not end in %s", patience)
	}
	if s.t.Failed() {
		s.t.Logf("what Beckon said:\n%s", &s.said)
	}
}

// untilEnded waits until Beckon has gone on its own.
func (s *stage) untilEnded() {
	s.t.Helper()
	select {
	case err := <-s.ended:
		s.ended <- err
		if err != nil {
			s.t.Errorf("Beckon ended with %v", err)
		}
	case <-time.After(patience):
		s.t.Fatalf("Beckon did not end in %s", patience)
	}
}

func (s *stage) until(what string, look func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if look() {
			return
		}
	}
	s.t.Fatalf("%s: not in %s\n%s", what, patience, s.fake)
}

// told waits for a notification with the title and returns it.
func (s *stage) told(title string) (found note) {
	s.t.Helper()
	s.until("the notification "+title, func() bool {
		for _, n := range s.shown() {
			if n.title == title {
				found = n
				return true
			}
		}
		return false
	})
	return found
}

// base opens the database to look at.
func (s *stage) base() *sql.DB {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.Data(), "beckon.db")+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		s.t.Fatal(err)
	}
	return db
}

// count returns the number that a query gives.
func (s *stage) count(query string) (n int) {
	s.t.Helper()
	db := s.base()
	defer db.Close()
	if err := db.QueryRowContext(s.t.Context(), query).Scan(&n); err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// question reads the task's only question from the database.
func (s *stage) question() (q beckon.Question) {
	s.t.Helper()
	db := s.base()
	defer db.Close()
	var answer sql.NullString
	row := db.QueryRowContext(s.t.Context(), "SELECT id, settlement, answer FROM question")
	if err := row.Scan(&q.ID, &q.Settlement, &answer); err != nil {
		s.t.Fatalf("the question: %v", err)
	}
	if answer.Valid {
		if err := json.Unmarshal([]byte(answer.String), &q.Answer); err != nil {
			s.t.Fatal(err)
		}
	}
	return q
}

// wrote waits until the agent has committed side.txt and returns what it says.
func (s *stage) wrote() string {
	s.t.Helper()
	var text string
	s.until("the agent's work", func() bool {
		cmd := exec.CommandContext(context.Background(), "git", "show", "beckon/"+s.branch()+":side.txt")
		cmd.Dir = s.repo
		out, err := cmd.Output()
		text = string(out)
		return err == nil
	})
	return text
}

func (s *stage) branch() string {
	return strings.TrimSpace(client.Git(s.t, s.repo, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/beckon"))
}

// route waits until the window stands at an address, which it keeps.
func (s *stage) route(want string) {
	s.t.Helper()
	s.until("the window at "+want, func() bool {
		text, _ := os.ReadFile(filepath.Join(s.Data(), "window.json"))
		var kept struct{ Route string }
		return json.Unmarshal(text, &kept) == nil && kept.Route == want
	})
}
