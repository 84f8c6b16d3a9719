package store

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/notifying"
	"beckon/backend/beckon/reviewing"

	"github.com/google/go-cmp/cmp"
)

// fill sets every field below v that is zero to something that is not, each to
// another value, so that a field that is not kept, or kept in another's
// column, shows.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).Type() != reflect.PointerTo(v.Type()) { // a reason has another
				fill(v.Field(i), n)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.String:
		if v.IsZero() {
			v.SetString(fmt.Sprintf("%d 'ü\x00\n", *n))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.1)
	case reflect.Int, reflect.Int64:
		if v.IsZero() {
			v.SetInt(int64(*n))
		}
	}
}

func filledIn[T any](v T) T {
	n := 100
	fill(reflect.ValueOf(&v).Elem(), &n)
	return v
}

func TestEveryFieldIsKept(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()

	p := filledIn(beckon.Project{
		Color: 3, Mode: beckon.ModePlan, Policy: beckon.Park, MergeWay: reviewing.Rebase,
		Scripts: beckon.ScriptSet{Setup: "make deps", Copied: []string{".env"}, Spare: true},
	})
	first := beckon.Task{ID: beckon.NewID(), ProjectID: p.ID, Title: "First", Status: beckon.Backlog}
	task := filledIn(beckon.Task{
		ProjectID: p.ID, After: first.ID, Status: beckon.Review, Priority: 4,
		Mode: beckon.ModePlan, Policy: beckon.Park, Resolution: beckon.Closed, ArchivedFrom: beckon.Done,
	})
	run := filledIn(beckon.Run{
		TaskID: task.ID, Kind: beckon.ChatRun, Outcome: beckon.Lost,
		Phase: beckon.Ended, Mode: beckon.ModePlan,
	})
	q := filledIn(beckon.Question{
		TaskID: task.ID, RunID: run.ID, Kind: beckon.Plan, Policy: beckon.Park, Settlement: beckon.Answered,
	})
	settings := filledIn(beckon.Settings{})
	settings.Notify.Tell = map[notifying.Kind]notifying.How{"of a newer version": "loudly"}
	for _, kind := range notifying.Kinds {
		settings.Notify.Tell[kind] = notifying.Sound // none has it in a fresh install
	}
	task.RestoresTo, task.Attempt = "", nil                                         // it is computed, and empty in Review
	run.NextModel, run.LinkLost, run.Quiet, run.Waits = "", 0, 0, executing.Waits{} // only a live run has them
	err := errors.Join(s.AddProject(ctx, &p), s.CreateTask(ctx, &first), s.CreateTask(ctx, &task),
		s.AddRun(ctx, &run), s.AddQuestion(ctx, q),
		s.Settings.Save(ctx, settings))
	if err != nil {
		t.Fatal(err)
	}

	gotProject, err := s.Project(ctx, p.ID)
	same(t, gotProject, p, err)
	gotTask, err := s.Task(ctx, task.ID)
	same(t, gotTask, task, err)
	gotRun, err := s.Run(ctx, run.ID)
	same(t, gotRun, run, err)
	gotQuestion, err := s.Question(ctx, q.ID)
	same(t, gotQuestion, q, err)
	gotSettings, err := s.Settings.Load(ctx)
	same(t, gotSettings, settings, err)
}

func TestEveryFieldCanBeChanged(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	task, err := s.Task(ctx, run.TaskID)
	if err != nil {
		t.Fatal(err)
	}

	p := filledIn(beckon.Project{
		Color: 3, Mode: beckon.ModePlan, Policy: beckon.Park, MergeWay: reviewing.Rebase,
		Scripts: beckon.ScriptSet{Setup: "make deps", Copied: []string{".env"}, Spare: true},
	})
	gotProject, err := s.UpdateProject(ctx, task.ProjectID, func(edited *beckon.Project) error {
		p.ID, p.Created = edited.ID, edited.Created
		*edited = p
		return nil
	})
	same(t, gotProject, p, err)
	gotProject, err = s.Project(ctx, p.ID)
	same(t, gotProject, p, err)

	first := beckon.Task{ProjectID: task.ProjectID, Title: "First", Status: beckon.Backlog}
	if err := s.CreateTask(ctx, &first); err != nil {
		t.Fatal(err)
	}
	wanted := filledIn(beckon.Task{
		After: first.ID, Status: beckon.Review, Priority: 4, Mode: beckon.ModePlan,
		Policy: beckon.Park, Resolution: beckon.Closed, ArchivedFrom: beckon.Done,
	})
	changed, err := s.UpdateTask(ctx, task.ID, func(edited *beckon.Task) error {
		*edited = wanted
		edited.ProjectID = task.ProjectID // another one is another's number, too
		edited.Attempt = nil              // it is computed
		return nil
	})
	wanted.ID, wanted.ProjectID, wanted.Number, wanted.Created = task.ID, task.ProjectID, task.Number, task.Created
	wanted.Key, wanted.Updated, wanted.RestoresTo, wanted.Attempt = fmt.Sprintf("%s-%d", p.Key, task.Number), changed.Updated, "", nil
	same(t, changed, wanted, err)
	gotTask, err := s.Task(ctx, task.ID)
	same(t, gotTask, wanted, err)

	ended := filledIn(beckon.Run{Kind: beckon.ChatRun, Outcome: beckon.Lost, Phase: beckon.Ended, Mode: beckon.ModePlan})
	ended.NextModel, ended.LinkLost, ended.Quiet, ended.Waits = "", 0, 0, executing.Waits{} // only a live run has them
	gotRun, err := s.UpdateRun(ctx, run.ID, func(edited *beckon.Run) error {
		*edited = ended
		return nil
	})
	ended.ID, ended.TaskID, ended.Number = run.ID, run.TaskID, run.Number
	same(t, gotRun, ended, err)
	gotRun, err = s.Run(ctx, run.ID)
	same(t, gotRun, ended, err)
}

func TestEveryWordCanBeKeptAndNoOther(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	task := func(edit func(*beckon.Task)) error {
		_, err := s.UpdateTask(ctx, run.TaskID, func(t *beckon.Task) error { edit(t); return nil })
		return err
	}
	project := func(edit func(*beckon.Project)) error {
		p := someProject(beckon.NewID())
		edit(&p)
		return s.AddProject(ctx, &p)
	}
	newRun := func(edit func(*beckon.Run)) error {
		r := someRun(run.TaskID)
		edit(&r)
		return s.AddRun(ctx, &r)
	}
	question := func(edit func(*beckon.Question)) error {
		q := someQuestion(run)
		edit(&q)
		return s.AddQuestion(ctx, q)
	}

	words(t, beckon.Statuses, func(w beckon.Status) error { return task(func(t *beckon.Task) { t.Status = w }) })
	words(t, beckon.Resolutions, func(w beckon.Resolution) error {
		return task(func(t *beckon.Task) { t.Resolution = w })
	})
	words(t, beckon.PermissionModes, func(w beckon.PermissionMode) error {
		return task(func(t *beckon.Task) { t.Mode = w })
	})
	words(t, beckon.Policies, func(w beckon.Policy) error { return task(func(t *beckon.Task) { t.Policy = w }) })
	words(t, beckon.PermissionModes, func(w beckon.PermissionMode) error {
		return project(func(p *beckon.Project) { p.Mode = w })
	})
	words(t, beckon.Policies, func(w beckon.Policy) error { return project(func(p *beckon.Project) { p.Policy = w }) })
	words(t, beckon.RunKinds, func(w beckon.RunKind) error { return newRun(func(r *beckon.Run) { r.Kind = w }) })
	words(t, beckon.PermissionModes, func(w beckon.PermissionMode) error {
		return newRun(func(r *beckon.Run) { r.Mode = w })
	})
	words(t, beckon.Outcomes, func(w beckon.Outcome) error {
		return newRun(func(r *beckon.Run) { r.Outcome, r.Ended = w, 1 })
	})
	words(t, beckon.QuestionKinds, func(w beckon.QuestionKind) error {
		return question(func(q *beckon.Question) { q.Kind = w })
	})
	words(t, beckon.Policies, func(w beckon.Policy) error { return question(func(q *beckon.Question) { q.Policy = w }) })
	words(t, beckon.Settlements, func(w beckon.Settlement) error {
		return question(func(q *beckon.Question) {
			q.Settlement, q.Answer = w, &beckon.Answer{}
			if w != beckon.Open && w != beckon.Orphaned {
				q.Settled = 1
			}
		})
	})
}

// words checks that each word can be kept, and none that beckon does not have.
func words[W ~string](t *testing.T, all []W, keep func(W) error) {
	t.Helper()
	for _, w := range all {
		if err := keep(w); err != nil {
			t.Errorf("%T %q: %v", w, w, err)
		}
	}
	if err := keep("nonsense"); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("%T \"nonsense\" was kept: %v", all[0], err)
	}
}

func TestListsAreNeverNil(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	q := beckon.Question{ // nothing in it that may be left out
		ID: beckon.NewID(), TaskID: run.TaskID, RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open,
		Items: []beckon.QuestionItem{{}},
	}
	bare := q
	bare.ID, bare.Items = beckon.NewID(), nil
	if err := errors.Join(s.AddQuestion(ctx, q), s.AddQuestion(ctx, bare)); err != nil {
		t.Fatal(err)
	}
	settled, err := s.Settle(ctx, q.ID, beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{}}}, nil)
	noNil(t, settled, err)
	settled, err = s.Settle(ctx, bare.ID, beckon.Answered, &beckon.Answer{}, nil)
	noNil(t, settled, err)
	asked, err := s.Questions(ctx, run.TaskID)
	noNil(t, asked, err)
	open, err := s.OpenQuestions(ctx)
	noNil(t, open, err)
	orphaned, err := s.OrphanOpen(ctx, run.ID, nil)
	noNil(t, orphaned, err)
	edited, err := s.UpdateTask(ctx, run.TaskID, func(t *beckon.Task) error { t.Labels = nil; return nil })
	noNil(t, edited, err)
	all, err := s.Tasks(ctx)
	noNil(t, all, err)
	none, err := s.Runs(ctx, "nobody's")
	noNil(t, none, err)
	drafts, err := s.Drafts.All(ctx)
	if err != nil || drafts == nil {
		t.Errorf("drafts = %v, %v", drafts, err)
	}
}

func noNil(t *testing.T, v any, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	if path := nilList(reflect.ValueOf(v)); path != "" {
		t.Errorf("%T has a nil list: %s", v, path)
	}
}

// nilList returns the path of a nil list in v.
func nilList(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return "itself"
		}
		for i := range v.Len() {
			if path := nilList(v.Index(i)); path != "" {
				return fmt.Sprintf("[%d] %s", i, path)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if strings.Contains(v.Type().Field(i).Tag.Get("json"), ",omitempty") {
				continue // it is left out where it is empty, and never null
			}
			if path := nilList(v.Field(i)); path != "" {
				return v.Type().Field(i).Name + " " + path
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return nilList(v.Elem())
		}
	}
	return ""
}

func same[T any](t *testing.T, got, want T, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%T: %v", want, err)
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%T (-want +got):\n%s", want, diff)
	}
}

func TestInboxIsFoundWithoutReadingTheHistory(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	var id, parent, unused int
	var plan string
	err := s.read.QueryRowContext(t.Context(),
		"EXPLAIN QUERY PLAN SELECT id FROM question WHERE "+openCondition+" ORDER BY asked, rowid").
		Scan(&id, &parent, &unused, &plan)
	if err != nil || !strings.Contains(plan, "question_waiting") {
		t.Errorf("the plan is %q, %v", plan, err)
	}
}
