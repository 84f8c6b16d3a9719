// Package views saves how a person looks at the board, and tells every window.
// It refuses what no view can be with an error for the user that is
// beckon.ErrInvalid; it filters nothing, which is the page's to do.
package views

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store"
)

// Saved are the saved views. Its methods may be called from any goroutine.
type Saved struct {
	Kept    store.Views
	Publish func(beckon.Event)
	saving  sync.Mutex // held while a row is written and published
}

// Save keeps a view: a new one where it has no id, else the one that has it. One
// that was deleted meanwhile is beckon.ErrNotFound.
func (v *Saved) Save(ctx context.Context, view beckon.View) (beckon.View, error) {
	view = normal(view)
	if err := checkView(view); err != nil {
		return view, err
	}
	v.saving.Lock()
	defer v.saving.Unlock()
	var err error
	if view.ID == "" {
		view.ID, view.Created = beckon.NewID(), beckon.Now()
		err = v.add(ctx, view)
	} else {
		err = v.Kept.Replace(ctx, view)
	}
	if err != nil {
		return view, err
	}
	return view, v.publishAll(ctx)
}

func (v *Saved) add(ctx context.Context, view beckon.View) error {
	n, err := v.Kept.Count(ctx)
	if err != nil {
		return err
	}
	if n >= most {
		return problem.New(problem.ManyViews, fmt.Errorf("there are %d views already, which is as many as are kept: %w", n, beckon.ErrConflict), "most", fmt.Sprint(most))
	}
	return v.Kept.Add(ctx, view)
}

// Delete removes a view; the cards that it showed stay.
func (v *Saved) Delete(ctx context.Context, id string) error {
	v.saving.Lock()
	defer v.saving.Unlock()
	if err := v.Kept.Delete(ctx, id); err != nil {
		return err
	}
	return v.publishAll(ctx)
}

func (v *Saved) publishAll(ctx context.Context) error {
	list, err := v.All(ctx)
	if err != nil {
		return err
	}
	v.Publish(beckon.Event{Views: &list})
	return nil
}

// All returns the views as they are shown. What was kept and is none, as of a
// newer Beckon, stays in the database and is left out.
func (v *Saved) All(ctx context.Context) (beckon.ViewList, error) {
	kept, err := v.Kept.All(ctx)
	list := beckon.ViewList{All: make([]beckon.View, 0, len(kept))}
	for _, view := range kept {
		if view = normal(view); checkView(view) == nil {
			list.All = append(list.All, view)
		}
	}
	return list, err
}

// State returns the same as an event, for a client that is new.
func (v *Saved) State(ctx context.Context) ([]beckon.Event, error) {
	list, err := v.All(ctx)
	return []beckon.Event{{Views: &list}}, err
}

// normal gives a view the form in which it is kept: a name in one line, what was
// left out of its display as a board has it, and no list that is nil.
func normal(view beckon.View) beckon.View {
	view.Name = strings.Join(strings.Fields(view.Name), " ")
	view.Clauses = beckon.NonNil(view.Clauses)
	for i := range view.Clauses {
		view.Clauses[i].Values = beckon.NonNil(view.Clauses[i].Values)
	}
	view.Display.Group = cmp.Or(view.Display.Group, beckon.GroupUngrouped)
	view.Display.Sort = cmp.Or(view.Display.Sort, beckon.SortManual)
	view.Display.Shows = beckon.NonNil(view.Display.Shows)
	return view
}
