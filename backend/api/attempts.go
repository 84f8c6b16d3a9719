package api

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/review/attempt"
)

// TryTwoRefusal returns why a question cannot be answered with two answers now; null where it can.
func (a *API) TryTwoRefusal(questionID string) (why *reason.Reason, err error) {
	defer recovered(&err)
	return a.parts.Attempts.Refusal(a.ctx, questionID)
}

// TryTwo answers a question with two answers: its agent goes on with the first, and a second task,
// which it returns, begins at the question's checkpoint with the other.
func (a *API) TryTwo(questionID string, first, other beckon.Answer) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Attempts.Branch(a.ctx, questionID, first, other)
}

// CompareAttempts returns what the two attempts have changed that a task is one of.
func (a *API) CompareAttempts(taskID string) (c attempt.Comparison, err error) {
	defer recovered(&err)
	return a.parts.Attempts.Compare(a.ctx, taskID)
}

// AttemptFile returns the difference of a file between two attempts, from the first to the second.
func (a *API) AttemptFile(taskID, path string) (f beckon.FileDiff, err error) {
	defer recovered(&err)
	return a.parts.Attempts.File(a.ctx, taskID, path)
}

// KeepAttempt keeps one of two attempts. The other goes to the archive; its branch stays.
func (a *API) KeepAttempt(taskID string) (err error) {
	defer recovered(&err)
	return a.parts.Attempts.Keep(a.ctx, taskID)
}

// MixAttempts has the agent of one of two attempts take over what the user wants of the other.
func (a *API) MixAttempts(taskID, words string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Attempts.Mix(a.ctx, taskID, words)
}
