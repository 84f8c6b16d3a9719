//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"beckon/backend/agent/claude/scripted"
	"beckon/backend/beckon"
	"beckon/tests/client"
)

// patience is how long anything at all may take.
const patience = 5 * time.Minute

// env is an environment apart from the user's own.
func (b *bench) env() []string {
	home := b.TempDir()
	return []string{
		"HOME=" + home, "XDG_RUNTIME_DIR=" + home, "TMPDIR=" + b.TempDir(), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"GIT_AUTHOR_NAME=Bench", "GIT_AUTHOR_EMAIL=bench@localhost", "GIT_COMMITTER_NAME=Bench", "GIT_COMMITTER_EMAIL=bench@localhost",
	}
}

// agent returns a program that plays the first of the scripts that fits and can be
// taken for claude: this one, with scripts to play. Beckon itself must not get them,
// or it would play.
func (b *bench) agent(scripts ...string) string {
	self, err := os.Executable()
	b.must(err)
	dir, program := b.TempDir(), filepath.Join(b.TempDir(), "claude")
	for i, script := range scripts {
		b.must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.txtar", i)), []byte("-- script --\n"+script), 0o600))
	}
	b.must(os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\n%s exec %s \"$@\"\n", scripted.Script(dir), self), 0o700))
	return program
}

// stage is a running Beckon with one project and a client.
type stage struct {
	*client.Program
	b       *bench
	project beckon.Project
	data    string
	idle    float64 // MB that are resident while an agent waits for the word
}

const clientID = "benchclient"

// serve starts Beckon, with an agent that plays script in dir, or the one of others
// that is for its task.
func (b *bench) serve(script, dir string, others ...string) *stage {
	return b.serveIn(b.env(), dir, b.agent(append(others, script)...))
}

// serveIn does so in an environment, with a program in claude's place.
func (b *bench) serveIn(env []string, dir, claude string) *stage {
	s := &stage{b: b, data: filepath.Join(b.TempDir(), "data")}
	s.Program = client.Serve(b, b.beckon, env, "-data", s.data, "-claude", claude)
	s.project = client.Must[beckon.Project](s.Program, "AddProject", beckon.NewProject{Dir: dir, Trusted: true})
	return s
}

func (s *stage) create(title string, status beckon.Status) beckon.Task {
	return client.Must[beckon.Task](s.Program, "CreateTask", beckon.NewTask{ProjectID: s.project.ID, Title: title, Status: status})
}

// An agent's work waits for a word between its first words and its last, so
// that it can be timed.
const (
	firstWords = "I am ready."
	startWord  = "begin-the-work"
	lastWords  = "I am done."
)

func framed(steps string) string {
	return "text " + firstWords + "\nexpect " + startWord + "\n" + steps + "\ntext " + lastWords + "\n"
}

// work runs the agent of a framed script and returns how long it was from
// the word to begin until a client that shows the transcript had the end of it.
func (s *stage) work() (took time.Duration, task beckon.Task) {
	ready, done := make(chan struct{}), make(chan struct{})
	w := &watcher{stage: s, said: map[string]chan struct{}{firstWords: ready, lastWords: done}, fetch: make(chan struct{}, 1)}
	s.Follow(clientID, w.show)
	task = s.create("Work", beckon.Backlog)
	client.Must[any](s.Program, "Watch", clientID, []string{task.ID})
	go w.fetchEnds(task.ID)
	client.Must[beckon.Task](s.Program, "MoveTask", task.ID, beckon.Running, 0)
	s.wait(ready, task.ID)
	s.idle, _ = resident(s.b, s.Cmd.Process.Pid)
	resetPeak(s.b, s.Cmd.Process.Pid)
	began := time.Now()
	client.Must[beckon.Message](s.Program, "SendMessage", task.ID, beckon.NewMessage{Text: startWord, Manner: beckon.Steer, Images: []beckon.Image{}})
	s.wait(done, task.ID)
	return time.Since(began), task
}

// stored fails the measure unless the logs of all agents have so many lines: what was lost
// was not measured.
func (s *stage) stored(lines int) {
	found := 0
	for _, n := range s.logs() {
		found += n
	}
	if found < lines {
		s.b.Fatalf("%d of %d lines are stored", found, lines)
	}
}

// logs counts the lines of each run's log.
func (s *stage) logs() (lines []int) {
	names, err := filepath.Glob(filepath.Join(s.data, "transcripts", "*.ndjson"))
	s.b.must(err)
	buf := make([]byte, 1<<20)
	for _, name := range names {
		log, err := os.Open(name)
		s.b.must(err)
		found := 0
		for n := 1; n > 0; {
			n, _ = log.Read(buf)
			found += bytes.Count(buf[:n], []byte("\n"))
		}
		log.Close()
		lines = append(lines, found)
	}
	return lines
}

func (s *stage) wait(said <-chan struct{}, task string) {
	select {
	case <-said:
	case <-time.After(patience):
		s.b.Fatalf("the agent did not say it: %+v\n%s", client.Must[[]beckon.Run](s.Program, "Runs", task), s.Logs())
	}
}

// watcher is a client as the page is one: it takes entries from frames, and
// fetches the transcript's end when it hears that it missed some.
type watcher struct {
	*stage
	fetch chan struct{} // holds one

	mu   sync.Mutex // guards said
	said map[string]chan struct{}
}

func (w *watcher) show(f beckon.Frame) {
	again := f.Lost
	for _, e := range f.Events {
		again = again || e.Reload != ""
		if e.Entry != nil {
			w.look(*e.Entry)
		}
	}
	if again {
		select {
		case w.fetch <- struct{}{}:
		default:
		}
	}
}

// look notes words that somebody waits for.
func (w *watcher) look(e beckon.Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.said[e.Text]; c != nil {
		close(c)
		delete(w.said, e.Text)
	}
}

func (w *watcher) fetchEnds(task string) {
	for {
		select {
		case <-w.b.ctx.Done():
			return
		case <-w.fetch:
		}
		p, err := client.Call[beckon.TranscriptPage](w.Program, "Transcript", task, "", 100)
		if err != nil {
			return // the program has ended
		}
		for _, e := range p.Entries {
			w.look(e)
		}
	}
}

// launch starts Beckon on a data folder, for who makes the first visit.
func (b *bench) launch(data string) *client.Program {
	return client.Launch(b, b.beckon, b.env(), "-data", data, "-claude", "none")
}
