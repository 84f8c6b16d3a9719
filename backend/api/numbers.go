package api

import (
	"time"

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

// ExportNumbers writes the numbers of today and of the days before, in all so many, to a new
// CSV file in the downloads folder; projectID leaves those of one project, empty leaves all.
func (a *API) ExportNumbers(days int, projectID string) (e Exported, err error) {
	defer recovered(&err)
	e.Path, e.Rows, err = a.parts.Export.Numbers(a.ctx, days, projectID)
	return e, err
}
