package api

import (
	"errors"
	"os"
	"runtime"

	"beckon/backend/beckon"
	"beckon/backend/git"
	"beckon/backend/history"
	"beckon/backend/update"
)

// About tells what Beckon found on this machine. It looks again each time.
func (a *API) About() (about beckon.About, err error) {
	defer recovered(&err)
	about = a.parts.Runner.About(a.ctx, a.parts.Shell.About())
	about.Trials = a.parts.Trials.Last()
	about.DataDir, about.System = a.parts.Board.DataDir, runtime.GOOS
	about.GitVersion, _ = git.Version(a.ctx) // empty where there is none
	about.Observed, about.Polled = a.parts.Outside.Observed()
	about.Updates, about.Build = a.parts.Update.Asks(), a.parts.Build
	about.Build.Notices = update.NoticesFile()
	about.Home, _ = os.UserHomeDir() // without it folders are shown in full
	return about, nil
}

// TryAgent has the agent of a kind, beckon.ClaudeCode or an AgentKind's Name, do one small turn
// in an empty folder on this computer. It uses that agent's account.
func (a *API) TryAgent(name string) (trial beckon.AgentTrial, err error) {
	defer recovered(&err)
	return a.parts.Trials.Try(a.ctx, beckon.FirstAgent(name))
}

// Attach returns the whole present state, or its first part; later frames go to the
// same client.
func (a *API) Attach(client string) (f beckon.Frame, err error) {
	defer recovered(&err)
	a.parts.Outside.Rescan() // roots that no process had at the last look
	more := false
	f, err = a.parts.Feed.Snapshot(func() ([]beckon.Event, error) {
		events, others, err := a.parts.History.State(a.ctx)
		more = others
		for _, part := range a.parts.Shown {
			its, err2 := part.State(a.ctx)
			events, err = append(events, its...), errors.Join(err, err2)
		}
		return events, err
	})
	if more {
		f.More = history.BeforeAll
	}
	return f, err
}

// AttachMore returns the next part of the state, after what the More of the one before
// says.
func (a *API) AttachMore(after string) (f beckon.Frame, err error) {
	defer recovered(&err)
	next := ""
	f, err = a.parts.Feed.Snapshot(func() (events []beckon.Event, err error) {
		events, next, err = a.parts.History.StateAfter(a.ctx, after)
		return events, err
	})
	f.Whole, f.More = false, next
	return f, err
}

// SkipUpdate has a newer version mentioned no more.
func (a *API) SkipUpdate(version string) (err error) {
	defer recovered(&err)
	return a.parts.Update.Skip(a.ctx, version)
}

// Watch names the tasks whose transcripts the client shows at this moment.
func (a *API) Watch(client string, taskIDs []string) (err error) {
	defer recovered(&err)
	err = a.parts.Feed.Watch(client, taskIDs)
	a.parts.Runner.Watching(taskIDs)
	a.parts.Outside.ReadOn()
	return err
}

// Runs returns all runs of a task, oldest first.
func (a *API) Runs(taskID string) (rs []beckon.Run, err error) {
	defer recovered(&err)
	return a.parts.History.Runs(a.ctx, taskID)
}

// SaveSettings replaces the user's settings.
func (a *API) SaveSettings(s beckon.Settings) (err error) {
	defer recovered(&err)
	return a.parts.Board.SaveSettings(a.ctx, s)
}

// SaveMission keeps how Mission Control is laid out.
func (a *API) SaveMission(m beckon.Mission) (err error) {
	defer recovered(&err)
	return a.parts.Board.SaveMission(a.ctx, m)
}

// SaveView keeps a look at the board under a name: a new one without an id.
func (a *API) SaveView(view beckon.View) (saved beckon.View, err error) {
	defer recovered(&err)
	return a.parts.Views.Save(a.ctx, view)
}

// DeleteView removes a view; the cards that it showed stay.
func (a *API) DeleteView(id string) (err error) {
	defer recovered(&err)
	return a.parts.Views.Delete(a.ctx, id)
}

// DiskUse returns the room that the worktrees and the discarded work of a project
// take; without an id, that of all.
func (a *API) DiskUse(projectID string) (u beckon.DiskUse, err error) {
	defer recovered(&err)
	return a.parts.Usage.Of(a.ctx, projectID)
}
