package beckon

// This file has the words for the room that Beckon takes on the disk.

// DiskUse is how many bytes there are of each.
type DiskUse struct {
	Worktrees int64 `json:"worktrees"` // of tasks
	Spare     int64 `json:"spare"`     // of worktrees that are kept ready
	Discarded int64 `json:"discarded"` // of the copies of discarded work
	// Moments is of what worktrees were at turns and questions, as far as the files of no
	// branch have it.
	// It is counted of one project only.
	Moments int64 `json:"moments"`
	// Partial says that not all was counted, so that there is more.
	Partial bool `json:"partial"`
}
