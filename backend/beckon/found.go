package beckon

// This file has the words for what a search through all transcripts asks for
// and finds.

// SearchQuery asks for entries of all transcripts. Empty fields match all.
type SearchQuery struct {
	// Text is searched for as words, the last one by its beginning.
	Text      string    `json:"text"`
	ProjectID string    `json:"projectId"`
	TaskID    string    `json:"taskId"`
	Kind      EntryKind `json:"kind"`
	// Before is the cursor of a Page.
	Before string `json:"before"`
	Limit  int    `json:"limit"`
}

// SearchPage is a part of what was found, newest first.
type SearchPage struct {
	Hits []SearchHit `json:"hits"`
	// Elsewhere are questions of sessions that are no task's, on the first page of
	// a search through everything: no transcript has them.
	Elsewhere []Question `json:"elsewhere"`
	// Before is the cursor of the next older page; empty at the end.
	Before string `json:"before"`
	// Behind is how many runs are not wholly in the index yet.
	Behind int `json:"behind"`
}

// SearchHit is an entry that was found.
type SearchHit struct {
	TaskID string    `json:"taskId"`
	RunID  string    `json:"runId"`
	Pos    int64     `json:"pos"`
	Part   int       `json:"part"`
	Kind   EntryKind `json:"kind"`
	// Snippet is what surrounds the first match; Marks are the matches in
	// it, as pairs of begin and end in UTF-16 units, as the page counts.
	Snippet string `json:"snippet"`
	Marks   []int  `json:"marks"`
	At      int64  `json:"at"` // 0 where the log does not know
}
