package checkpoints

import "context"

// OfTask returns the checkpoints of a task that were taken, the oldest first.
func (r Rows) OfTask(ctx context.Context, taskID string) ([]Checkpoint, error) {
	return checkpoints.List(ctx, r.read, "WHERE task_id = ? AND none = '' AND tree <> '' ORDER BY at, question_id", taskID)
}
