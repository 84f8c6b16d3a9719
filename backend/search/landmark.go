package search

import (
	"context"
	"errors"
	"io/fs"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// Landmarks returns the places of a task's transcript worth jumping to, in
// order. What the index has not reached is read from the logs.
func (x *Index) Landmarks(ctx context.Context, taskID string) ([]beckon.Landmark, error) {
	if _, err := x.store.Task(ctx, taskID); err != nil {
		return nil, err
	}
	runs, err := x.store.Runs(ctx, taskID)
	if err != nil {
		return nil, err
	}
	all := []beckon.Landmark{}
	for _, run := range runs {
		marks, done, err := x.words.Landmarks(ctx, run.ID)
		if err != nil {
			return nil, err
		}
		rest, err := x.unread(ctx, run.ID, done)
		if err != nil {
			return nil, err
		}
		all = append(append(all, marks...), rest...)
	}
	return all, nil
}

// unread reads the landmarks of a run's lines from one on.
func (x *Index) unread(ctx context.Context, runID string, from int64) ([]beckon.Landmark, error) {
	log, err := transcript.OpenRead(x.logs, runID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer log.Close()
	g := newCollector(from)
	for line, err := range log.View().ReadShort(new([]byte), g.next, log.Whole()) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		g.mark(line)
	}
	for i := range g.marks {
		g.marks[i].RunID = runID
	}
	return g.marks, nil
}
