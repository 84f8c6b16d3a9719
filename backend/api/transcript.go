package api

import (
	"beckon/backend/beckon"
	"beckon/backend/review/since/replay"
)

// Transcript returns the page that ends before the cursor; an empty cursor
// means the end.
func (a *API) Transcript(taskID, before string, limit int) (p beckon.TranscriptPage, err error) {
	defer recovered(&err)
	return a.parts.History.Transcript(a.ctx, taskID, before, limit)
}

// TranscriptAfter returns the page that begins after the cursor.
func (a *API) TranscriptAfter(taskID, after string, limit int) (p beckon.TranscriptPage, err error) {
	defer recovered(&err)
	return a.parts.History.TranscriptAfter(a.ctx, taskID, after, limit)
}

// TranscriptAround returns the page around a place, "RUN/POS" of an entry.
func (a *API) TranscriptAround(taskID, place string, limit int) (p beckon.TranscriptPage, err error) {
	defer recovered(&err)
	return a.parts.History.TranscriptAround(a.ctx, taskID, place, limit)
}

// Landmarks returns the places of a task's transcript worth jumping to, in
// order.
func (a *API) Landmarks(taskID string) (ls []beckon.Landmark, err error) {
	defer recovered(&err)
	return a.parts.Search.Landmarks(a.ctx, taskID)
}

// Picture returns an image of a transcript's line as a data: URL.
func (a *API) Picture(runID string, pos int64, index int) (url string, err error) {
	defer recovered(&err)
	return a.parts.History.Picture(a.ctx, runID, pos, index)
}

// Search finds entries of all transcripts, newest first.
func (a *API) Search(q beckon.SearchQuery) (p beckon.SearchPage, err error) {
	defer recovered(&err)
	return a.parts.Search.Search(a.ctx, q)
}

// ExportRun writes a run's transcript, secrets masked, to a new file in the
// user's download folder and returns its path.
func (a *API) ExportRun(runID string, format beckon.ExportFormat) (path string, err error) {
	defer recovered(&err)
	return a.parts.Export.Run(a.ctx, runID, format)
}

// ExportTrace writes who wrote the lines that a task's work added to a new file in the user's
// download folder, as Agent Trace has it, and returns its path. Work that is not committed is
// beckon.ErrConflict.
func (a *API) ExportTrace(taskID string) (path string, err error) {
	defer recovered(&err)
	return a.parts.Export.Trace(a.ctx, taskID)
}

// Timeline returns what a task's runs did when, and when its files were recorded.
func (a *API) Timeline(taskID string) (t replay.Timeline, err error) {
	defer recovered(&err)
	return a.parts.Replay.Timeline(a.ctx, taskID)
}

// FilesAt returns what a task's files were at a moment, as far as they were recorded.
func (a *API) FilesAt(taskID string, ask replay.Ask) (f replay.Files, err error) {
	defer recovered(&err)
	return a.parts.Replay.Files(a.ctx, taskID, ask)
}

// ShareTask writes a task's session, or where runID is not empty that run of it, as one page of
// 5 MB at most, secrets masked, to a new file in the user's download folder and returns its path.
func (a *API) ShareTask(taskID, runID string) (path string, err error) {
	defer recovered(&err)
	return a.parts.Export.Share(a.ctx, taskID, runID)
}
