package board

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store"
	"beckon/tests/timeout"
)

// nobody is no agents at all.
type nobody struct{ Agents }

func (nobody) AwaitEnd(context.Context, string) error { return nil }
func (nobody) Hold(string) (func(), error)            { return func() {}, nil }
func (nobody) Wake()                                  {}

// slowly is a board whose first publication is delayed until the test lets it
// go, as a busy machine may; told are the events in the order of their
// publication.
type slowly struct {
	*Board
	begun, goOn chan struct{}

	delayed atomic.Bool
	mu      sync.Mutex
	told    []beckon.Event
}

func newSlowly(t *testing.T) (*slowly, beckon.Project) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	p := beckon.Project{
		ID: beckon.NewID(), Key: "KES", Name: "kestrel", Dir: t.TempDir(), Color: 1, Mode: beckon.ModeAuto,
		Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs, Created: beckon.Now(),
	}
	if err := s.AddProject(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	y := &slowly{begun: make(chan struct{}), goOn: make(chan struct{})}
	y.Board = New(Config{
		Prepare: func(context.Context, beckon.Task, beckon.Project) error { return nil }, Clear: func(string) {},
		Store: s, Publish: y.publish, DataDir: t.TempDir(), RemoveLogs: func([]beckon.Run) {},
		Withdraw: func(context.Context, string, *reason.Reason) error { return nil },
		Pause:    func(context.Context, bool) error { return nil },
	})
	y.Join(nobody{})
	return y, p
}

func (y *slowly) publish(e beckon.Event) {
	if y.delayed.CompareAndSwap(false, true) {
		close(y.begun)
		<-y.goOn
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	y.told = append(y.told, e)
}

// overtake runs two changes, of which the second is committed while the first
// is about to be published, and returns the last event.
func (y *slowly) overtake(t *testing.T, first, second func() error, committed func() bool) beckon.Event {
	t.Helper()
	failed := make(chan error, 2)
	go func() { failed <- first() }()
	<-y.begun
	go func() { failed <- second() }()
	for end := time.Now().Add(timeout.For(20 * time.Second)); !committed(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the second change is not committed")
		}
	}
	time.AfterFunc(100*time.Millisecond, func() { close(y.goOn) }) // so that it can overtake, if it may
	for range 2 {
		if err := <-failed; err != nil {
			t.Fatal(err)
		}
	}
	return y.told[len(y.told)-1]
}

func TestClientsKeepTheNewestOfTwoChangesOfATask(t *testing.T) {
	t.Parallel()
	y, p := newSlowly(t)
	task := beckon.Task{ID: beckon.NewID(), ProjectID: p.ID, Title: "One", Labels: []string{}, Status: beckon.Backlog, Created: beckon.Now()}
	if err := y.Store.CreateTask(t.Context(), &task); err != nil {
		t.Fatal(err)
	}
	title := func(title string) func() error {
		return func() error {
			_, err := y.Update(context.Background(), task.ID, func(t *beckon.Task) error { t.Title = title; return nil })
			return err
		}
	}
	last := y.overtake(t, title("older"), title("newer"), func() bool {
		now, err := y.Store.Task(t.Context(), task.ID)
		return err == nil && now.Title == "newer"
	})
	if last.Task.Title != "newer" {
		t.Errorf("every client shows %q until the next change, and the card is %q", last.Task.Title, "newer")
	}
}

func TestATaskThatIsGoneDoesNotComeBack(t *testing.T) {
	t.Parallel()
	y, p := newSlowly(t)
	task := beckon.Task{ID: beckon.NewID(), ProjectID: p.ID, Title: "One", Labels: []string{}, Status: beckon.Backlog, Created: beckon.Now()}
	if err := y.Store.CreateTask(t.Context(), &task); err != nil {
		t.Fatal(err)
	}
	change := func() error {
		_, err := y.Update(context.Background(), task.ID, func(t *beckon.Task) error { t.Title = "older"; return nil })
		return err
	}
	remove := func() error { return y.RemoveProject(context.Background(), p.ID) }
	last := y.overtake(t, change, remove, func() bool {
		_, err := y.Store.Task(t.Context(), task.ID)
		return err != nil
	})
	if last.Gone == "" {
		t.Errorf("the last that clients hear is %+v", last)
	}
}

func TestClientsKeepTheNewestOfTwoChangesOfAProject(t *testing.T) {
	t.Parallel()
	y, p := newSlowly(t)
	edit := func() error {
		p := p
		p.Name = "older"
		_, err := y.EditProject(context.Background(), p)
		return err
	}
	allow := func() error { return y.Allow(context.Background(), p.ID, []string{"Bash(ls)"}) }
	last := y.overtake(t, edit, allow, func() bool {
		now, err := y.Store.Project(t.Context(), p.ID)
		return err == nil && len(now.Allowed) == 1
	})
	if len(last.Project.Allowed) != 1 {
		t.Errorf("every client misses what was allowed: %+v", last.Project)
	}
}

func TestClientsKeepTheNewestMission(t *testing.T) {
	t.Parallel()
	y, _ := newSlowly(t)
	layout := func(n int) func() error {
		return func() error {
			return y.SaveMission(context.Background(), beckon.Mission{Layout: n, Panes: []beckon.Pane{}})
		}
	}
	failed := make(chan error, 2)
	go func() { failed <- layout(4)() }()
	<-y.begun
	go func() { failed <- layout(9)() }()
	time.AfterFunc(200*time.Millisecond, func() { close(y.goOn) })
	for range 2 {
		if err := <-failed; err != nil {
			t.Fatal(err)
		}
	}
	m, err := y.Store.Settings.Mission(t.Context())
	if last := y.told[len(y.told)-1].Mission; err != nil || last.Layout != m.Layout {
		t.Errorf("every window shows %d panes, and %d are kept, %v", last.Layout, m.Layout, err)
	}
}
