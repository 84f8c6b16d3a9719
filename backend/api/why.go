package api

import (
	"beckon/backend/beckon/reviewing"
	"beckon/backend/review/since/why"
)

// Why returns why lines of a task's changes are there: the calls that changed them, what the
// agent said before, and what had been decided.
func (a *API) Why(taskID string, lines reviewing.ChangedLines) (w why.Answer, err error) {
	defer recovered(&err)
	return a.parts.Why.Why(a.ctx, taskID, lines)
}
