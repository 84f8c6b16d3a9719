package since

import "beckon/backend/store/reviewed"

// turn is a row as it is before anything of the turn is recorded.
func turn(taskID, runID string, nth int) reviewed.Turn {
	return reviewed.Turn{TaskID: taskID, RunID: runID, Nth: nth, Began: 1}
}
