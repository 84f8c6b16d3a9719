package program

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/scripted"
	"beckon/backend/api"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/demo"
	"beckon/tests/runnertest"
)

func TestMain(m *testing.M) {
	if !scriptedKimi() {
		runnertest.Main(m)
	}
}

// desktopOf is Beckon without a window, driven as the window would: by bound
// methods, and by what its frames say.
type desktopOf struct {
	*api.API
	*runnertest.Seen
	p       *program
	close   func() error // does it once
	project beckon.Project
	data    string
	find    runnertest.Find
}

// built is the build of these tests, with the page and its messages as they are.
func built() Build {
	frontend := filepath.Join("..", "..", "frontend")
	return Build{Version: "dev", Page: os.DirFS(filepath.Join(frontend, "dist")), Messages: os.DirFS(filepath.Join(frontend, "messages"))}
}

// start opens Beckon on a fresh data folder and a repository, with an agent
// that follows script.
func start(t *testing.T, script string) *desktopOf {
	t.Helper()
	return startWith(t, runnertest.Agents(t, script))
}

// startWith does the same with the agents that find finds.
func startWith(t *testing.T, find runnertest.Find) *desktopOf {
	t.Helper()
	dir := t.TempDir()
	repo := runnertest.Sample(t, dir)
	d := openAt(t, filepath.Join(dir, "data"), find)
	project, err := d.AddProject(beckon.NewProject{Dir: repo, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	d.project = project
	return d
}

// openAt opens Beckon on a data folder, and closes it with the test.
func openAt(t *testing.T, data string, find runnertest.Find) *desktopOf {
	t.Helper()
	p, err := open(context.WithoutCancel(t.Context()), Options{Data: data, Build: built()}, find, &api.Shell{About: func() beckon.About { return beckon.About{} }})
	if err != nil {
		t.Fatal(err)
	}
	d := &desktopOf{API: p.api, Seen: runnertest.NewSeen(t), p: p, close: sync.OnceValue(p.close), data: data, find: find}
	detach := p.feed.Attach("testclient", func(f beckon.Frame) { d.Take(f.Events...) })
	t.Cleanup(func() {
		detach()
		if err := d.close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// run puts a task on the board, running.
func (d *desktopOf) run(n beckon.NewTask) beckon.Task {
	d.T.Helper()
	n.ProjectID, n.Status = d.project.ID, beckon.Running
	t, err := d.CreateTask(n)
	if err != nil {
		d.T.Fatal(err)
	}
	if err := d.Watch("testclient", []string{t.ID}); err != nil {
		d.T.Fatal(err)
	}
	return t
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
	q := d.Question("Which colour?")
	d.Until("phase asking", func() bool { return d.Seen.Runs[task.ID].Phase == beckon.Asking })
	if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}}); err != nil {
		t.Fatal(err)
	}
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || run.Turns != 1 {
		t.Fatalf("run %+v, want success in one turn", run)
	}
	text, err := os.ReadFile(filepath.Join(task.Worktree, "colour.txt"))
	if err != nil || !strings.Contains(string(text), "Blue") {
		t.Errorf("the agent wrote %q, %v; want what was answered", text, err)
	}
	review, err := d.Review(task.ID, reviewing.View{})
	if err != nil || len(review.Files) != 1 || review.Files[0].Path != "colour.txt" || review.Refusal != nil {
		t.Errorf("review %+v, %v; want colour.txt alone, ready to merge", review, err)
	}
	if raw, err := json.Marshal(review); err != nil || strings.Contains(string(raw), "null") {
		t.Errorf("the page is promised lists, not null: %s, %v", raw, err)
	}
	d.Lock()
	defer d.Unlock()
	if !slices.ContainsFunc(d.Shown, func(e beckon.Entry) bool { return e.Kind == beckon.TextEntry && e.Text == "Painted." }) {
		t.Errorf("no frame showed what the agent said last: %+v", d.Shown)
	}
}

func TestASecondBeckonIsRefusedBeforeItTouchesAnything(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	about, err := d.About()
	if err != nil {
		t.Fatal(err)
	}
	if p, err := open(t.Context(), Options{Data: about.DataDir, Build: built()}, claudeFinder("none"), &api.Shell{}); err == nil {
		_ = p.close()
		t.Fatal("two Beckons share a data folder")
	}
	if _, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "still works"}); err != nil {
		t.Errorf("the first one was harmed: %v", err)
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
			task, run := d.Ended(task.ID)
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
	for end := time.Now().Add(runnertest.Patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		qs, err := d.Questions(taskID)
		if err != nil {
			d.T.Error(err)
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
				d.T.Error(err)
			}
		}
		d.Lock()
		over := d.Seen.Runs[taskID].Phase == beckon.Ended
		d.Unlock()
		if over {
			return
		}
	}
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

// TestSettingsHaveNoSwitchThatDoesNothing, as in the programs of these tests, which
// nobody publishes.
func TestSettingsHaveNoSwitchThatDoesNothing(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	if about, err := d.About(); err != nil || about.Updates {
		t.Errorf("%+v, %v", about, err)
	}
}
