package api

import "beckon/backend/beckon"

// Undo takes back what was changed last on cards, or on one card where its id is
// not empty, and tells of which it could not.
func (a *API) Undo(taskID string) (r beckon.ChangeResult, err error) {
	defer recovered(&err)
	return a.parts.Undo.Last(a.ctx, taskID)
}

// UndoNext tells what Undo would take back; its kind is empty where that is
// nothing.
func (a *API) UndoNext() (s beckon.ChangeStep, err error) {
	defer recovered(&err)
	return a.parts.Undo.Next(a.ctx)
}

// Redo does again what Undo took back last, and tells of which cards it could not.
func (a *API) Redo() (r beckon.ChangeResult, err error) {
	defer recovered(&err)
	return a.parts.Undo.Again(a.ctx)
}

// RedoNext tells what Redo would do; its kind is empty where that is nothing.
func (a *API) RedoNext() (s beckon.ChangeStep, err error) {
	defer recovered(&err)
	return a.parts.Undo.NextAgain(a.ctx)
}
