package api

import "beckon/backend/beckon"

// Questions returns all questions of a task, oldest first.
func (a *API) Questions(taskID string) (qs []beckon.Question, err error) {
	defer recovered(&err)
	return a.parts.History.Questions(a.ctx, taskID)
}

// AnswerQuestion settles a question, or gives one that expired, or that a rule
// answered, the answer of a person.
func (a *API) AnswerQuestion(id string, answer beckon.Answer) (err error) {
	defer recovered(&err)
	answer.By, answer.ByName = beckon.ByUser, ""
	return a.parts.Answer(a.ctx, id, answer)
}

// ChangeAnswer replaces the answer that a question has after so many changes, which
// its agent gets as a correction.
func (a *API) ChangeAnswer(id string, changes int, answer beckon.Answer) (err error) {
	defer recovered(&err)
	answer.By, answer.ByName = beckon.ByUser, ""
	return a.parts.Questions.Change(a.ctx, id, changes, answer)
}

// DismissQuestion closes a question whose run has ended, without an answer.
func (a *API) DismissQuestion(id string) (err error) {
	defer recovered(&err)
	return a.parts.Questions.Dismiss(a.ctx, id)
}

// AnsweredSince returns the newest questions that were answered at that time,
// in Unix milliseconds, or later.
func (a *API) AnsweredSince(since int64) (qs []beckon.Question, err error) {
	defer recovered(&err)
	return a.parts.History.AnsweredSince(a.ctx, since)
}

// HoldQuestion stops an open question's clock, or lets it go on with what was
// left.
func (a *API) HoldQuestion(id string, held bool) (err error) {
	defer recovered(&err)
	return a.parts.Questions.Hold(a.ctx, id, held)
}

// HoldAll holds every clock, those of new questions too, until it is let go.
func (a *API) HoldAll(held bool) (err error) {
	defer recovered(&err)
	return a.parts.Board.PauseAll(a.ctx, held)
}

// SaveDraft keeps what was typed as an answer; empty text drops it.
func (a *API) SaveDraft(questionID, text string) (err error) {
	defer recovered(&err)
	return a.parts.Board.SaveDraft(a.ctx, questionID, text)
}

// Drafts returns all that was typed as answers and not sent.
func (a *API) Drafts() (ds []beckon.Draft, err error) {
	defer recovered(&err)
	return a.parts.Board.Drafts(a.ctx)
}

// Rules returns the standing answers of all projects, oldest first.
func (a *API) Rules() (rs []beckon.Rule, err error) {
	defer recovered(&err)
	return a.parts.Questions.Rules(a.ctx)
}

// EditRule replaces the question and the options of a standing answer.
func (a *API) EditRule(edit beckon.Rule) (r beckon.Rule, err error) {
	defer recovered(&err)
	return a.parts.Questions.EditRule(a.ctx, edit)
}

// RevokeRule removes a standing answer; what it answered stays answered.
func (a *API) RevokeRule(id string) (err error) {
	defer recovered(&err)
	return a.parts.Questions.RevokeRule(a.ctx, id)
}

// LookedAt has a question that the user sees at this moment not told once more.
func (a *API) LookedAt(questionID string) (err error) {
	defer recovered(&err)
	a.parts.Notices.LookedAt(questionID)
	return nil
}
