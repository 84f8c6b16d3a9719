package since

import "beckon/backend/store/turnlog"

// turn is a row as it is before anything of the turn is recorded.
func turn(taskID, runID string, nth int) turnlog.Turn {
	return turnlog.Turn{TaskID: taskID, RunID: runID, Nth: nth, Began: 1}
}
