package steps_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/board/steps"
	"beckon/backend/git"
	"beckon/backend/store/undolog"
	"beckon/tests/runnertest"
)

func TestMain(m *testing.M) { runnertest.Main(m) }

const writes = "write new.txt hello\n"

// worked returns a card in Review whose agent wrote a file.
func worked(t *testing.T, d *runnertest.Driver) beckon.Task {
	t.Helper()
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	return task
}

func undoer(d *runnertest.Driver) *steps.Undo {
	return &steps.Undo{Log: d.Store.Undo, Board: d.Board, Task: d.Store.Task, Turn: new(sync.Mutex)}
}

// back takes the last change back and fails where it cannot.
func back(t *testing.T, d *runnertest.Driver) beckon.ChangeStep {
	t.Helper()
	r, err := undoer(d).Last(t.Context(), "")
	if err != nil || len(r.Refused) > 0 {
		t.Fatalf("taken back: %+v, %v", r, err)
	}
	return r.Step
}

// refused takes the last change back, which has to be refused, and returns why.
func refused(t *testing.T, d *runnertest.Driver) beckon.Failure {
	t.Helper()
	r, err := undoer(d).Last(t.Context(), "")
	if err != nil || len(r.Refused) != 1 {
		t.Fatalf("taken back: %+v, %v; want it refused", r, err)
	}
	return r.Refused[0].Why
}

// same fails unless a card is what it was, but for when it was last changed.
func same(t *testing.T, now, was beckon.Task) {
	t.Helper()
	now.Updated = was.Updated
	if !reflect.DeepEqual(now, was) {
		t.Errorf("it is\n%+v, was\n%+v", now, was)
	}
}

func TestAChangeOfACardIsTakenBack(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	plain, reviewed := d.Card("Later"), worked(t, d)
	for _, c := range everyChange(plain, reviewed) {
		c.make(t, d)
		if step := back(t, d); step.Kind != c.kind || !slices.Equal(step.Keys, []string{c.task.Key}) {
			t.Errorf("taken back %+v, want %s of %s", step, c.kind, c.task.Key)
		}
		same(t, d.Now(c.task.ID), c.task)
	}
	if next, err := undoer(d).Next(t.Context()); err != nil || next.Kind != "" {
		t.Errorf("left is %+v, %v", next, err)
	}
	runs, err := d.Store.Runs(t.Context(), reviewed.ID)
	if page, err2 := d.History.Transcript(t.Context(), reviewed.ID, "", 10); err != nil || err2 != nil || len(runs) != 1 || len(page.Entries) == 0 {
		t.Errorf("after all it has %d runs and %d entries, %v, %v", len(runs), len(page.Entries), err, err2)
	}
	if diff, err := d.Board.Review(t.Context(), reviewed.ID, reviewing.View{}); err != nil || len(diff.Files) != 1 || diff.Refusal != nil {
		t.Errorf("its changes are %+v, %v", diff, err)
	}
	if _, err := os.Stat(filepath.Join(d.Project.Dir, "new.txt")); err == nil {
		t.Error("what was merged is still in the project's folder")
	}
}

func TestThirtyChangesAreKeptOverARestart(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card, made := d.Card("Much changed"), 35
	for i := range made {
		edit(t, d, undolog.Into(t.Context(), beckon.ChangeEdit), card.ID, func(t *beckon.Task) { t.Title = fmt.Sprint("title ", i) })
	}
	edit(t, d, t.Context(), card.ID, func(t *beckon.Task) { t.Trouble = reason.Said("not of a person") })
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := runnertest.Open(t, d.DataDir, runnertest.Agents(t, writes))
	for range 30 {
		back(t, again)
	}
	now := again.Now(card.ID)
	if want := fmt.Sprint("title ", made-31); now.Title != want || now.Trouble == nil {
		t.Errorf("after all it is %q, %q; want %q, and what others did untouched", now.Title, now.Trouble, want)
	}
	if r, err := undoer(again).Last(t.Context(), ""); err != nil || r.Step.Kind != "" {
		t.Errorf("one more: %+v, %v", r, err)
	}
}

func edit(t *testing.T, d *runnertest.Driver, ctx context.Context, id string, change func(*beckon.Task)) {
	t.Helper()
	if _, err := d.Board.Update(ctx, id, func(t *beckon.Task) error { change(t); return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestWhatChangedSinceStaysAsItIs(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card := d.Card("Two at it")
	edit(t, d, undolog.Into(t.Context(), beckon.ChangePriority), card.ID, func(t *beckon.Task) { t.Priority = 1 })
	edit(t, d, undolog.Into(t.Context(), beckon.ChangeLabel), card.ID, func(t *beckon.Task) { t.Labels = []string{"mine"} })
	edit(t, d, t.Context(), card.ID, func(t *beckon.Task) { t.Labels = []string{"mine", "somebody else's"} })
	if why := refused(t, d); why.Problem != problem.ChangedSince || why.Code != "conflict" {
		t.Errorf("refused as %+v", why)
	}
	if now := d.Now(card.ID); !slices.Equal(now.Labels, []string{"mine", "somebody else's"}) || now.Priority != 1 {
		t.Errorf("it is %v, %d", now.Labels, now.Priority)
	}
	back(t, d) // the one before does not care for labels
	if now := d.Now(card.ID); now.Priority != 0 || len(now.Labels) != 2 {
		t.Errorf("then it is %v, %d", now.Labels, now.Priority)
	}
}

func TestARunThatBeganIsNotTakenBack(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card := d.Card("Queue me")
	if _, err := d.Board.MoveTask(undolog.Into(t.Context(), beckon.ChangeQueue), card.ID, beckon.Queued, 0); err != nil {
		t.Fatal(err)
	}
	ended, _ := d.Ended(card.ID)
	if why := refused(t, d); why.Code != "conflict" {
		t.Errorf("refused as %+v", why)
	}
	same(t, d.Now(card.ID), ended)
}

func TestAMergeThatWasBuiltOnStays(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card := worked(t, d)
	if _, err := d.Board.Merge(undolog.Into(t.Context(), beckon.ChangeMerge), card.ID, reviewing.MergeOrder{}); err != nil {
		t.Fatal(err)
	}
	merged := d.Now(card.ID)
	commit := exec.CommandContext(t.Context(), "git", "-C", d.Project.Dir, "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-m", "on top")
	if out, err := commit.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if why := refused(t, d); why.Problem != problem.BuiltOn {
		t.Errorf("refused as %+v", why)
	}
	same(t, d.Now(card.ID), merged)
}

// TestGitDidItsPartBeforeADeath plays a Beckon that was killed when git had taken
// something back, and the card's row did not say so yet.
func TestGitDidItsPartBeforeADeath(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card := worked(t, d)
	tree := git.Worktree{Dir: card.Worktree, Branch: card.Branch, Base: card.Base, BaseCommit: card.BaseCommit}
	repo := new(git.Pool).Open(d.Project.Dir, true)
	if _, err := d.Board.Merge(undolog.Into(t.Context(), beckon.ChangeMerge), card.ID, reviewing.MergeOrder{}); err != nil {
		t.Fatal(err)
	}
	if err := repo.Unmerge(t.Context(), tree); err != nil {
		t.Fatal(err)
	}
	back(t, d)
	same(t, d.Now(card.ID), card)

	loss, err := d.Board.Loss(t.Context(), card.ID)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := d.Board.Discard(undolog.Into(t.Context(), beckon.ChangeDiscard), card.ID, loss.Token)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Restore(t.Context(), gone.KeptRef, ""); err != nil {
		t.Fatal(err)
	}
	back(t, d)
	same(t, d.Now(card.ID), card)
	if kept, err := repo.Discarded(t.Context()); err != nil || len(kept) != 0 {
		t.Errorf("still kept: %+v, %v", kept, err)
	}
}

func TestManyCardsAreOneChange(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	many := steps.ManyCards{Board: d.Board, Task: d.Store.Task, Project: d.Store.Project, Turn: new(sync.Mutex)}
	made, err := many.Create(t.Context(), []beckon.NewTask{
		{ProjectID: d.Project.ID, Title: "one"}, {ProjectID: d.Project.ID, Title: " "}, {ProjectID: d.Project.ID, Title: "two"},
	})
	if err != nil || len(made.Step.Keys) != 2 || len(made.Refused) != 1 || made.Refused[0].Why.Problem != problem.NoTitle {
		t.Fatalf("made %+v, %v", made, err)
	}
	all, err := d.Store.Tasks(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	ids := []string{all[0].ID, all[1].ID, "gone"}
	for _, c := range []beckon.ManyChange{
		{Kind: beckon.ChangeLabel, Add: []string{"perf", "api"}},
		{Kind: beckon.ChangeLabel, Add: []string{"perf"}, Remove: []string{"api"}},
		{Kind: beckon.ChangePriority, Priority: 4},
		{Kind: beckon.ChangeModel, Model: "opus"},
		{Kind: beckon.ChangeExecutor, Executor: "farm"},
		{Kind: beckon.ChangeAgent, Agent: "kimi"},
		{Kind: beckon.ChangeArchive},
	} {
		if r, err := many.Change(t.Context(), ids, c); err != nil || len(r.Step.Keys) != 2 || len(r.Refused) != 1 || r.Refused[0].Why.Code != "not_found" {
			t.Errorf("%s: %+v, %v", c.Kind, r, err)
		}
	}
	if now := d.Now(all[0].ID); now.Status != beckon.Archived || now.Priority != 4 || now.Model != "" || now.Executor != "farm" || now.Agent != "kimi" || !slices.Equal(now.Labels, []string{"perf"}) {
		t.Errorf("changed it is %+v", now)
	}
	for range 7 {
		if step := back(t, d); len(step.Keys) != 2 {
			t.Errorf("taken back %+v, want both cards at once", step)
		}
	}
	same(t, d.Now(all[0].ID), all[0])
	same(t, d.Now(all[1].ID), all[1])
	if r, err := many.Change(t.Context(), []string{all[0].ID}, beckon.ManyChange{Kind: beckon.ChangePriority, Priority: 9}); err != nil || len(r.Refused) != 1 {
		t.Errorf("a priority that there is not: %+v, %v", r, err)
	}
	if _, err := many.Change(t.Context(), ids, beckon.ManyChange{Kind: beckon.ChangeMerge}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("merged many: %v", err)
	}
	back(t, d) // of making them
	if left, err := d.Store.Tasks(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("left %+v, %v", left, err)
	}
}

// TestACardGoesToAnotherProjectAndBack: it gets a number there, and its own again. What
// was worked on stays with its branch.
func TestACardGoesToAnotherProjectAndBack(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	other, err := d.Board.AddProject(t.Context(), beckon.NewProject{Dir: t.TempDir(), Name: "lantern", Key: "LNT", Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	many := steps.ManyCards{Board: d.Board, Task: d.Store.Task, Project: d.Store.Project, Hold: d.Runner.Hold, Turn: new(sync.Mutex)}
	card, reviewed := d.Card("Later"), worked(t, d)
	there := beckon.ManyChange{Kind: beckon.ChangeProject, ProjectID: other.ID}
	r, err := many.Change(t.Context(), []string{card.ID, reviewed.ID}, there)
	if err != nil || len(r.Step.Keys) != 1 || len(r.Refused) != 1 || r.Refused[0].Why.Problem != problem.WorkedOn {
		t.Fatalf("%+v, %v", r, err)
	}
	if now := d.Now(card.ID); now.ProjectID != other.ID || now.Key != "LNT-1" || now.Base != other.Base {
		t.Errorf("in the other project it is %+v", now)
	}
	same(t, d.Now(reviewed.ID), reviewed)
	if step := back(t, d); step.Kind != beckon.ChangeProject {
		t.Errorf("taken back: %+v", step)
	}
	same(t, d.Now(card.ID), card)

	if _, err := many.Change(t.Context(), []string{card.ID}, there); err != nil {
		t.Fatal(err)
	}
	if now := d.Now(card.ID); now.Key != "LNT-2" {
		t.Errorf("once more it is %s; a number that a branch may name was given twice", now.Key)
	}
	if _, err := d.Board.MoveTask(t.Context(), card.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	d.Ended(card.ID)
	if why := refused(t, d); why.Problem != problem.WorkedOn {
		t.Errorf("taken back with its branch in the other repository: %+v", why)
	}
	if r, err := undoer(d).Last(t.Context(), card.ID); err != nil || r.Step.Kind != beckon.ChangeCreate && r.Step.Kind != "" {
		t.Errorf("what can never be taken back stands before what can: %+v, %v", r, err)
	}
}
