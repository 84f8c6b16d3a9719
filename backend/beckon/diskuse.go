package beckon

// This file has the words for the room that Beckon takes on the disk.

// DiskUse is how many bytes there are of each.
type DiskUse struct {
	Worktrees int64 `json:"worktrees"` // of tasks
	Spare     int64 `json:"spare"`     // of worktrees that are kept ready
	Discarded int64 `json:"discarded"` // of the copies of discarded work
	// Partial says that not all was counted, so that there is more.
	Partial bool `json:"partial"`
}
