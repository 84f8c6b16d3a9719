package steps_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/board/steps"
	"beckon/backend/store/undolog"
	"beckon/tests/runnertest"
)

// again does again what was taken back last and fails where it cannot.
func again(t *testing.T, d *runnertest.Driver) beckon.ChangeStep {
	t.Helper()
	r, err := undoer(d).Again(t.Context())
	if err != nil || len(r.Refused) > 0 {
		t.Fatalf("done again: %+v, %v", r, err)
	}
	return r.Step
}

// notAgain wants it refused, and returns why.
func notAgain(t *testing.T, d *runnertest.Driver) beckon.Failure {
	t.Helper()
	r, err := undoer(d).Again(t.Context())
	if err != nil || len(r.Refused) != 1 {
		t.Fatalf("done again: %+v, %v; want it refused", r, err)
	}
	return r.Refused[0].Why
}

// gitIn runs git in the project's folder.
func gitIn(t *testing.T, d *runnertest.Driver, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", d.Project.Dir, "-c", "user.name=x", "-c", "user.email=x@y"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// changes are what a person does to a card, by kind.
var changes = map[beckon.ChangeKind]func(ctx context.Context, d *runnertest.Driver, id string) error{
	beckon.ChangeEdit: func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.EditTask(ctx, id, beckon.TaskEdit{Title: "Sooner", Labels: []string{"new"}, Mode: d.Project.Mode, Policy: d.Project.Policy, WaitMs: d.Project.WaitMs})
		return err
	},
	beckon.ChangeMove: func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.MoveTask(ctx, id, beckon.Backlog, 0.5)
		return err
	},
	beckon.ChangeClose: func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.CloseTask(ctx, id)
		return err
	},
	beckon.ChangeArchive: func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.MoveTask(ctx, id, beckon.Archived, 0)
		return err
	},
	beckon.ChangeMerge: func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.Merge(ctx, id, reviewing.MergeOrder{})
		return err
	},
	beckon.ChangeDiscard: func(ctx context.Context, d *runnertest.Driver, id string) error {
		loss, err := d.Board.Loss(ctx, id)
		if err == nil {
			_, err = d.Board.Discard(ctx, id, loss.Token)
		}
		return err
	},
	beckon.ChangeDelete: func(ctx context.Context, d *runnertest.Driver, id string) error {
		loss, err := d.Board.Loss(ctx, id)
		return errors.Join(err, d.Board.DeleteTask(ctx, id, loss.Token))
	},
}

// changed is a change of a card that is taken back, and done again.
type changed struct {
	kind beckon.ChangeKind
	task beckon.Task
	do   func(ctx context.Context, d *runnertest.Driver, id string) error
}

// everyChange returns one of each kind, of a card that nobody worked on and of one in
// Review.
func everyChange(plain, reviewed beckon.Task) []changed {
	list := []changed{{beckon.ChangeClose, plain, func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.MoveTask(ctx, id, beckon.Done, 0)
		return err
	}}}
	for _, kind := range []beckon.ChangeKind{beckon.ChangeEdit, beckon.ChangeMove, beckon.ChangeClose, beckon.ChangeArchive, beckon.ChangeDelete} {
		list = append(list, changed{kind, plain, changes[kind]})
	}
	for _, kind := range []beckon.ChangeKind{beckon.ChangeClose, beckon.ChangeArchive, beckon.ChangeMerge, beckon.ChangeDiscard, beckon.ChangeDelete} {
		list = append(list, changed{kind, reviewed, changes[kind]})
	}
	return list
}

func (c changed) make(t *testing.T, d *runnertest.Driver) {
	t.Helper()
	if err := c.do(undolog.Into(t.Context(), c.kind), d, c.task.ID); err != nil {
		t.Fatalf("%s: %v", c.kind, err)
	}
}

func do(t *testing.T, d *runnertest.Driver, kind beckon.ChangeKind, id string) {
	t.Helper()
	changed{kind, beckon.Task{ID: id}, changes[kind]}.make(t, d)
}

// TestWhatWasTakenBackIsDoneAgain: of each kind, and then taken back once more.
func TestWhatWasTakenBackIsDoneAgain(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	plain, reviewed := d.Card("Later"), worked(t, d)
	for _, c := range everyChange(plain, reviewed) {
		c.make(t, d)
		was, gone := d.Store.Task(t.Context(), c.task.ID)
		base := gitIn(t, d, "rev-parse", "HEAD")
		back(t, d)
		if step := again(t, d); step.Kind != c.kind || !slices.Equal(step.Keys, []string{c.task.Key}) {
			t.Errorf("did %+v again, want %s of %s", step, c.kind, c.task.Key)
		}
		now, err := d.Store.Task(t.Context(), c.task.ID)
		if errors.Is(gone, beckon.ErrNotFound) != errors.Is(err, beckon.ErrNotFound) || now.Status != was.Status || now.Title != was.Title || now.Resolution != was.Resolution || now.Branch != was.Branch {
			t.Errorf("%s again made it %+v, %v; it was %+v", c.kind, now, err, was)
		}
		if head := gitIn(t, d, "rev-parse", "HEAD"); head != base {
			t.Errorf("%s again left the base at %s, it was %s", c.kind, head, base)
		}
		if next, err := undoer(d).NextAgain(t.Context()); err != nil || next.Kind != "" {
			t.Errorf("%s can be done a third time: %+v, %v", c.kind, next, err)
		}
		if step := back(t, d); step.Kind != c.kind {
			t.Errorf("then took back %+v, want %s", step, c.kind)
		}
		same(t, d.Now(c.task.ID), c.task)
	}
	if page, err := d.History.Transcript(t.Context(), reviewed.ID, "", 10); err != nil || len(page.Entries) == 0 {
		t.Errorf("after all it has %d entries, %v", len(page.Entries), err)
	}
}

// TestManyStepsAreDoneAgainInTheirOrder: over a restart too, until a new one.
func TestManyStepsAreDoneAgainInTheirOrder(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card := d.Card("Much changed")
	for _, title := range []string{"one", "two", "three"} {
		edit(t, d, undolog.Into(t.Context(), beckon.ChangeEdit), card.ID, func(t *beckon.Task) { t.Title = title })
	}
	back(t, d)
	back(t, d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = runnertest.Open(t, d.DataDir, runnertest.Agents(t, writes))
	if next, err := undoer(d).NextAgain(t.Context()); err != nil || next.Kind != beckon.ChangeEdit || !slices.Equal(next.Keys, []string{card.Key}) {
		t.Errorf("next is %+v, %v", next, err)
	}
	for _, title := range []string{"two", "three"} {
		again(t, d)
		if now := d.Now(card.ID); now.Title != title {
			t.Errorf("it is %q, want %q", now.Title, title)
		}
	}
	if r, err := undoer(d).Again(t.Context()); err != nil || r.Step.Kind != "" {
		t.Errorf("one more: %+v, %v", r, err)
	}
	back(t, d)
	edit(t, d, t.Context(), card.ID, func(t *beckon.Task) { t.Trouble = reason.Said("an agent's") })
	if next, err := undoer(d).NextAgain(t.Context()); err != nil || next.Kind != beckon.ChangeEdit {
		t.Errorf("what no person did took redo away: %+v, %v", next, err)
	}
	edit(t, d, undolog.Into(t.Context(), beckon.ChangePriority), card.ID, func(t *beckon.Task) { t.Priority = 2 })
	if next, err := undoer(d).NextAgain(t.Context()); err != nil || next.Kind != "" {
		t.Errorf("after a new step there is still %+v, %v", next, err)
	}
}

func TestManyCardsAreMadeAndChangedAgain(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	many := steps.ManyCards{Board: d.Board, Task: d.Store.Task, Turn: new(sync.Mutex)}
	made, err := many.Create(t.Context(), []beckon.NewTask{{ProjectID: d.Project.ID, Title: "one"}, {ProjectID: d.Project.ID, Title: "two"}})
	if err != nil {
		t.Fatal(err)
	}
	first := d.Now(made.Step.TaskIDs[0])
	if r, err := many.Change(t.Context(), made.Step.TaskIDs, beckon.ManyChange{Kind: beckon.ChangePriority, Priority: 2}); err != nil || len(r.Refused) > 0 {
		t.Fatal(r, err)
	}
	back(t, d)
	back(t, d)
	if left, err := d.Store.Tasks(t.Context()); err != nil || len(left) != 0 {
		t.Fatalf("left %+v, %v", left, err)
	}
	if step := again(t, d); step.Kind != beckon.ChangeCreate || len(step.Keys) != 2 {
		t.Errorf("made again: %+v", step)
	}
	same(t, d.Now(first.ID), first)
	again(t, d)
	if now := d.Now(first.ID); now.Priority != 2 || now.Key != first.Key {
		t.Errorf("changed again it is %+v", now)
	}
	back(t, d)
	edit(t, d, t.Context(), first.ID, func(t *beckon.Task) { t.Priority = 4 })
	r, err := undoer(d).Again(t.Context())
	if err != nil || len(r.Step.Keys) != 1 || len(r.Refused) != 1 || r.Refused[0].Why.Problem != problem.ChangedSince {
		t.Errorf("with one that changed since: %+v, %v", r, err)
	}
	if now := d.Now(first.ID); now.Priority != 4 {
		t.Errorf("what changed since was overwritten: %+v", now)
	}
}

func TestAMergeIsNotDoneAgainOntoAnotherBase(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card := worked(t, d)
	do(t, d, beckon.ChangeMerge, card.ID)
	back(t, d)
	gitIn(t, d, "commit", "-q", "--allow-empty", "-m", "grown")
	grown := gitIn(t, d, "rev-parse", "HEAD")
	if why := notAgain(t, d); why.Problem != problem.MergeAgain {
		t.Errorf("refused as %+v", why)
	}
	same(t, d.Now(card.ID), card)
	if head := gitIn(t, d, "rev-parse", "HEAD"); head != grown {
		t.Errorf("the base went from %s to %s", grown, head)
	}
	if next, err := undoer(d).NextAgain(t.Context()); err != nil || next.Kind != "" {
		t.Errorf("what can never be done again is offered: %+v, %v", next, err)
	}
}

// TestNoMoreIsLostAgainThanWasSeen: what came since is not thrown away unseen.
func TestNoMoreIsLostAgainThanWasSeen(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card, plain := worked(t, d), d.Card("Worked on since")
	do(t, d, beckon.ChangeDiscard, card.ID)
	back(t, d)
	if _, err := d.Board.Folder(t.Context(), d.Now(card.ID), d.Project); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(card.Worktree, "mine.txt")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if why := notAgain(t, d); why.Problem != problem.MoreToLose {
		t.Errorf("refused as %+v", why)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	again(t, d)

	do(t, d, beckon.ChangeDelete, plain.ID)
	back(t, d)
	edit(t, d, t.Context(), plain.ID, func(t *beckon.Task) { t.Trouble = reason.Said("an agent's") })
	if why := notAgain(t, d); why.Problem != problem.ChangedSince {
		t.Errorf("a card that changed since: %+v", why)
	}
	d.Now(plain.ID)
}

// TestTrustIsThatOfTheProjectThatACardGoesTo: not of the one that it is in.
func TestTrustIsThatOfTheProjectThatACardGoesTo(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	other, err := d.Board.AddProject(t.Context(), beckon.NewProject{Dir: t.TempDir(), Name: "lantern", Key: "LNT", Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	card := d.Card("Waits")
	queued := beckon.Resume{At: beckon.Now() + 3_600_000, Why: beckon.PlanLimit} // no agent starts on it
	edit(t, d, t.Context(), card.ID, func(t *beckon.Task) { t.Status, t.Resume = beckon.Queued, queued })
	many := steps.ManyCards{Board: d.Board, Task: d.Store.Task, Project: d.Store.Project, Hold: d.Runner.Hold, Turn: new(sync.Mutex)}
	if r, err := many.Change(t.Context(), []string{card.ID}, beckon.ManyChange{Kind: beckon.ChangeProject, ProjectID: other.ID}); err != nil || len(r.Refused) > 0 {
		t.Fatal(r, err)
	}
	trust := func(p beckon.Project, trusted bool) {
		t.Helper()
		p.Trusted = trusted
		if _, err := d.Board.EditProject(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	trust(d.Project, false)
	if why := refused(t, d); why.Problem != problem.Untrusted {
		t.Errorf("a queued card went back to a project without trust: %+v", why)
	}
	trust(d.Project, true)
	trust(other, false)
	back(t, d)
	if now := d.Now(card.ID); now.ProjectID != d.Project.ID || now.Status != beckon.Queued {
		t.Errorf("it is %+v", now)
	}
	if why := notAgain(t, d); why.Problem != problem.Untrusted {
		t.Errorf("a queued card went again to a project without trust: %+v", why)
	}
}

// TestWhatWasQueuedAndDiscardedIsBackWithItsBranch: the branch as well as the place.
func TestWhatWasQueuedAndDiscardedIsBackWithItsBranch(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	card := worked(t, d)
	later := beckon.Resume{At: beckon.Now() + 3_600_000, Why: beckon.PlanLimit}
	edit(t, d, t.Context(), card.ID, func(t *beckon.Task) { t.Status, t.Resume = beckon.Queued, later })
	do(t, d, beckon.ChangeDiscard, card.ID)
	back(t, d)
	now := d.Now(card.ID)
	if now.Status != beckon.Queued || gitIn(t, d, "rev-parse", "--verify", "refs/heads/"+now.Branch) == "" {
		t.Errorf("it is %+v", now)
	}
}

// turn is a lock that says when somebody waits for it.
type turn struct {
	sync.Mutex
	waits chan struct{}
}

func (l *turn) Lock() {
	if l.TryLock() {
		return
	}
	close(l.waits)
	l.Mutex.Lock()
}

// gate holds the change of one card up until it is opened.
type gate struct {
	steps.Many
	id            string
	reached, open chan struct{}
}

func (g gate) Update(ctx context.Context, id string, edit func(*beckon.Task) error) (beckon.Task, error) {
	if id == g.id {
		close(g.reached)
		<-g.open
	}
	return g.Many.Update(ctx, id, edit)
}

// TestAnotherWindowTakesAChangeOfManyBackWhole: and never the half that is made.
func TestAnotherWindowTakesAChangeOfManyBackWhole(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, writes)
	one, two := d.Card("one"), d.Card("two")
	l := &turn{waits: make(chan struct{})}
	g := gate{Many: d.Board, id: two.ID, reached: make(chan struct{}), open: make(chan struct{})}
	many, other := steps.ManyCards{Board: g, Task: d.Store.Task, Turn: l}, undoer(d)
	other.Turn = l
	changed, undone := make(chan error, 1), make(chan beckon.ChangeResult, 1)
	go func() {
		_, err := many.Change(t.Context(), []string{one.ID, two.ID}, beckon.ManyChange{Kind: beckon.ChangePriority, Priority: 3})
		changed <- err
	}()
	<-g.reached
	go func() {
		r, err := other.Last(t.Context(), "")
		changed <- err
		undone <- r
	}()
	select {
	case <-l.waits:
	case r := <-undone:
		t.Errorf("took back %+v while the change was under way", r)
	}
	close(g.open)
	if err := errors.Join(<-changed, <-changed); err != nil {
		t.Fatal(err)
	}
	if r := <-undone; len(r.Step.Keys) != 2 {
		t.Errorf("took back %+v, want both cards", r)
	}
	same(t, d.Now(one.ID), one)
	same(t, d.Now(two.ID), two)
}
