package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
	"beckon/backend/claude/scripted"
	"beckon/backend/demo"
	"beckon/backend/git"
)

func TestMain(m *testing.M) { scripted.Main(recorded{m}) }

// recorded runs the tests with a folder in which the agents keep a record of
// their conversations, as claude does.
type recorded struct{ m *testing.M }

func (r recorded) Run() int {
	dir, err := os.MkdirTemp("", "beckon-claude-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("CLAUDE_CONFIG_DIR", dir)
	return r.m.Run()
}

// patience is how long a test waits for anything.
const patience = 30 * time.Second

// desktopOf is Beckon without a window, driven as the window would: by bound
// methods, and by what its frames say.
type desktopOf struct {
	*App
	t       *testing.T
	p       *program
	close   func() error // does it once
	project beckon.Project

	mu     sync.Mutex
	tasks  map[string]beckon.Task
	runs   map[string]beckon.Run
	asked  []beckon.Question
	shown  []beckon.Entry
	queued map[string][]beckon.Message
	frames chan struct{} // 1-buffered: something has come
}

// start opens Beckon on a fresh data folder and a repository, with an agent
// that follows script.
func start(t *testing.T, script string) *desktopOf {
	t.Helper()
	agent := scripted.Options(t, script)
	return startWith(t, func() (cli.Options, error) {
		return cli.Options{Path: agent.Path, Env: agent.Env, Grace: agent.Grace}, nil
	})
}

// startWith does the same with the agents that find starts.
func startWith(t *testing.T, find func() (cli.Options, error)) *desktopOf {
	t.Helper()
	dir := t.TempDir()
	repo := filepath.Join(dir, "sample")
	if err := os.CopyFS(repo, os.DirFS("backend/demo/agents")); err != nil { // any files will do
		t.Fatal(err)
	}
	if err := git.Init(t.Context(), repo, "first"); err != nil {
		t.Fatal(err)
	}
	d := openAt(t, filepath.Join(dir, "data"), find)
	project, err := d.AddProject(beckon.NewProject{Dir: repo, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	d.project = project
	return d
}

// openAt opens Beckon on a data folder, and closes it with the test.
func openAt(t *testing.T, data string, find func() (cli.Options, error)) *desktopOf {
	t.Helper()
	p, err := open(context.WithoutCancel(t.Context()), options{data: data}, find, shell{about: func() beckon.About { return beckon.About{} }})
	if err != nil {
		t.Fatal(err)
	}
	d := &desktopOf{App: p.app, t: t, p: p, close: sync.OnceValue(p.close), tasks: map[string]beckon.Task{}, runs: map[string]beckon.Run{}, queued: map[string][]beckon.Message{}, frames: make(chan struct{}, 1)}
	detach := p.feed.Attach("testclient", d.apply)
	t.Cleanup(func() {
		detach()
		if err := d.close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *desktopOf) apply(f beckon.Frame) {
	d.mu.Lock()
	for _, e := range f.Events {
		switch {
		case e.Task != nil:
			d.tasks[e.Task.ID] = *e.Task
		case e.Run != nil:
			d.runs[e.Run.TaskID] = *e.Run
		case e.Question != nil:
			d.asked = append(slices.DeleteFunc(d.asked, func(q beckon.Question) bool { return q.ID == e.Question.ID }), *e.Question)
		case e.Entry != nil:
			d.shown = append(d.shown, *e.Entry)
		case e.Queue != nil:
			d.queued[e.Queue.TaskID] = e.Queue.Messages
		}
	}
	d.mu.Unlock()
	select {
	case d.frames <- struct{}{}:
	default:
	}
}

// until waits for a frame after which look, called under the lock, is true.
func (d *desktopOf) until(what string, look func() bool) {
	d.t.Helper()
	deadline := time.After(patience)
	again := time.NewTicker(100 * time.Millisecond) // another may have taken the token
	defer again.Stop()
	for {
		d.mu.Lock()
		ok := look()
		d.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-d.frames:
		case <-again.C:
		case <-deadline:
			d.mu.Lock()
			defer d.mu.Unlock()
			d.t.Fatalf("%s: not in %s\ntasks %+v\nruns %+v\nquestions %+v", what, patience, d.tasks, d.runs, d.asked)
		}
	}
}

// run puts a task on the board, running.
func (d *desktopOf) run(n beckon.NewTask) beckon.Task {
	d.t.Helper()
	n.ProjectID, n.Status = d.project.ID, beckon.Running
	t, err := d.CreateTask(n)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := d.Watch("testclient", []string{t.ID}); err != nil {
		d.t.Fatal(err)
	}
	return t
}

// open waits for the open question whose text, command or plan has text.
func (d *desktopOf) open(text string) beckon.Question {
	d.t.Helper()
	var found beckon.Question
	d.until("question "+text, func() bool {
		for _, q := range d.asked {
			said := q.Plan + q.Message
			if q.Permission != nil {
				said += q.Permission.Command + q.Permission.Path
			}
			for _, item := range q.Items {
				said += item.Text
			}
			if q.Settlement == beckon.Open && strings.Contains(said, text) {
				found = q
				return true
			}
		}
		return false
	})
	return found
}

func (d *desktopOf) choose(q beckon.Question, label string) {
	d.t.Helper()
	if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{label}}}}); err != nil {
		d.t.Fatal(err)
	}
}

// ended waits until the task stands in review with its run over.
func (d *desktopOf) ended(id string) (beckon.Task, beckon.Run) {
	d.t.Helper()
	d.until("end of the run", func() bool {
		return d.tasks[id].Status == beckon.Review && d.runs[id].Phase == beckon.Ended
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tasks[id], d.runs[id]
}

const asking = `
text I look around.
ask_user {"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":""},{"label":"Blue","description":""}]}]}
write colour.txt ${answer}
text Painted.
`

func TestAnAnswerReachesTheRunningTurn(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	task := d.run(beckon.NewTask{Title: "Paint --it $(x)", Brief: "In a colour."})
	q := d.open("Which colour?")
	d.until("phase asking", func() bool { return d.runs[task.ID].Phase == beckon.Asking })
	d.choose(q, "Blue")
	task, run := d.ended(task.ID)
	if run.Outcome != beckon.Succeeded || run.Turns != 1 {
		t.Fatalf("run %+v, want success in one turn", run)
	}
	text, err := os.ReadFile(filepath.Join(task.Worktree, "colour.txt"))
	if err != nil || !strings.Contains(string(text), "Blue") {
		t.Errorf("the agent wrote %q, %v; want what was answered", text, err)
	}
	review, err := d.Review(task.ID)
	if err != nil || len(review.Files) != 1 || review.Files[0].Path != "colour.txt" || review.Refusal != "" {
		t.Errorf("review %+v, %v; want colour.txt alone, ready to merge", review, err)
	}
	if raw, err := json.Marshal(review); err != nil || strings.Contains(string(raw), "null") {
		t.Errorf("the page is promised lists, not null: %s, %v", raw, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.ContainsFunc(d.shown, func(e beckon.Entry) bool { return e.Kind == beckon.TextEntry && e.Text == "Painted." }) {
		t.Errorf("no frame showed what the agent said last: %+v", d.shown)
	}
}

func TestTheSecondAnswerIsToldSo(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	task := d.run(beckon.NewTask{Title: "Paint"})
	q := d.open("Which colour?")
	d.choose(q, "Red")
	err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}})
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "Red") {
		t.Errorf("the second answer got %v; want a conflict that names the first", err)
	}
	d.ended(task.ID)
}

func TestMergeBringsTheWorkIntoTheBase(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, _ := d.ended(d.run(beckon.NewTask{Title: "Write"}).ID)
	merged, err := d.Merge(task.ID)
	if err != nil || merged.Status != beckon.Done {
		t.Fatalf("merge: %v, card in %s", err, merged.Status)
	}
	if _, err := os.Stat(filepath.Join(d.project.Dir, "new.txt")); err != nil {
		t.Errorf("the project's folder lacks the work: %v", err)
	}
}

func TestADirtyFolderIsNotMergedInto(t *testing.T) {
	t.Parallel()
	d := start(t, "write other.txtar mine\n")
	task, _ := d.ended(d.run(beckon.NewTask{Title: "Write"}).ID)
	if err := os.WriteFile(filepath.Join(d.project.Dir, "other.txtar"), []byte("yours"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Merge(task.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("merge into a folder that is not clean: %v, want a conflict", err)
	}
	if text, _ := os.ReadFile(filepath.Join(d.project.Dir, "other.txtar")); string(text) != "yours" {
		t.Errorf("the user's change became %q", text)
	}
}

func TestDiscardKeepsTheWorkFindable(t *testing.T) {
	t.Parallel()
	d := start(t, "write precious.txt gold\n")
	task, _ := d.ended(d.run(beckon.NewTask{Title: "Write"}).ID)
	loss, err := d.Loss(task.ID)
	if err != nil || loss.Commits != 1 {
		t.Fatalf("loss %+v, %v; want one commit", loss, err)
	}
	if _, err := d.DiscardTask(task.ID, "guessed"); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("discard of a loss that nobody saw: %v, want a conflict", err)
	}
	if _, err := d.DiscardTask(task.ID, loss.Token); err != nil {
		t.Fatal(err)
	}
	refs, err := exec.CommandContext(t.Context(), "git", "-C", d.project.Dir, "for-each-ref", "--format=%(refname)", "refs/beckon").Output()
	if err != nil || len(refs) == 0 {
		t.Errorf("no private ref keeps the branch: %s, %v", refs, err)
	}
	if _, err := os.Stat(task.Worktree); err == nil {
		t.Error("the worktree is still there")
	}
}

func TestQueuedTasksStartInOrderWhileSlotsAreFree(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Go on? | Yes | No\n")
	if err := d.SaveSettings(beckon.Settings{Slots: 1, SingleKeys: true}); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, title := range []string{"first", "second", "third"} {
		task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: title, Status: beckon.Queued})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, task.ID)
	}
	for i, id := range ids {
		d.until("task "+id+" asks", func() bool {
			return slices.ContainsFunc(d.asked, func(q beckon.Question) bool { return q.TaskID == id && q.Settlement == beckon.Open })
		})
		d.mu.Lock()
		for _, later := range ids[i+1:] {
			if s := d.tasks[later].Status; s != beckon.Queued {
				t.Errorf("with one slot, task %d stands in %s while task %d runs", i+2, s, i+1)
			}
		}
		d.mu.Unlock()
		d.choose(d.open("Go on?"), "Yes")
		d.ended(id)
	}
}

func TestAnUntrustedProjectRunsNothing(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	edit := d.project
	edit.Trusted = false
	if _, err := d.EditProject(edit); err != nil {
		t.Fatal(err)
	}
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Run"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.MoveTask(task.ID, beckon.Running, 0); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("start in an untrusted project: %v", err)
	}
	if _, err := d.StartInteractive(task.ID); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("chat in an untrusted project: %v", err)
	}
}

func TestACrashSaysWhyAndKeepsTheWork(t *testing.T) {
	t.Parallel()
	d := start(t, "write half.txt half\nstderr out of luck\ncrash 3\n")
	task, run := d.ended(d.run(beckon.NewTask{Title: "Crash"}).ID)
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason, "3") || !strings.Contains(run.Detail, "out of luck") {
		t.Errorf("run %s: %q, %q; want the exit code and the last words", run.Outcome, run.Reason, run.Detail)
	}
	if _, err := os.Stat(filepath.Join(task.Worktree, "half.txt")); err != nil {
		t.Errorf("the work is gone: %v", err)
	}
}

func TestAKilledAgentLeavesItsQuestionOrphaned(t *testing.T) {
	t.Parallel()
	d := start(t, "parallel\nask Which? | A | B\nrun sleep 1; kill -9 $PPID\nend\n")
	task := d.run(beckon.NewTask{Title: "Die"})
	d.open("Which?")
	d.ended(task.ID)
	qs, err := d.Questions(task.ID)
	if err != nil || len(qs) != 1 || qs[0].Settlement != beckon.Orphaned {
		t.Errorf("questions %+v, %v; want one, orphaned", qs, err)
	}
}

// TestACardThatIsOverLeavesNothingInTheInbox: its questions are settled, and
// say why; those of one that is not over can be dismissed.
func TestACardThatIsOverLeavesNothingInTheInbox(t *testing.T) {
	t.Parallel()
	d := start(t, "parallel\nask Which? | A | B\nrun sleep 1; kill -9 $PPID\nend\n")
	for to, want := range map[beckon.Status]string{
		beckon.Done: "The card is done.", beckon.Archived: "The card was archived.", beckon.Review: "You dismissed it.",
	} {
		task := d.run(beckon.NewTask{Title: "Die"})
		d.open("Which?")
		d.ended(task.ID)
		q := d.became(task.ID, beckon.Orphaned)
		if _, err := d.MoveTask(task.ID, to, 0); err != nil {
			t.Fatal(err)
		}
		if to == beckon.Review {
			if err := d.DismissQuestion(q.ID); err != nil {
				t.Fatal(err)
			}
		}
		if q := d.became(task.ID, beckon.Withdrawn); q.Reason != want {
			t.Errorf("%s: withdrawn because %q, want %q", to, q.Reason, want)
		}
		if open, err := d.p.store.OpenQuestions(t.Context()); err != nil || len(open) != 0 {
			t.Errorf("%s: %d questions wait, %v", to, len(open), err)
		}
	}
}

// TestAnOlderInboxIsClearedOfCardsThatAreOver, at the next start.
func TestAnOlderInboxIsClearedOfCardsThatAreOver(t *testing.T) {
	t.Parallel()
	d := start(t, "parallel\nask Which? | A | B\nrun sleep 1; kill -9 $PPID\nend\n")
	task := d.run(beckon.NewTask{Title: "Die"})
	d.open("Which?")
	d.ended(task.ID)
	if _, err := d.p.store.UpdateTask(t.Context(), task.ID, func(t *beckon.Task) error { return t.Move(beckon.Archived) }); err != nil {
		t.Fatal(err)
	}
	data := d.p.runner.DataDir
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, agents(t, "text none\n"))
	if open, err := again.p.store.OpenQuestions(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("%d questions wait, %v", len(open), err)
	}
}

func TestStopKeepsWorkAndSession(t *testing.T) {
	t.Parallel()
	d := start(t, "write half.txt half\nask Which? | A | B\n")
	task := d.run(beckon.NewTask{Title: "Stop me"})
	d.open("Which?")
	if err := d.Stop(task.ID); err != nil {
		t.Fatal(err)
	}
	task, run := d.ended(task.ID)
	if run.Outcome != beckon.Stopped || task.Session == "" {
		t.Errorf("run %s, session %q; want stopped, and a session to resume", run.Outcome, task.Session)
	}
	if _, err := os.Stat(filepath.Join(task.Worktree, "half.txt")); err != nil {
		t.Errorf("the work is gone: %v", err)
	}
	d.until("the question is withdrawn", func() bool {
		return len(d.asked) == 1 && d.asked[0].Settlement == beckon.Withdrawn
	})
}

func TestASecondBeckonIsRefusedBeforeItTouchesAnything(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	about, err := d.About()
	if err != nil {
		t.Fatal(err)
	}
	if p, err := open(t.Context(), options{data: about.DataDir}, claudeFinder("none"), shell{}); err == nil {
		_ = p.close()
		t.Fatal("two Beckons share a data folder")
	}
	if _, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "still works"}); err != nil {
		t.Errorf("the first one was harmed: %v", err)
	}
}

func TestRunsThatBeckonLeftBehindAreParkedNotForgotten(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.run(beckon.NewTask{Title: "Left behind"})
	d.open("Which?")
	data := d.p.runner.DataDir
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, claudeFinder("none"))
	runs, err := again.Runs(task.ID)
	if err != nil || len(runs) != 1 || runs[0].Outcome != beckon.Parked {
		t.Errorf("runs %+v, %v; want one, parked until its question is answered", runs, err)
	}
	qs, err := again.Questions(task.ID)
	if err != nil || len(qs) != 1 || qs[0].Settlement != beckon.Orphaned {
		t.Errorf("questions %+v, %v; want one, orphaned", qs, err)
	}
	page, err := again.Transcript(task.ID, "", 100)
	if err != nil || len(page.Entries) == 0 || page.Entries[0].Kind != beckon.UserEntry {
		t.Errorf("transcript %+v, %v; want it from its first message on", page, err)
	}
}

func TestAFolderWithoutGitWorksInPlaceAndSaysSo(t *testing.T) {
	t.Parallel()
	d := start(t, "write here.txt here\n")
	dir := t.TempDir()
	found, err := d.InspectFolder(dir)
	if err != nil || found.Git {
		t.Fatalf("found %+v, %v; want a folder without git", found, err)
	}
	p, err := d.AddProject(beckon.NewProject{Dir: dir, Trusted: true, Key: "PLAIN"})
	if err != nil {
		t.Fatal(err)
	}
	d.project = p
	task, run := d.ended(d.run(beckon.NewTask{Title: "In place"}).ID)
	if run.Outcome != beckon.Succeeded || task.Worktree != p.Dir || task.Branch != "" {
		t.Errorf("run %s (%s) in %q on branch %q; want the folder itself", run.Outcome, run.Reason, task.Worktree, task.Branch)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "here.txt")); err != nil {
		t.Error(err)
	}
	review, err := d.Review(task.ID)
	if err != nil || review.Refusal == "" {
		t.Errorf("review %+v, %v; want it to say that there is no branch", review, err)
	}
}

func TestAChatWaitsForItsPerson(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\nturn\nask Which? | A | B\ntext You said ${answer}\n")
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Talk"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.StartInteractive(task.ID); err != nil {
		t.Fatal(err)
	}
	d.idle(task.ID, 0) // it does not set out to do the brief by itself
	for turn, message := range []string{"hello", "ask me"} {
		d.post(task.ID, message, beckon.Redirect)
		if turn == 0 {
			d.idle(task.ID, 1)
		}
	}
	q := d.open("Which?")
	if q.Deadline != 0 || q.Policy != beckon.Wait {
		t.Errorf("a chat's question has a clock: %+v", q)
	}
	d.choose(q, "B")
	d.idle(task.ID, 2)
	if err := d.Stop(task.ID); err != nil {
		t.Fatal(err)
	}
	d.until("the chat ends", func() bool { return d.runs[task.ID].Phase == beckon.Ended })
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.tasks[task.ID].Status; s != beckon.Backlog {
		t.Errorf("a chat moved the card to %s", s)
	}
}

func TestAnAgentThatNeverSpokeSaysWhy(t *testing.T) {
	t.Parallel()
	d := start(t, "no such step\n")
	task, run := d.ended(d.run(beckon.NewTask{Title: "Dumb"}).ID)
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason, "no such step") {
		t.Errorf("run %s: %q; want its last words", run.Outcome, run.Reason)
	}
	if page, err := d.Transcript(task.ID, "", 100); err != nil || page.Entries == nil || len(page.Entries) != 0 {
		t.Errorf("transcript %+v, %v; want none", page, err)
	}
}

// TestTheDemoTellsItsStory: every script of the demo plays to its end, and
// every edit in it happens.
func TestTheDemoTellsItsStory(t *testing.T) {
	t.Parallel()
	stage, err := demo.Set(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	agent := scripted.Options(t, "")
	d := openAt(t, filepath.Join(t.TempDir(), "data"), func() (cli.Options, error) {
		return cli.Options{Path: agent.Path, Env: []string{scripted.Script(stage.Scripts)}}, nil
	})
	if d.project, err = d.AddProject(stage.Project); err != nil {
		t.Fatal(err)
	}
	changed := map[string]int{"Reject": 3, "Bound": 1, "Write": 1, "Name": 1, "Explain": 1}
	var all sync.WaitGroup
	for _, n := range stage.Tasks {
		task := d.run(n)
		all.Go(func() {
			d.answerAll(task.ID)
			verb, _, _ := strings.Cut(task.Title, " ")
			task, run := d.ended(task.ID)
			if run.Outcome != beckon.Succeeded || task.Changes.Files != changed[verb] {
				t.Errorf("%s: %s (%s), %d files changed; want success and %d", task.Title, run.Outcome, run.Reason, task.Changes.Files, changed[verb])
			}
		})
	}
	all.Wait()
}

// answerAll gives the first answer to whatever a task asks, until its run is
// over.
func (d *desktopOf) answerAll(taskID string) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		qs, err := d.Questions(taskID)
		if err != nil {
			d.t.Error(err)
			return
		}
		for _, q := range qs {
			if q.Settlement != beckon.Open {
				continue
			}
			a := beckon.Answer{}
			if q.Kind != beckon.Ask {
				a.Verdict = beckon.AllowOnce
			}
			for _, item := range q.Items {
				a.Items = append(a.Items, beckon.ItemAnswer{Labels: []string{item.Options[0].Label}})
			}
			if err := d.AnswerQuestion(q.ID, a); err != nil && !errors.Is(err, beckon.ErrConflict) {
				d.t.Error(err)
			}
		}
		d.mu.Lock()
		over := d.runs[taskID].Phase == beckon.Ended
		d.mu.Unlock()
		if over {
			return
		}
	}
}

// TestACardPulledBackIntoTheQueueStartsAgain: the queue waits for the run that
// is ending, and does not take it for trouble.
func TestACardPulledBackIntoTheQueueStartsAgain(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.run(beckon.NewTask{Title: "Back and forth"})
	first := d.open("Which?")
	if _, err := d.MoveTask(task.ID, beckon.Queued, 0); err != nil {
		t.Fatal(err)
	}
	d.until("it asks again", func() bool {
		return slices.ContainsFunc(d.asked, func(q beckon.Question) bool { return q.ID != first.ID && q.Settlement == beckon.Open })
	})
	d.mu.Lock()
	trouble := d.tasks[task.ID].Trouble
	d.mu.Unlock()
	if trouble != "" {
		t.Errorf("the card says %q", trouble)
	}
	d.choose(d.open("Which?"), "A")
	d.ended(task.ID)
}

// TestAMissingClaudeIsSaidOnce: one sentence, which says what to do.
func TestAMissingClaudeIsSaidOnce(t *testing.T) {
	t.Parallel()
	_, err := claudeFinder(filepath.Join(t.TempDir(), "claude"))()
	if !errors.Is(err, beckon.ErrUnavailable) {
		t.Fatal(err)
	}
	if text := err.Error(); strings.Count(text, "was not found") != 1 || strings.Contains(text, "\n") || strings.Contains(text, "unavailable") {
		t.Errorf("it says %q", text)
	}
}
