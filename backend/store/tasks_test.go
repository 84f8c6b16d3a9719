package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
)

func TestTaskNumbersAreNeverUsedAgain(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p := addProject(t, s, "KES")
	addTask(t, s, p.ID)
	last := addTask(t, s, p.ID)
	if err := s.DeleteTask(ctx, last.ID); err != nil {
		t.Fatal(err)
	}
	next := addTask(t, s, p.ID)
	if next.Number != 3 || next.Key != "KES-3" {
		t.Errorf("after KES-2 was deleted comes %s, number %d", next.Key, next.Number)
	}
	if other := addTask(t, s, addProject(t, s, "LUM").ID); other.Key != "LUM-1" {
		t.Errorf("the first of another project is %s", other.Key)
	}
}

func TestTasksCreatedAtOnceHaveDifferentNumbers(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	p := addProject(t, s, "KES")
	const many = 20
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			task := someTask(p.ID)
			if err := s.CreateTask(deadline(t), &task); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list, err := s.Tasks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[int]bool{}
	ranks := map[float64]bool{}
	for _, task := range list {
		numbers[task.Number] = true
		ranks[task.Rank] = true
	}
	if len(numbers) != many || len(ranks) != many {
		t.Errorf("%d tasks have %d numbers and %d ranks", many, len(numbers), len(ranks))
	}
}

func TestTaskKeysFollowTheProjects(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	ctx := t.Context()
	if _, err := s.UpdateProject(ctx, task.ProjectID, func(p *beckon.Project) error {
		p.Key = "NEW"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Task(ctx, task.ID)
	if err != nil || got.Key != "NEW-1" {
		t.Errorf("key = %s, %v", got.Key, err)
	}
}

func TestCardsStandInTheirOrder(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p := addProject(t, s, "KES")
	var titles []string
	for _, card := range []beckon.Task{
		{Title: "second", Status: beckon.Queued, Rank: 2},
		{Title: "end", Status: beckon.Queued},
		{Title: "first", Status: beckon.Queued, Rank: -1},
		{Title: "alone in its column", Status: beckon.Done},
	} {
		card.ProjectID = p.ID
		if err := s.CreateTask(ctx, &card); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Tasks(ctx)
	for _, task := range list {
		titles = append(titles, task.Title)
	}
	same(t, titles, []string{"first", "alone in its column", "second", "end"}, err)
	if end := list[3].Rank; end <= 2 {
		t.Errorf("the end of the column has rank %v", end)
	}
}

func TestTheStateBeginsWithTheTopsOfAllColumnsAndWithWhoWaits(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p, small := addProject(t, s, "KES"), addProject(t, s, "LUM")
	put := func(projectID, title string, status beckon.Status, rank float64) beckon.Task {
		task := someTask(projectID)
		task.Title, task.Status, task.Rank = title, status, rank
		if err := s.CreateTask(ctx, &task); err != nil {
			t.Fatal(err)
		}
		return task
	}
	for i := range 4 {
		put(p.ID, fmt.Sprint("backlog ", i), beckon.Backlog, float64(10+i))
		put(p.ID, fmt.Sprint("review ", i), beckon.Review, float64(10+i))
	}
	put(small.ID, "far down, but the first of its project", beckon.Backlog, 90)
	archived := put(p.ID, "archived", beckon.Archived, 1)
	deep := put(p.ID, "deep, with an agent", beckon.Review, 91)
	asks := put(p.ID, "deep, with a question", beckon.Backlog, 92)
	addRun(t, s, deep.ID)
	asking := addRun(t, s, asks.ID)
	addQuestion(t, s, asking)
	end(t, s, asking.ID)

	first, more, err := s.FirstTasks(ctx, 5)
	var titles []string
	for _, task := range first {
		titles = append(titles, task.Title)
	}
	slices.Sort(titles)
	same(t, titles, []string{
		"backlog 0", "backlog 1", "deep, with a question", "deep, with an agent",
		"far down, but the first of its project", "review 0", "review 1",
	}, err)
	if !more {
		t.Error("the others are not told of")
	}
	if all, more, err := s.FirstTasks(ctx, 12); err != nil || more || len(all) != 12 {
		t.Errorf("of twelve tasks the first twelve are %d, with more %v, %v", len(all), more, err)
	}

	seen, last := map[string]bool{}, "0"
	for range 3 {
		part, err := s.TasksAfter(ctx, last, 5)
		if err != nil || len(part) == 0 {
			t.Fatal(part, err)
		}
		for _, task := range part {
			seen[task.ID], last = true, task.ID
		}
	}
	if len(seen) != 12 || !seen[archived.ID] {
		t.Errorf("in three parts of five there are %d of 12 tasks", len(seen))
	}
}

func TestQueueIsServedInItsOrder(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	if _, ok, err := s.NextQueued(ctx, nil); ok || err != nil {
		t.Errorf("an empty queue has a next: %v, %v", ok, err)
	}
	p := addProject(t, s, "KES")
	for _, card := range []beckon.Task{
		{Title: "later", Status: beckon.Queued, Rank: 7},
		{Title: "not queued", Status: beckon.Backlog, Rank: 1},
		{Title: "next", Status: beckon.Queued, Rank: 3},
	} {
		card.ProjectID = p.ID
		if err := s.CreateTask(ctx, &card); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := s.NextQueued(ctx, []string{""}); ok || err != nil {
		t.Errorf("without a free slot there is a next: %v, %v", ok, err)
	}
	first, _, err := s.NextQueued(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if task, ok, err := s.NextQueued(ctx, nil, first.ID); err != nil || !ok || task.Title != "later" {
		t.Errorf("passed over the first, next = %q, %v, %v", task.Title, ok, err)
	}
	for _, want := range []string{"next", "later"} {
		task, ok, err := s.NextQueued(ctx, nil)
		if err != nil || !ok || task.Title != want {
			t.Fatalf("next = %q, %v, %v; want %q", task.Title, ok, err, want)
		}
		if _, err := s.UpdateTask(ctx, task.ID, func(t *beckon.Task) error { return t.Move(beckon.Running) }); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheQueuePassesOverWhatWaitsForAnother(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p := addProject(t, s, "KES")
	first := beckon.Task{ProjectID: p.ID, Title: "first", Status: beckon.Review}
	if err := s.CreateTask(ctx, &first); err != nil {
		t.Fatal(err)
	}
	then := beckon.Task{ProjectID: p.ID, Title: "then", Status: beckon.Queued, After: first.ID}
	if err := s.CreateTask(ctx, &then); err != nil {
		t.Fatal(err)
	}
	next := func(want bool, why string) {
		t.Helper()
		if got, ok, err := s.NextQueued(ctx, nil); err != nil || ok != want ||
			ok && (got.ID != then.ID || got.After != first.ID) {
			t.Errorf("%s: next is %+v, %v, %v", why, got, ok, err)
		}
	}
	move := func(to beckon.Status) {
		t.Helper()
		if _, err := s.UpdateTask(ctx, first.ID, func(t *beckon.Task) error { return t.Move(to) }); err != nil {
			t.Fatal(err)
		}
	}
	next(false, "the first is in review")
	move(beckon.Archived)
	next(false, "the first was put away before it was done")
	move(beckon.Review)
	move(beckon.Done)
	next(true, "the first is done")
	move(beckon.Archived)
	next(true, "the first was done, and put away")
	move(beckon.Done)
	move(beckon.Review)
	next(false, "the first was taken up again")
	if err := s.DeleteTask(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	next(true, "there is no first any more")
}

func TestTheQueueHoldsATaskUntilItsTime(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p := addProject(t, s, "KES")
	soon := beckon.Now() + time.Hour.Milliseconds()
	for _, at := range []int64{soon + 1, soon, 1} {
		if err := s.CreateTask(ctx,
			&beckon.Task{ProjectID: p.ID, Title: "one", Status: beckon.Queued, StartsAt: at}); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok, err := s.NextQueued(ctx, nil); err != nil || !ok || got.StartsAt != 1 {
		t.Errorf("next is %+v, %v, %v; want the one whose time has come", got, ok, err)
	}
	if next, limited, err := s.Resumes(ctx); err != nil || next != soon || limited != 0 {
		t.Errorf("the next time is %d, a limit until %d, %v; want %d and none", next, limited, err, soon)
	}
}

func TestTasksDoNotWaitForEachOtherInACircle(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p := addProject(t, s, "KES")
	var made []beckon.Task
	for _, after := range []int{-1, 0, 1} {
		task := beckon.Task{ProjectID: p.ID, Title: "one", Status: beckon.Backlog}
		if after >= 0 {
			task.After = made[after].ID
		}
		if err := s.CreateTask(ctx, &task); err != nil {
			t.Fatal(err)
		}
		made = append(made, task)
	}
	follow := func(id, after string) error {
		_, err := s.UpdateTask(ctx, id, func(t *beckon.Task) error { t.After = after; return nil })
		return err
	}
	for _, last := range made {
		if kind, data := problem.From(follow(made[0].ID, last.ID)); kind != problem.Circle || data["key"] != "KES-1" ||
			data["first"] != last.Key {
			t.Errorf("that %s comes before KES-1: %s, %v", last.Key, kind, data)
		}
	}
	if err := follow(made[0].ID, "gone"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("after a task that there is not: %v", err)
	}
	if err := errors.Join(follow(made[2].ID, ""), follow(made[0].ID, made[2].ID)); err != nil {
		t.Errorf("where the circle is open: %v", err)
	}
}

func TestNoEditOfATaskIsLostToAnother(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	const many = 20
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			_, err := s.UpdateTask(deadline(t), task.ID, func(t *beckon.Task) error { t.Changes.Commits++; return nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := s.Task(t.Context(), task.ID)
	if err != nil || got.Changes.Commits != many {
		t.Errorf("%d of %d edits are left, %v", got.Changes.Commits, many, err)
	}
}

func TestTasksOfNobodyAreNotFound(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	orphan := someTask("nobody")
	_, missing := s.Task(ctx, "none")
	_, edited := s.UpdateTask(ctx, "none", func(*beckon.Task) error { return nil })
	for name, err := range map[string]error{
		"create": s.CreateTask(ctx, &orphan), "read": missing, "edit": edited, "delete": s.DeleteTask(ctx, "none"),
	} {
		if !errors.Is(err, beckon.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTheQueuePassesOverFullExecutors: each task by its own word, else its project's.
func TestTheQueuePassesOverFullExecutors(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p := addProject(t, s, "KES")
	if _, err := s.UpdateProject(ctx, p.ID, func(p *beckon.Project) error {
		p.Executor = "farm"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for i, executor := range []string{"", executing.Here, "lab"} {
		card := beckon.Task{
			ProjectID: p.ID, Title: "on " + executor, Status: beckon.Queued,
			Rank: float64(i + 1), Executor: executor,
		}
		if err := s.CreateTask(ctx, &card); err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range []struct {
		full  []string
		title string
	}{
		{nil, "on "},
		{[]string{"farm"}, "on here"},
		{[]string{"farm", ""}, "on lab"},
		{[]string{"farm", "", "lab"}, ""},
	} {
		task, ok, err := s.NextQueued(ctx, one.full)
		if err != nil || ok != (one.title != "") || task.Title != one.title {
			t.Errorf("with %q full: %q, %v, %v", one.full, task.Title, ok, err)
		}
	}
}
