package api

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// Review returns a task's branch against its base, or what a part of its work changed.
func (a *API) Review(taskID string, v reviewing.View) (d beckon.ReviewDiff, err error) {
	defer recovered(&err)
	return a.parts.Since.Review(a.ctx, taskID, v)
}

// ChangeRanges returns what a task's changes can be looked at by: turns, commits and the
// last review.
func (a *API) ChangeRanges(taskID string) (r reviewing.Ranges, err error) {
	defer recovered(&err)
	return a.parts.Since.Ranges(a.ctx, taskID)
}

// DiffFile returns a file of a task's changes with more of its patch than Review does.
func (a *API) DiffFile(taskID string, of reviewing.File) (f beckon.FileDiff, err error) {
	defer recovered(&err)
	return a.parts.Since.File(a.ctx, taskID, of)
}

// DiffLines returns lines of a changed file that its diff leaves out.
func (a *API) DiffLines(taskID string, of reviewing.Stretch) (l reviewing.Lines, err error) {
	defer recovered(&err)
	return a.parts.Comments.Stretch(a.ctx, taskID, of)
}

// DiffPicture returns an image of a task's changes, as it was or as it is.
func (a *API) DiffPicture(taskID string, of reviewing.Side) (p reviewing.Picture, err error) {
	defer recovered(&err)
	return a.parts.Comments.Picture(a.ctx, taskID, of)
}

// MarkViewed keeps that a file of a task's changes was viewed, with the content that
// its diff names; an empty one forgets it.
func (a *API) MarkViewed(taskID, path, content string) (err error) {
	defer recovered(&err)
	return a.parts.Since.View(a.ctx, taskID, path, content)
}

// Viewed returns the contents by the paths of a task's files that were viewed.
func (a *API) Viewed(taskID string) (files map[string]string, err error) {
	defer recovered(&err)
	return a.parts.Board.Viewed(a.ctx, taskID)
}

// SendBack resumes a task's session with a comment on its work.
func (a *API) SendBack(taskID, comment string) (t beckon.Task, err error) {
	defer recovered(&err)
	err = a.parts.Since.Reviewing(a.ctx, taskID, func() error {
		t, err = a.parts.Runner.SendBack(a.ctx, taskID, beckon.NewMessage{Text: comment})
		return err
	})
	return t, err
}

// ContinueWith has an agent of another kind go on with a task that is at rest, with words
// of the user's, which may be empty, behind what it gets of the work so far.
func (a *API) ContinueWith(taskID, agent, words string) (t beckon.Task, err error) {
	defer recovered(&err)
	err = a.parts.Since.Reviewing(a.ctx, taskID, func() error {
		t, err = a.parts.Runner.ContinueWith(a.ctx, taskID, agent, words)
		return err
	})
	return t, err
}

// Comments returns those on lines of a task's changes, the oldest first, each where
// its lines are by now.
func (a *API) Comments(taskID string) (list []reviewing.Comment, err error) {
	defer recovered(&err)
	return a.parts.Comments.List(a.ctx, taskID)
}

// SaveComment keeps a comment on lines of a task's changes as a draft, or what a
// draft says by now.
func (a *API) SaveComment(n reviewing.CommentEdit) (c reviewing.Comment, err error) {
	defer recovered(&err)
	return a.parts.Comments.Save(a.ctx, n)
}

// DeleteComment removes a comment that was not sent.
func (a *API) DeleteComment(id string) (err error) {
	defer recovered(&err)
	return a.parts.Comments.Delete(a.ctx, id)
}

// ResolveComment closes a comment that was sent, or opens it again.
func (a *API) ResolveComment(id string, resolved bool) (c reviewing.Comment, err error) {
	defer recovered(&err)
	return a.parts.Comments.Resolve(a.ctx, id, resolved)
}

// SendComments brings the comments of a task that were not sent to its agent, and
// returns how many they are.
func (a *API) SendComments(taskID string) (n int, err error) {
	defer recovered(&err)
	err = a.parts.Since.Reviewing(a.ctx, taskID, func() error { n, err = a.parts.Comments.Send(a.ctx, taskID); return err })
	return n, err
}

// PullThreads returns the open discussions on a task's pull request, each where its lines
// are by now.
func (a *API) PullThreads(taskID string) (list []reviewing.Thread, err error) {
	defer recovered(&err)
	return a.parts.Comments.Threads(a.ctx, taskID)
}

// ResolveThread closes a discussion on a task's pull request.
func (a *API) ResolveThread(taskID, threadID string) (err error) {
	defer recovered(&err)
	return a.parts.Comments.ResolveThread(a.ctx, taskID, threadID)
}

// PostComment posts a comment to its task's pull request, and returns the page of the
// discussion that it began.
func (a *API) PostComment(id string) (page string, err error) {
	defer recovered(&err)
	return a.parts.Comments.Post(a.ctx, id)
}

// FailedChecks returns what failed of the checks of a task's pull request.
func (a *API) FailedChecks(taskID string) (list []reviewing.FailedCheck, err error) {
	defer recovered(&err)
	return a.parts.Comments.FailedChecks(a.ctx, taskID)
}

// SendCheck brings the log of a check that failed to a task's agent.
func (a *API) SendCheck(taskID, checkID string) (err error) {
	defer recovered(&err)
	return a.parts.Since.Reviewing(a.ctx, taskID, func() error { return a.parts.Comments.SendCheck(a.ctx, taskID, checkID) })
}
