package store

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestTwoProjectsShareNeitherFolderNorKey(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	first := addProject(t, s, "KES")
	other := addProject(t, s, "LUM")

	sameDir := someProject("NEW")
	sameDir.Dir = first.Dir
	sameKey := someProject("KES")
	sameKey.Dir = "/elsewhere"
	for _, p := range []beckon.Project{sameDir, sameKey} {
		err := s.AddProject(ctx, &p)
		if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), first.Name) {
			t.Errorf("added %+v: %v", p, err)
		}
	}
	_, err := s.UpdateProject(ctx, other.ID, func(p *beckon.Project) error { p.Key = "KES"; return nil })
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "KES") {
		t.Errorf("took the key of another: %v", err)
	}
	list, err := s.Projects(ctx)
	if err != nil || len(list) != 2 || list[1].Key != "LUM" {
		t.Errorf("projects = %+v, %v", list, err)
	}
}

func TestNewProjectsAreToldApartByColor(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	var colors []int
	for _, key := range []string{"AA", "BB", "CC", "DD", "EE"} {
		colors = append(colors, addProject(t, s, key).Color)
	}
	same(t, colors, []int{1, 2, 3, 4, 1}, nil)
}

func TestProjectWithAnAgentAtWorkCannotBeRemoved(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	p := mustProject(t, s)
	q := addQuestion(t, s, run)
	if err := s.Drafts.Save(ctx, q.ID, "keep"); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveProject(ctx, p.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("removed the project of a live run: %v", err)
	}
	if err := s.DeleteTask(ctx, run.TaskID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("deleted the task of a live run: %v", err)
	}
	if got, err := s.Question(ctx, q.ID); err != nil {
		t.Errorf("its question is gone: %+v, %v", got, err)
	}

	end(t, s, run.ID)
	if err := s.RemoveProject(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	for name, find := range map[string]func() error{
		"project":  func() error { _, err := s.Project(ctx, p.ID); return err },
		"task":     func() error { _, err := s.Task(ctx, run.TaskID); return err },
		"run":      func() error { _, err := s.Run(ctx, run.ID); return err },
		"question": func() error { _, err := s.Question(ctx, q.ID); return err },
		"removal":  func() error { return s.RemoveProject(ctx, p.ID) },
	} {
		if err := find(); !errors.Is(err, beckon.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if drafts, err := s.Drafts.All(ctx); err != nil || len(drafts) != 0 {
		t.Errorf("drafts = %v, %v", drafts, err)
	}
}

func TestRefusedEditChangesNothing(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	p := addProject(t, s, "KES")
	refusal := errors.New("no")
	_, err := s.UpdateProject(t.Context(), p.ID, func(p *beckon.Project) error { p.Name = "changed"; return refusal })
	if !errors.Is(err, refusal) {
		t.Errorf("err = %v", err)
	}
	got, err := s.Project(t.Context(), p.ID)
	same(t, got, p, err)
}
