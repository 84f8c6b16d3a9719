package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
)

func end(t *testing.T, s *Store, id string) {
	t.Helper()
	_, err := s.UpdateRun(t.Context(), id, func(r *beckon.Run) error {
		r.Ended, r.Outcome = beckon.Now(), beckon.Succeeded
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func runIDs(list []beckon.Run) []string {
	ids := []string{}
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestRunsOfATaskAreCountedAndTheLastOneIsFound(t *testing.T) {
	t.Parallel()
	s, first := withRun(t)
	ctx := t.Context()
	end(t, s, first.ID)
	second := addRun(t, s, first.TaskID)
	elsewhere := addRun(t, s, addTask(t, s, mustProject(t, s).ID).ID)
	if first.Number != 1 || second.Number != 2 || elsewhere.Number != 1 {
		t.Errorf("numbers are %d, %d and %d", first.Number, second.Number, elsewhere.Number)
	}

	list, err := s.Runs(ctx, first.TaskID)
	same(t, runIDs(list), []string{first.ID, second.ID}, err)
	latest, err := s.LatestRuns(ctx, []string{first.TaskID, elsewhere.TaskID, "none"})
	same(t, runIDs(latest), []string{second.ID, elsewhere.ID}, err)
	latest, err = s.LatestRuns(ctx, []string{elsewhere.TaskID})
	same(t, runIDs(latest), []string{elsewhere.ID}, err)
}

func TestRunsThatDiedWithBeckonAreFoundAfterTheStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	task := addTask(t, s, addProject(t, s, "KES").ID)
	done := addRun(t, s, task.ID)
	end(t, s, done.ID)
	died := addRun(t, s, task.ID)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = openStore(t, dir)
	live, err := s.LiveRuns(t.Context())
	same(t, runIDs(live), []string{died.ID}, err)
	if live[0].Phase != beckon.Starting {
		t.Errorf("a run without a process known is %s", live[0].Phase)
	}
	got, err := s.Run(t.Context(), done.ID)
	if err != nil || got.Phase != beckon.Ended {
		t.Errorf("an ended run is %s, %v", got.Phase, err)
	}
}

func TestRunEndsWithAnOutcomeAndLivesWithout(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	for name, edit := range map[string]func(*beckon.Run){
		"ended without outcome": func(r *beckon.Run) { r.Ended = 1 },
		"outcome while alive":   func(r *beckon.Run) { r.Outcome = beckon.Failed },
	} {
		_, err := s.UpdateRun(t.Context(), run.ID, func(r *beckon.Run) error { edit(r); return nil })
		if !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRunStartedElsewhereNeedsNoTask(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	stray := someRun("")
	if err := s.AddRun(ctx, &stray); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a task run without a task: %v", err)
	}
	stray.Kind = beckon.ExternalRun
	if err := s.AddRun(ctx, &stray); err != nil {
		t.Fatal(err)
	}
	asked := addQuestion(t, s, stray)
	open, err := s.OpenQuestions(ctx)
	same(t, open, []beckon.Question{asked}, err)
	orphan := someRun("nobody's")
	if err := s.AddRun(ctx, &orphan); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a run of an unknown task: %v", err)
	}
}

func TestARunAndItsCardsMoveComeTogetherOrNotAtAll(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	refused := errors.New("not from there")
	run := beckon.Run{TaskID: task.ID, Kind: beckon.TaskRun}
	if _, err := s.StartRun(t.Context(), &run, func(t *beckon.Task) error {
		t.Status = beckon.Running
		return refused
	}); !errors.Is(err, refused) {
		t.Errorf("a move that is refused: %v", err)
	}
	if runs, err := s.Runs(t.Context(), task.ID); err != nil || len(runs) != 0 {
		t.Errorf("it left the runs %+v, %v", runs, err)
	}
	moved, err := s.StartRun(t.Context(), &run, func(t *beckon.Task) error { return t.Move(beckon.Running) })
	if err != nil || moved.Status != beckon.Running || run.Number != 1 {
		t.Fatalf("card in %s, run %d, %v", moved.Status, run.Number, err)
	}
	again := run // an ID that is taken: the card stays too
	if _, err := s.StartRun(t.Context(), &again, func(t *beckon.Task) error {
		return t.Move(beckon.Review)
	}); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a run that is there already: %v", err)
	}
	if now, err := s.Task(t.Context(), task.ID); err != nil || now.Status != beckon.Running {
		t.Errorf("the card of a run that was not added is in %s, %v", now.Status, err)
	}
}
