package api

import (
	"beckon/backend/beckon"
	"beckon/backend/review/rewind"
	"beckon/backend/review/since"
	"beckon/backend/store/decisions"
)

// Decisions returns the decisions that a filter leaves, the newest first, from behind a page's
// Next on; from the newest where that is empty.
func (a *API) Decisions(f decisions.Filter, after string) (p decisions.Page, err error) {
	defer recovered(&err)
	return a.parts.Ledger.Rows.Page(a.ctx, f, after)
}

// LedTo returns what decisions led to, in their order, 50 at most.
func (a *API) LedTo(ids []string) (led []since.Led, err error) {
	defer recovered(&err)
	return a.parts.Ledger.Led(a.ctx, ids)
}

// Decision returns a decision, what it led to and what came after it.
func (a *API) Decision(id string) (d since.Details, err error) {
	defer recovered(&err)
	return a.parts.Ledger.Details(a.ctx, id)
}

// ExportDecisions writes the decisions that a filter leaves to a new file in the downloads
// folder, as csv, json or md.
func (a *API) ExportDecisions(f decisions.Filter, format string) (e Exported, err error) {
	defer recovered(&err)
	e.Path, e.Rows, err = a.parts.Export.Decisions(a.ctx, f, format)
	return e, err
}

// PreviewChoice returns what deciding differently would do: what goes back to the checkpoint of a
// decision, and what is set aside.
func (a *API) PreviewChoice(id string) (v rewind.Preview, err error) {
	defer recovered(&err)
	return a.parts.Rewinder.Preview(a.ctx, id)
}

// ChooseDifferently takes a task's worktree back to what it was when a decision was asked, and has
// an agent begin there with another answer. It returns what TakeChoiceBack takes back.
func (a *API) ChooseDifferently(id string, answer beckon.Answer) (d *rewind.Done, err error) {
	defer recovered(&err)
	t, err := a.parts.Rewinder.Choose(a.ctx, id, answer)
	if err != nil {
		return nil, err
	}
	return a.parts.Rewinder.Done(a.ctx, t.ID)
}

// TakeChoiceBack makes a task's work what it was before ChooseDifferently did that last, if that is
// the choice with the id, which PreviewChoice has.
func (a *API) TakeChoiceBack(taskID, id string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Rewinder.TakeBack(a.ctx, taskID, id)
}
