//go:build linux

package takeover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/look"
	"beckon/backend/observe"
	"beckon/backend/observe/mirror"
	"beckon/backend/transcript"
	"beckon/tests/runnertest"
)

func TestMain(m *testing.M) { runnertest.Main(m) }

// scene is a Beckon whose agents note their session and their folder, and the
// files of a CLI beside it.
type scene struct {
	*runnertest.Driver
	*Taker
	root string
	w    *observe.Watcher
}

func newScene(t *testing.T) *scene {
	t.Helper()
	p := &scene{root: filepath.Join(t.TempDir(), "claude")}
	p.Driver = runnertest.StartWith(t, runnertest.AgentsOf(t, map[string]string{
		"first": "text A new one.", "resumed": "resume: yes\nmatch: .\nwrite session.txt ${session}\n",
	}))
	must(t, os.MkdirAll(filepath.Join(p.root, "sessions"), 0o700))
	p.Taker = New(Config{
		Store: p.Store, Agents: p.Runner, CreateTask: p.Board.CreateTask, Publish: func(e beckon.Event) { p.Seen.Take(e) },
		Watcher: func() *observe.Watcher { return p.w },
		Past:    observe.Past{}, Copy: mirror.New(mirror.Config{Dir: transcript.Dir(p.DataDir)}).Copy,
		Repo: look.MainWorktree, Changed: func(string) {}, Logs: transcript.Dir(p.DataDir), Home: p.root,
	})
	p.Driver.Elsewhere = p.Taker.Elsewhere
	w, err := observe.Open(observe.Options{
		Roots: []string{p.root}, Notify: p.Taker.OnEvent,
		Ours: func(session string) bool {
			own, err := p.Store.IsOwnSession(context.Background(), session)
			return own || err != nil
		},
	})
	must(t, err)
	p.w = w
	t.Cleanup(func() { _ = w.Close(); p.Taker.Close() })
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// session is one of the CLI's.
type session struct {
	p   *scene
	id  string
	dir string
	cmd *exec.Cmd
}

var sessions atomic.Int64

// said writes the file of a session in a folder, in which something was said.
func (p *scene) said(dir string, texts ...string) *session {
	p.T.Helper()
	s := &session{p: p, id: fmt.Sprintf("00000000-0000-4000-8000-%012d", sessions.Add(1)), dir: dir}
	at := time.Now().Add(-time.Hour)
	var text strings.Builder
	for i, said := range texts {
		kind := []string{"user", "assistant"}[i%2]
		line, err := json.Marshal(map[string]any{
			"type": kind, "uuid": fmt.Sprint(s.id, i), "timestamp": at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
			"sessionId": s.id, "cwd": dir, "version": "2.1.197", "entrypoint": "cli",
			"message": map[string]any{"id": fmt.Sprint("m", i), "role": kind, "model": "claude-opus-4-8", "content": []any{map[string]any{"type": "text", "text": said}}},
		})
		must(p.T, err)
		text.Write(append(line, '\n'))
	}
	must(p.T, os.MkdirAll(filepath.Dir(s.file()), 0o700))
	must(p.T, os.WriteFile(s.file(), []byte(text.String()), 0o600))
	return s
}

func (s *session) file() string {
	return filepath.Join(s.p.root, "projects", sessionfile.Folder(s.dir), s.id+".jsonl")
}

// opens has a process open the session, and returns how the watcher calls it.
func (s *session) opens() (id string) {
	s.p.T.Helper()
	id = s.starts()
	s.p.await("the session is listed", func() bool {
		found, known := s.p.w.Find(id)
		return known && found.File != ""
	})
	return id
}

// starts does so without waiting until it is seen.
func (s *session) starts() (id string) {
	t := s.p.T
	t.Helper()
	s.cmd = exec.Command("sleep", "600")
	s.cmd.Env, s.cmd.Dir = []string{"PATH=" + os.Getenv("PATH")}, os.TempDir()
	must(t, s.cmd.Start())
	t.Cleanup(s.dies)
	pid := s.cmd.Process.Pid
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	must(t, err)
	start := strings.Fields(string(stat))[21]
	presence := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%q,"startedAt":%d,"procStart":%q,"version":"2.1.197","entrypoint":"cli","name":"kestrel","status":"idle"}`,
		pid, s.id, s.dir, time.Now().UnixMilli(), start)
	must(t, os.WriteFile(filepath.Join(s.p.root, "sessions", fmt.Sprint(pid)+".json"), []byte(presence), 0o600))
	return fmt.Sprintf("%d-%s", pid, start)
}

// dies ends the process as a kill does: its presence file stays.
func (s *session) dies() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() }

func (p *scene) await(what string, holds func() bool) {
	p.T.Helper()
	deadline := time.Now().Add(runnertest.Patience)
	for !holds() {
		if time.Now().After(deadline) {
			p.T.Fatal("not in time: ", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// listed reports whether a session is among those that ended.
func (p *scene) listed(id string) bool {
	p.T.Helper()
	list, err := p.Taker.Ended(p.T.Context())
	must(p.T, err)
	return slices.ContainsFunc(list, func(s beckon.OutsideSession) bool { return s.ID == id })
}

// tell says something in a chat that is idle, and waits for the end of the turn.
func (p *scene) tell(taskID, text string) beckon.Run {
	p.T.Helper()
	p.Until("its chat is idle", func() bool { return p.Runs[taskID].Kind == beckon.ChatRun && p.Runs[taskID].Phase == beckon.Idle })
	_, err := p.Runner.SendMessage(p.T.Context(), taskID, beckon.NewMessage{Text: text})
	must(p.T, err)
	p.Until("it has answered", func() bool { return p.Runs[taskID].Turns > 0 && p.Runs[taskID].Phase == beckon.Idle })
	runs, err := p.Store.Runs(p.T.Context(), taskID)
	must(p.T, err)
	return runs[len(runs)-1]
}

func (p *scene) reads(taskID string) (texts []string) {
	p.T.Helper()
	page, err := p.History.Transcript(p.T.Context(), taskID, "", 100)
	must(p.T, err)
	for _, e := range page.Entries {
		texts = append(texts, e.Text)
	}
	return texts
}

// problemOf returns the name of an error.
func problemOf(err error) problem.Kind {
	if err == nil {
		return ""
	}
	return beckon.FailureOf(err).Problem
}

func TestAnAgentThatWasOnlyTriedIsNoSessionToGoOnWith(t *testing.T) {
	t.Parallel()
	p := newScene(t)
	p.Taker.Trials = filepath.Join(p.Project.Dir, "trials")
	tried := filepath.Join(p.Taker.Trials, "trial-1", "work")
	must(t, os.MkdirAll(tried, 0o700))
	if s := p.said(tried, "Reply with the single word ready."); p.listed(s.id) {
		t.Error("the session of a trial is listed")
	}
}

func TestASessionThatEndedGoesOnAsAChatWithWhatWasSaid(t *testing.T) {
	t.Parallel()
	p := newScene(t)
	sub := filepath.Join(p.Project.Dir, "it's a folder")
	must(t, os.Mkdir(sub, 0o700))
	s := p.said(sub, "Fix the upload.", "It fails once in forty runs.")
	if !p.listed(s.id) {
		t.Fatal("a session that ended today is not listed")
	}
	task, err := p.Taker.Continue(t.Context(), s.id, false)
	must(t, err)
	if task.ProjectID != p.Project.ID || task.Title != "Fix the upload." || task.Status != beckon.Backlog {
		t.Errorf("its task is %+v", task)
	}
	run := p.tell(task.ID, "go on")
	if run.Session != s.id || run.Dir != sub {
		t.Errorf("the chat has session %s in %s, not %s in %s", run.Session, run.Dir, s.id, sub)
	}
	if wrote, err := os.ReadFile(filepath.Join(sub, "session.txt")); err != nil || string(wrote) != s.id {
		t.Errorf("the agent works in another folder or session: %q, %v", wrote, err)
	}
	if got := p.reads(task.ID); len(got) < 3 || got[0] != "Fix the upload." || got[1] != "It fails once in forty runs." || !slices.Contains(got, "go on") {
		t.Errorf("the transcript reads %q", got)
	}
	if p.listed(s.id) {
		t.Error("it is still listed")
	}
	if _, err := p.Taker.Continue(t.Context(), s.id, false); problemOf(err) != problem.SessionGone {
		t.Errorf("it was continued twice: %v", err)
	}
	runs, err := p.Store.Runs(t.Context(), task.ID)
	must(t, err)
	if first := runs[0]; first.Kind != beckon.ExternalRun || first.Ended == 0 || runs[1].Model == "" {
		t.Errorf("its runs are %+v", runs)
	}
}

// opened is a session in which something was said and that a process has open, and how
// the watcher calls it.
func opened(t *testing.T) (p *scene, s *session, id string) {
	t.Helper()
	p = newScene(t)
	s = p.said(p.Project.Dir, "Fix the upload.", "Yes.")
	return p, s, s.opens()
}

func TestASessionThatIsOpenIsOnlyCopied(t *testing.T) {
	t.Parallel()
	p, s, id := opened(t)
	if p.listed(s.id) {
		t.Error("a session that lives is listed as ended")
	}
	if _, err := p.Taker.Continue(t.Context(), id, false); problemOf(err) != problem.SessionOpen {
		t.Fatalf("continued beside itself: %v", err)
	}
	task, err := p.Taker.Continue(t.Context(), id, true)
	must(t, err)
	run := p.tell(task.ID, "go on")
	if run.Session == "" || run.Session == s.id || run.CopyOf != s.id {
		t.Errorf("the copy has session %q of %q", run.Session, run.CopyOf)
	}
	if now, known := p.w.Find(id); !known || now.Ended > 0 {
		t.Error("the session that was copied is no longer listed")
	}
	if got := p.reads(task.ID); len(got) < 2 || got[0] != "Fix the upload." {
		t.Errorf("the transcript of the copy reads %q", got)
	}
}

func TestASessionIsContinuedOnceItIsClosedThere(t *testing.T) {
	t.Parallel()
	p, s, id := opened(t)
	must(t, p.Taker.Await(t.Context(), id, true))
	shown := beckon.OutsideSession{ID: id}
	if p.Mark(&shown); !shown.Awaited {
		t.Error("nothing says that it is waited for")
	}
	s.dies()
	p.Until("a chat goes on with it", func() bool {
		for _, run := range p.Runs {
			if run.Kind == beckon.ChatRun && run.Session == s.id && run.Phase == beckon.Idle {
				return true
			}
		}
		return false
	})
	p.await("the session is in the list no more", func() bool { _, known := p.w.Find(id); return !known })
}

func TestAWaitThatWasTakenBackContinuesNothing(t *testing.T) {
	t.Parallel()
	p, s, id := opened(t)
	must(t, errors.Join(p.Taker.Await(t.Context(), id, true), p.Taker.Await(t.Context(), id, false)))
	s.dies()
	p.await("its end is seen", func() bool { now, _ := p.w.Find(id); return now.Ended > 0 })
	p.Taker.Close() // and waits for what it does
	if tasks, err := p.Store.Tasks(t.Context()); err != nil || len(tasks) > 0 {
		t.Errorf("there are tasks: %+v, %v", tasks, err)
	}
}

func TestAWaitThatCannotBeFulfilledSaysWhy(t *testing.T) {
	t.Parallel()
	p := newScene(t)
	dir := filepath.Join(p.Project.Dir, "gone")
	must(t, os.Mkdir(dir, 0o700))
	s := p.said(dir, "Fix the upload.", "Yes.")
	id := s.opens()
	must(t, p.Taker.Await(t.Context(), id, true))
	must(t, os.Remove(dir))
	s.dies()
	p.await("the trouble is said", func() bool {
		shown := beckon.OutsideSession{ID: id}
		p.Mark(&shown)
		return shown.Trouble != nil && shown.Trouble.Problem == problem.SessionFolder && !shown.Awaited
	})
}

// TestASessionThatIsOpenedAgainMeanwhileIsNotWrittenByTwo: between the check and
// the start of the agent.
func TestASessionThatIsOpenedAgainMeanwhileIsNotWrittenByTwo(t *testing.T) {
	t.Parallel()
	p := newScene(t)
	s := p.said(p.Project.Dir, "Fix the upload.", "Yes.")
	p.Driver.Elsewhere = func(run beckon.Run) error {
		again := *s
		again.starts()
		return p.Taker.Elsewhere(run)
	}
	task, err := p.Taker.Continue(t.Context(), s.id, false)
	must(t, err)
	p.Until("the run has failed", func() bool { return p.Runs[task.ID].Kind == beckon.ChatRun && p.Runs[task.ID].Outcome == beckon.Failed })
	if reason := p.Runs[task.ID].Reason; !strings.Contains(reason.String(), "close it there") {
		t.Errorf("it failed with %q", reason)
	}
	if _, err := os.Stat(filepath.Join(p.Project.Dir, "session.txt")); err == nil {
		t.Error("an agent wrote beside the terminal")
	}
}

// TestASessionInAWorktreeIsItsProjects, and not in a folder that only says so.
func TestASessionInAWorktreeIsItsProjects(t *testing.T) {
	t.Parallel()
	p := newScene(t)
	tree, fake := filepath.Join(t.TempDir(), "tree"), t.TempDir()
	p.Git("worktree", "add", "-q", "--detach", tree)
	link, err := os.ReadFile(filepath.Join(tree, ".git"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(fake, ".git"), link, 0o600))
	s, strange := p.said(tree, "Fix it.", "Yes."), p.said(fake, "Fix it.", "Yes.")
	if _, err := p.Taker.Continue(t.Context(), strange.id, false); problemOf(err) != problem.SessionProject {
		t.Errorf("in a folder that says it is the project's: %v", err)
	}
	task, err := p.Taker.Continue(t.Context(), s.id, false)
	if err != nil || task.ProjectID != p.Project.ID {
		t.Errorf("in a worktree: %+v, %v", task, err)
	}
}

func TestWhatCannotBeContinuedIsSaidAndLeavesNothing(t *testing.T) {
	t.Parallel()
	p := newScene(t)
	gone := filepath.Join(p.Project.Dir, "gone")
	vanished := p.said(gone, "Fix it.", "Yes.")
	strange := p.said(t.TempDir(), "Fix it.", "Yes.")
	link := p.said(p.Project.Dir, "Fix it.", "Yes.")
	must(t, os.Rename(link.file(), filepath.Join(p.root, "elsewhere")))
	must(t, os.Symlink(filepath.Join(p.root, "elsewhere"), link.file()))
	for id, want := range map[string]problem.Kind{
		vanished.id:                            problem.SessionFolder,
		strange.id:                             problem.SessionProject,
		link.id:                                problem.SessionGone,
		"":                                     problem.SessionGone,
		"../../../etc/passwd":                  problem.SessionGone,
		"00000000-0000-4000-8000-000000000000": problem.SessionGone,
	} {
		if _, err := p.Taker.Continue(t.Context(), id, false); problemOf(err) != want {
			t.Errorf("%q: %v, want %s", id, err, want)
		}
	}
	p.Distrust()
	untrusted := p.said(p.Project.Dir, "Fix it.", "Yes.")
	if _, err := p.Taker.Continue(t.Context(), untrusted.id, false); problemOf(err) != problem.Untrusted {
		t.Errorf("in a project that is not trusted: %v", err)
	}
	if tasks, err := p.Store.Tasks(t.Context()); err != nil || len(tasks) > 0 || len(p.Transcripts()) > 0 {
		t.Errorf("left behind: %+v and %q, %v", tasks, p.Transcripts(), err)
	}
}

func TestAContinuedSessionStaysBeckonsAfterARestart(t *testing.T) {
	t.Parallel()
	p := newScene(t)
	sub := filepath.Join(p.Project.Dir, "sub")
	must(t, os.Mkdir(sub, 0o700))
	s := p.said(sub, "Fix the upload.", "Yes.")
	task, err := p.Taker.Continue(t.Context(), s.id, false)
	must(t, err)
	p.Until("its chat is idle", func() bool { return p.Runs[task.ID].Phase == beckon.Idle })
	must(t, p.Driver.Close())
	d := runnertest.Open(t, p.DataDir, runnertest.AgentsOf(t, map[string]string{"resumed": "resume: yes\nmatch: .\ntext Yes.\n"}))
	if run, err := d.Runner.StartInteractive(t.Context(), task.ID); err != nil || run.Session != s.id || run.Dir != sub {
		t.Errorf("it goes on as %+v, %v", run, err)
	}
	if own, err := d.Store.IsOwnSession(t.Context(), s.id); err != nil || !own {
		t.Errorf("it is a session elsewhere again: %t, %v", own, err)
	}
}
