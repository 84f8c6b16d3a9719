package views_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/board/views"
	"beckon/backend/store"
)

// opened are views in a data folder, and what they published.
func opened(t *testing.T, dir string) (v *views.Saved, told *[]beckon.ViewList, s *store.Store) {
	t.Helper()
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	told = &[]beckon.ViewList{}
	return &views.Saved{Kept: s.Views, Publish: func(e beckon.Event) { *told = append(*told, *e.Views) }}, told, s
}

func important() beckon.View {
	return beckon.View{
		Name: "Important",
		Clauses: []beckon.ViewClause{
			{Field: beckon.FieldLabel, Not: true, Values: []string{"docs", ""}},
			{Field: beckon.FieldPriority, Values: []string{"3", "4"}},
		},
		Display: beckon.ViewDisplay{Group: beckon.GroupByProject, Sort: beckon.SortPressing, Shows: []beckon.ViewPart{beckon.PartLabels}, HideDone: true},
	}
}

func TestViewsSurviveARestartAndOtherWindowsFollow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v, told, s := opened(t, dir)
	made, err := v.Save(t.Context(), important())
	if err != nil || made.ID == "" || made.Created == 0 {
		t.Fatalf("%+v, %v", made, err)
	}
	made.Name, made.Clauses[0].Not = " Very\nimportant ", false
	changed, err := v.Save(t.Context(), made)
	if err != nil || changed.Name != "Very important" {
		t.Fatalf("%+v, %v", changed, err)
	}
	if last := (*told)[len(*told)-1]; len(*told) != 2 || !reflect.DeepEqual(last.All, []beckon.View{changed}) {
		t.Errorf("windows got %+v", *told)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	v, told, s = opened(t, dir)
	defer s.Close()
	if list, err := v.All(t.Context()); err != nil || !reflect.DeepEqual(list.All, []beckon.View{changed}) {
		t.Errorf("after the restart %+v, %v", list, err)
	}
	if err := v.Delete(t.Context(), made.ID); err != nil || len((*told)[0].All) != 0 {
		t.Errorf("deleted with %v, windows got %+v", err, *told)
	}
	if _, err := v.Save(t.Context(), changed); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a view that another window deleted is saved with %v", err)
	}
	if err := v.Delete(t.Context(), made.ID); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("deleted twice with %v", err)
	}
}

func TestWhatNoViewCanBeIsRefusedAndNothingIsKept(t *testing.T) {
	t.Parallel()
	v, told, s := opened(t, t.TempDir())
	defer s.Close()
	clause := func(field beckon.ViewField, values ...string) func(*beckon.View) {
		return func(w *beckon.View) { w.Clauses = []beckon.ViewClause{{Field: field, Values: values}} }
	}
	for name, spoil := range map[string]func(*beckon.View){
		"no name":             func(w *beckon.View) { w.Name = " \n" },
		"a long name":         func(w *beckon.View) { w.Name = strings.Repeat("ä", 81) },
		"no text":             func(w *beckon.View) { w.Name = "\xff" },
		"an unknown field":    clause("owner", "ada"),
		"no field":            clause("", "ada"),
		"no values":           clause(beckon.FieldLabel),
		"too many values":     clause(beckon.FieldLabel, make([]string, 101)...),
		"a long value":        clause(beckon.FieldText, strings.Repeat("x", 201)),
		"a priority of 9":     clause(beckon.FieldPriority, "9"),
		"a state of none":     clause(beckon.FieldState, "archived"),
		"many conditions":     func(w *beckon.View) { w.Clauses = make([]beckon.ViewClause, 17) },
		"an unknown group":    func(w *beckon.View) { w.Display.Group = "model" },
		"an unknown order":    func(w *beckon.View) { w.Display.Sort = "name" },
		"an unknown part":     func(w *beckon.View) { w.Display.Shows = []beckon.ViewPart{"avatar"} },
		"parts over and over": func(w *beckon.View) { w.Display.Shows = make([]beckon.ViewPart, 1000) },
	} {
		view := important()
		spoil(&view)
		if _, err := v.Save(t.Context(), view); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: saved with %v", name, err)
		}
	}
	if list, err := v.All(t.Context()); err != nil || len(list.All) != 0 || len(*told) != 0 {
		t.Errorf("kept %+v, told %+v, %v", list, *told, err)
	}
}

func TestThereAreNoMoreViewsThanARailCanHold(t *testing.T) {
	t.Parallel()
	v, _, s := opened(t, t.TempDir())
	defer s.Close()
	for i := range 100 {
		view := important()
		view.Name = fmt.Sprint(i)
		if _, err := v.Save(t.Context(), view); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := v.Save(t.Context(), important()); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("one more is saved with %v", err)
	}
}
