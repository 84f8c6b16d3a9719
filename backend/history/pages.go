package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// pageMost is how many entries a page of a transcript has at the most.
const pageMost = 500

// place is between two lines of a task's transcript: before that line of the
// run, -1 for the run's end. As text, which is what cursors are, it stays
// right while the transcript grows.
type place struct {
	run  int // its index among the task's
	line int64
}

// Transcript returns the page of a task's transcript that ends before the
// cursor, over all its runs; an empty cursor means the end.
func (h *History) Transcript(ctx context.Context, taskID, before string, limit int) (beckon.TranscriptPage, error) {
	return h.pageAt(ctx, taskID, limit, func(runs []beckon.Run) (place, int, error) {
		if before == "" {
			return place{len(runs) - 1, -1}, limit, nil
		}
		at, err := parsePlace(runs, before)
		return at, limit, err
	})
}

// TranscriptAfter returns the page that begins after the cursor; an empty
// cursor means the beginning.
func (h *History) TranscriptAfter(ctx context.Context, taskID, after string, limit int) (beckon.TranscriptPage, error) {
	return h.pageAt(ctx, taskID, limit, func(runs []beckon.Run) (place, int, error) {
		if after == "" {
			return place{0, 0}, 0, nil
		}
		at, err := parsePlace(runs, after)
		return at, 0, err
	})
}

// TranscriptAround returns the page in whose middle that entry is.
func (h *History) TranscriptAround(ctx context.Context, taskID, entry string, limit int) (beckon.TranscriptPage, error) {
	return h.pageAt(ctx, taskID, limit, func(runs []beckon.Run) (place, int, error) {
		at, err := parsePlace(runs, entry)
		return at, limit / 2, err
	})
}

// pageAt returns the page around what find finds, with so many entries that
// are older than it as find says.
func (h *History) pageAt(ctx context.Context, taskID string, limit int, find func([]beckon.Run) (place, int, error)) (beckon.TranscriptPage, error) {
	page := beckon.TranscriptPage{TaskID: taskID, Entries: []beckon.Entry{}}
	if limit < 1 || limit > pageMost {
		return page, beckon.Invalid("a page has 1 to %d entries, not %d", pageMost, limit)
	}
	runs, err := h.logged(ctx, taskID)
	if err != nil || len(runs) == 0 {
		return page, err
	}
	at, older, err := find(runs)
	if err != nil {
		return page, err
	}
	err = h.fill(&page, runs, at, older, limit-older)
	return page, err
}

// logged returns the runs whose transcripts are those of a task, or of a session
// that runs elsewhere.
func (h *History) logged(ctx context.Context, taskID string) ([]beckon.Run, error) {
	if run, is, err := h.Outside.Run(ctx, taskID); is {
		return []beckon.Run{run}, err
	}
	if _, err := h.Store.Task(ctx, taskID); err != nil {
		return nil, err
	}
	return h.Store.Runs(ctx, taskID)
}

// fill puts the entries around a place on a page, and those of the
// neighbouring runs where its own has too few.
func (h *History) fill(page *beckon.TranscriptPage, runs []beckon.Run, at place, older, newer int) error {
	middle, err := h.span(runs[at.run], at.line, older, newer)
	if err != nil {
		return err
	}
	if len(middle.Entries) > 0 {
		page.Entries = middle.Entries
	}
	had := len(page.Entries)
	if at.line >= 0 {
		had, _ = slices.BinarySearchFunc(page.Entries, at.line, func(e beckon.Entry, line int64) int { return cmp.Compare(e.Pos, line) })
	}
	newer -= len(page.Entries) - had
	if page.Before, err = h.fillOlder(page, runs, place{at.run, middle.Before}, older-had); err != nil {
		return err
	}
	page.After, err = h.fillNewer(page, runs, place{at.run, middle.After}, newer)
	return err
}

// fillOlder puts so many entries of earlier runs on a page that begins at a
// place, line -1 for its run's beginning, and returns the cursor of what is
// older.
func (h *History) fillOlder(page *beckon.TranscriptPage, runs []beckon.Run, at place, limit int) (string, error) {
	for at.line < 0 {
		if at.run--; at.run < 0 {
			return "", nil
		}
		if limit <= 0 {
			break
		}
		span, err := h.span(runs[at.run], -1, limit, 0)
		if err != nil {
			return "", err
		}
		page.Entries = slices.Concat(span.Entries, page.Entries)
		limit -= len(span.Entries)
		at.line = span.Before
	}
	return at.cursor(runs), nil
}

// fillNewer puts so many entries of later runs on a page that ends at a place,
// line -1 for its run's end, and returns the cursor of what is newer.
func (h *History) fillNewer(page *beckon.TranscriptPage, runs []beckon.Run, at place, limit int) (string, error) {
	for at.line < 0 {
		if at.run++; at.run == len(runs) {
			return "", nil
		}
		if limit <= 0 {
			at.line = 0
			break
		}
		span, err := h.span(runs[at.run], 0, 0, limit)
		if err != nil {
			return "", err
		}
		page.Entries = slices.Concat(page.Entries, span.Entries)
		limit -= len(span.Entries)
		at.line = span.After
	}
	return at.cursor(runs), nil
}

func (p place) cursor(runs []beckon.Run) string { return fmt.Sprintf("%s/%d", runs[p.run].ID, p.line) }

// parsePlace reads a cursor, or the place of an entry.
func parsePlace(runs []beckon.Run, text string) (place, error) {
	id, number, _ := strings.Cut(text, "/")
	line, err := strconv.ParseInt(number, 10, 64)
	for i, run := range runs {
		if run.ID == id && err == nil && line >= -1 {
			return place{i, line}, nil
		}
	}
	return place{}, beckon.Invalid("%q is no place in this transcript", text)
}

// span reads a part of one run. A run that never wrote anything has none.
func (h *History) span(run beckon.Run, line int64, older, newer int) (transcript.Span, error) {
	log, live := h.Live.Log(run)
	if mirrored, is := h.Outside.Log(run.ID); is {
		log, live = mirrored, true
	}
	if live {
		if log == nil {
			return transcript.Span{Before: -1, After: -1}, nil
		}
		span, err := spanOf(log, run.ID, line, older, newer)
		if !errors.Is(err, fs.ErrClosed) { // else the run ended while it was read
			return span, err
		}
	}
	log, err := transcript.OpenRead(h.Dir, run.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return transcript.Span{Before: -1, After: -1}, nil
	}
	if err != nil {
		return transcript.Span{}, err
	}
	defer closeLog(log, run.ID)
	return spanOf(log, run.ID, line, older, newer)
}

func spanOf(log *transcript.Log, runID string, line int64, older, newer int) (transcript.Span, error) {
	span, err := transcript.Around(log, line, older, newer)
	for i := range span.Entries {
		span.Entries[i].RunID = runID
	}
	return span, err
}

func closeLog(log *transcript.Log, runID string) {
	if err := log.Close(); err != nil {
		slog.Error("close a transcript", "err", err, "run", runID)
	}
}
