package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store/datadir"
	"beckon/tests/timeout"
)

// This binary, started again by a test, plays the program that playVar names:
// "beckon" opens the data folder in dirVar, starts an "agent" and stays; an
// "agent" only stays. Both go when their stdin ends.
const (
	playVar = "BECKON_STORE_TEST_PLAY"
	dirVar  = "BECKON_STORE_TEST_DIR"
)

func TestMain(m *testing.M) {
	switch os.Getenv(playVar) {
	case "":
		os.Exit(m.Run())
	case "beckon":
		fmt.Println(hold(os.Getenv(dirVar)))
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// hold opens the folder, answers a question there, starts a child, and returns
// the question's id or what went wrong.
func hold(dir string) string {
	ctx := context.Background()
	s, err := Open(ctx, dir)
	if err != nil {
		return err.Error()
	}
	q, err := answered(ctx, s)
	if err != nil {
		return err.Error()
	}
	agent := exec.CommandContext(ctx, os.Args[0])
	agent.Env = append(os.Environ(), playVar+"=agent")
	agent.Stdin, agent.Stdout = os.Stdin, os.Stdout
	if err := agent.Start(); err != nil { // it has got past its exec then
		return err.Error()
	}
	return "answered " + q.ID
}

func answered(ctx context.Context, s *Store) (q beckon.Question, err error) {
	p := someProject("KES")
	task := someTask(p.ID)
	run := someRun(task.ID)
	q = someQuestion(run)
	err = errors.Join(s.AddProject(ctx, &p), s.CreateTask(ctx, &task), s.AddRun(ctx, &run), s.AddQuestion(ctx, q))
	if err != nil {
		return q, err
	}
	return s.Settle(ctx, q.ID, beckon.Answered, &beckon.Answer{Text: "keep Span"}, nil)
}

// The agents outlive a Beckon that is killed, for a moment at least, and must
// not keep the next one from its data.
func TestAnswerSurvivesKillAndTheFolderIsFreeWhileAgentsLive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	beckon := exec.CommandContext(deadline(t), os.Args[0])
	beckon.Env = append(os.Environ(), playVar+"=beckon", dirVar+"="+dir)
	stdin, err := beckon.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, said, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	beckon.Stdout = said
	err = errors.Join(stdout.SetReadDeadline(time.Now().Add(timeout.For(30*time.Second))), beckon.Start(), said.Close())
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	id, ok := strings.CutPrefix(strings.TrimSpace(line), "answered ")
	if err != nil || !ok {
		t.Fatalf("the other Beckon said %q, %v", line, err)
	}

	_, err = Open(t.Context(), dir)
	if !errors.Is(err, datadir.ErrInUse) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", beckon.Process.Pid)) {
		t.Errorf("opened beside process %d: %v", beckon.Process.Pid, err)
	}
	if err := beckon.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, err = beckon.Process.Wait()
	if err != nil {
		t.Fatal(err)
	}
	q, err := openStore(t, dir).Question(t.Context(), id)
	if err != nil || q.Answer == nil || q.Answer.Text != "keep Span" {
		t.Errorf("after the kill the question is %+v, %v", q, err)
	}

	if err := stdin.Close(); err != nil {
		t.Error(err)
	}
	// The agent has the pipe open for as long as it lives.
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Errorf("the agent did not go: %v", err)
	}
}

func TestSecondBeckonIsRefusedAndTheFirstGoesOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := openStore(t, dir)
	before := contents(t, dir)

	_, err := Open(t.Context(), dir)
	if !errors.Is(err, datadir.ErrInUse) || !strings.Contains(err.Error(), dir) ||
		!strings.Contains(err.Error(), "--data") {
		t.Errorf("second open: %v", err)
	}
	if after := contents(t, dir); after != before {
		t.Errorf("the second open left\n%s\nwhere there was\n%s", after, before)
	}
	p := someProject("KES")
	if err := first.AddProject(t.Context(), &p); err != nil {
		t.Errorf("the first cannot write any more: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	openStore(t, dir)
}

func TestNobodyElseCanReadTheData(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes are not how Windows keeps files private")
	}
	for name, prepare := range map[string]func(dir string) error{
		"new folder": func(string) error { return nil },
		"open folder and file": func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o755), os.Chmod(dir, 0o755),
				os.WriteFile(filepath.Join(dir, databaseName), nil, 0o644))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			s := openStore(t, dir)
			p := someProject("KES")
			if err := s.AddProject(t.Context(), &p); err != nil {
				t.Fatal(err)
			}
			seen := 0
			err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				seen++
				info, err := d.Info()
				if err == nil && info.Mode().Perm()&0o077 != 0 {
					t.Errorf("%s has mode %v", path, info.Mode())
				}
				return err
			})
			if err != nil || seen < 4 { // the folder, the lock, the database, its -wal
				t.Errorf("saw %d files, %v", seen, err)
			}
		})
	}
}

func TestFolderNamesAreOnlyNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "100%", "what?mode=memory", "#1", "ü", "[x]", "'; --"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, "?") {
			continue
		}
		dir := filepath.Join(t.TempDir(), name)
		s := openStore(t, dir)
		p := someProject("KES")
		if err := errors.Join(s.AddProject(t.Context(), &p), s.Close()); err != nil {
			t.Fatal(err)
		}
		list, err := openStore(t, dir).Projects(t.Context())
		if err != nil || len(list) != 1 {
			t.Errorf("%q holds %d projects, %v", name, len(list), err)
		}
	}
}

func TestCancelledWriteChangesNothing(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := someProject("KES")
	if err := s.AddProject(ctx, &p); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if list, err := s.Projects(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("projects = %v, %v", list, err)
	}
}

func TestWriteOnceBegunIsDoneThoughTheCallerLeaves(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.UpdateTask(ctx, task.ID, func(t *beckon.Task) error {
		t.Title = "kept"
		cancel()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Task(t.Context(), task.ID); err != nil || got.Title != "kept" {
		t.Errorf("title = %q, %v", got.Title, err)
	}
}

func TestReadersDoNotWaitForAWriter(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	_, err := s.UpdateTask(t.Context(), task.ID, func(edited *beckon.Task) error {
		edited.Title = "not yet"
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // less than SQLite's own patience
		defer cancel()
		got, err := s.Task(ctx, task.ID)
		if err == nil && got.Title != task.Title {
			t.Errorf("read %q before it was committed", got.Title)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Somebody who looks into the file with another program must not come between
// the reading and the writing of an edit, or the edit would fail at its end.
func TestNobodyWritesBetweenTheHalvesOfAnEdit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	task := addTask(t, s, addProject(t, s, "KES").ID)
	other, err := sql.Open("sqlite", filepath.Join(dir, databaseName)) // has no patience
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, err = s.UpdateTask(t.Context(), task.ID, func(edited *beckon.Task) error {
		if _, err := other.ExecContext(t.Context(), "UPDATE task SET title = 'theirs'"); err == nil {
			t.Error("another program wrote in the middle of an edit")
		}
		edited.Title = "ours"
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// The rest makes what the tests of this package need.

func openStore(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func withTask(t *testing.T) (*Store, beckon.Task) {
	t.Helper()
	s := openStore(t, t.TempDir())
	return s, addTask(t, s, addProject(t, s, "KES").ID)
}

func withRun(t *testing.T) (*Store, beckon.Run) {
	t.Helper()
	s, task := withTask(t)
	return s, addRun(t, s, task.ID)
}

func addProject(t *testing.T, s *Store, key string) beckon.Project {
	t.Helper()
	p := someProject(key)
	if err := s.AddProject(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func addTask(t *testing.T, s *Store, projectID string) beckon.Task {
	t.Helper()
	task := someTask(projectID)
	if err := s.CreateTask(t.Context(), &task); err != nil {
		t.Fatal(err)
	}
	return task
}

func addRun(t *testing.T, s *Store, taskID string) beckon.Run {
	t.Helper()
	r := someRun(taskID)
	if err := s.AddRun(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func addQuestion(t *testing.T, s *Store, r beckon.Run) beckon.Question {
	t.Helper()
	q := someQuestion(r)
	if err := s.AddQuestion(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	return q
}

// addAnswered adds a question that is answered with yes.
func addAnswered(t *testing.T, s *Store, r beckon.Run) beckon.Question {
	t.Helper()
	q := addQuestion(t, s, r)
	if _, err := s.Settle(t.Context(), q.ID, beckon.Answered, answer("yes"), nil); err != nil {
		t.Fatal(err)
	}
	return q
}

func someProject(key string) beckon.Project {
	return beckon.Project{
		ID: beckon.NewID(), Key: key, Name: key, Dir: "/src/" + key,
		Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs,
	}
}

func someTask(projectID string) beckon.Task {
	return beckon.Task{ID: beckon.NewID(), ProjectID: projectID, Title: "Rename Span", Status: beckon.Backlog}
}

func someRun(taskID string) beckon.Run {
	return beckon.Run{ID: beckon.NewID(), TaskID: taskID, Kind: beckon.TaskRun, Mode: beckon.ModeAuto}
}

func someQuestion(r beckon.Run) beckon.Question {
	return beckon.Question{
		ID: beckon.NewID(), TaskID: r.TaskID, RunID: r.ID, Kind: beckon.Ask, Policy: beckon.Proceed,
		Settlement: beckon.Open, Asked: beckon.Now(),
		Items: []beckon.QuestionItem{{Text: "Keep Span?", Options: []beckon.Option{}}},
	}
}

// contents returns the names and bytes of all files in dir.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		fmt.Fprintf(&text, "%s %q\n", path, b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(30*time.Second))
	t.Cleanup(cancel)
	return ctx
}
