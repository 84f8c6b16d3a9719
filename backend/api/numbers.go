package api

import (
	"log/slog"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/parts"
	"beckon/backend/review/since"
	"beckon/backend/store/numbers"
)

// Exported is a file that was written.
type Exported struct {
	Path string `json:"path"`
	Rows int    `json:"rows"` // beside the head
}

// Numbers returns what agents took and did, and how they waited for the user, today and on
// the days before, in all so many, 1 to 366.
func (a *API) Numbers(days int) (n numbers.Numbers, err error) {
	defer recovered(&err)
	return a.parts.Numbers.Of(a.ctx, days, time.Now())
}

// Figures are what a task's page draws of it.
type Figures struct {
	Files  []reviewing.FileSize `json:"files"`  // the largest of its changes
	Spells []numbers.Spell      `json:"spells"` // of its tokens
}

// mostSizes is how many files Figures has.
const mostSizes = 6

// Figures returns the largest changes of a task, in all its repositories, and when it took how
// many tokens.
func (a *API) Figures(taskID string) (f Figures, err error) {
	defer recovered(&err)
	rows, err := a.parts.Board.Parts.Rows.Of(a.ctx, taskID)
	if err != nil {
		return f, err
	}
	ids := []string{taskID}
	for _, row := range rows {
		if row.Branch != "" && parts.Gone(row.Dir) == nil {
			ids = append(ids, row.ID)
		}
	}
	for _, id := range ids {
		sizes, err := a.parts.Since.Largest(a.ctx, id, mostSizes)
		if err != nil { // such as one whose branch is gone: the others are shown
			slog.Debug("find the largest changes", "err", err, "task", id)
			continue
		}
		f.Files = append(f.Files, sizes...)
	}
	f.Files = beckon.NonNil(since.Most(f.Files, mostSizes))
	f.Spells, err = a.parts.Numbers.Spells(a.ctx, taskID)
	return f, err
}

// ExportNumbers writes the numbers of today and of the days before, in all so many, to a new
// CSV file in the downloads folder; projectID leaves those of one project, empty leaves all.
func (a *API) ExportNumbers(days int, projectID string) (e Exported, err error) {
	defer recovered(&err)
	e.Path, e.Rows, err = a.parts.Export.Numbers(a.ctx, days, projectID)
	return e, err
}
