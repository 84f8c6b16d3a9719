package why

import (
	"context"
	"errors"
	"slices"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
)

// This file says of all lines of a task's changes at once who wrote them.

const (
	// mostTraced is how many files a trace has, and traceIn how long it takes at most. The others
	// are counted.
	mostTraced = 500
	traceIn    = 60 * time.Second
)

// writers are who wrote lines, by how well that is known. What git takes for new and the replay for
// older may be anybody's.
var writers = map[Sure]reviewing.Writer{
	ByCall: reviewing.Agents, Within: reviewing.Agents, OneOf: reviewing.Agents, Outside: reviewing.Nobody,
	Older: reviewing.Nobody, Unknown: reviewing.Nobody,
}

// Trace returns who wrote the lines that a task's work added, all since the base. Work that is not
// committed has no files.
func (f *Finder) Trace(ctx context.Context, taskID string) (t reviewing.Trace, err error) {
	of := found{Finder: f, card: reviewing.CardOf(taskID)}
	if err := of.measure(ctx); err != nil {
		return t, err
	}
	history, ok, err := f.Since.History(ctx, taskID, "")
	if err == nil && !ok {
		err = reason.Of(reason.TraceNothing).Err(beckon.ErrNotFound)
	}
	if err != nil {
		return t, err
	}
	t.Head = history.Head
	if t.Committed, err = history.Committed(ctx); err != nil || !t.Committed {
		return t, err
	}
	of.history = history
	further, err := f.Parts(ctx, of.card)
	if err != nil {
		return t, err
	}
	t.Parts = []string{}
	for _, part := range further {
		t.Parts = append(t.Parts, part.Name)
	}
	files, err := history.Files(ctx)
	if err != nil {
		return t, err
	}
	limited, cancel := context.WithTimeout(ctx, traceIn)
	defer cancel()
	for _, file := range files {
		if file.Added == 0 && !file.Binary {
			continue
		}
		if len(t.Files) == mostTraced || limited.Err() != nil {
			t.Left++
			continue
		}
		one, err := of.traced(limited, file)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			t.Left++
		case err != nil:
			return t, err
		default:
			t.Files = append(t.Files, one)
		}
	}
	return t, ctx.Err()
}

// traced is who wrote the lines of a file of the history that was read.
func (f found) traced(ctx context.Context, file beckon.FileDiff) (reviewing.TracedFile, error) {
	one := &found{Finder: f.Finder, path: file.Path, card: f.card, runs: f.runs, ends: f.ends, history: f.history}
	paths := []string{file.Path}
	if file.OldPath != "" {
		paths = append(paths, file.OldPath)
	}
	b, state, err := one.blameIn(ctx, reviewing.View{}, paths)
	t := reviewing.TracedFile{Path: file.Path}
	if state != Known {
		t.Unknown = string(state)
	}
	if err != nil || state != Known {
		return t, err
	}
	var last *origin
	for _, block := range b.blocks {
		for _, n := range block.added {
			o := b.added[n]
			if o == nil {
				o = noOrigin
			}
			if i := len(t.Stretches) - 1; i >= 0 && o == last && t.Stretches[i].Last == n-1 {
				t.Stretches[i].Last = n
				continue
			}
			last = o
			t.Stretches = append(t.Stretches, one.stretch(n, o))
		}
	}
	return t, nil
}

// stretch is a line of an origin.
func (f *found) stretch(n int, o *origin) reviewing.TracedLines {
	s := reviewing.TracedLines{First: n, Last: n, By: writers[o.said()]}
	if s.By == reviewing.Agents && o.others {
		s.By = reviewing.Perhaps
	}
	for _, i := range o.calls {
		if id := f.runs[f.story.calls[i].run].ID; !slices.Contains(s.Runs, id) {
			s.Runs = append(s.Runs, id)
		}
	}
	return s
}
